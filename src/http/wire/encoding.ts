import { promisify } from "node:util";
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  gzip,
  gzipSync,
  zstdCompress,
  zstdCompressSync,
} from "node:zlib";
import { createCache, memoizePerObject } from "../../runtime/cache.ts";
import { ByteString } from "./byte-string.ts";
import { VisitorReplyBody } from "./filled-body.ts";
import type { Reply } from "./reply.ts";
import { parseWeights } from "./weights.ts";

/** Name of a compression algorithm in `Content-Encoding`. */
export type ContentCoding = "br" | "zstd" | "gzip";

/**
 * Compresses a response if its handler permits this and the body is long enough. A cached response is compressed only
 * once for each algorithm. Short bodies are compressed synchronously, long ones in a separate thread.
 * @param acceptEncoding the request's header `Accept-Encoding`
 */
export type ReplyEncoder = (reply: Reply, acceptEncoding: string | undefined) => Reply | Promise<Reply>;

export function createReplyEncoder(): ReplyEncoder {
  const parseEncodings = createEncodingParser();
  /** Compressed versions of cached responses. */
  const getEncodedReplies = memoizePerObject((_: Reply) => new Map<ContentCoding | undefined, Reply>());
  const getEncodedBodies = memoizePerObject((_: Body): EncodedBodies => new Map());

  return (reply, acceptEncoding) => {
    const { compress, status } = reply;
    if (compress === undefined || status !== 200 || lengthOf(reply) < MIN_COMPRESSED_LENGTH) return reply;
    const encodings = parseEncodings(acceptEncoding);
    if (reply.body instanceof VisitorReplyBody) return encodeSharedBody(reply, reply.body, encodings);
    const [encoding] = encodings;
    const replyEncodings = reply.cachePolicy === undefined ? undefined : getEncodedReplies(reply);
    const cachedReply = replyEncodings?.get(encoding);
    if (cachedReply !== undefined) return cachedReply;
    const cacheReply = (encodedReply: Reply): Reply => {
      replyEncodings?.set(encoding, encodedReply);
      return encodedReply;
    };
    if (encoding === undefined && reply.headers.vary === VARY_HEADER) return reply;
    if (encoding === undefined) return cacheReply({ ...reply, headers: { ...reply.headers, vary: VARY_HEADER } });
    const body = encodeBody(reply.body as Body | string, encoding, compress, getEncodedBodies);
    return body instanceof Promise
      ? body.then((bytes) => cacheReply(createEncodedReply(reply, encoding, bytes)))
      : cacheReply(createEncodedReply(reply, encoding, body));
  };
}

/**
 * Returns the compression algorithms that the client accepts, the best first. They are sorted by q-value, then in the
 * order Brotli, Zstandard, gzip.
 */
export function parseAcceptEncoding(acceptEncoding: string | undefined): readonly ContentCoding[] {
  if (acceptEncoding === undefined) return [];
  const weights = new Map(parseWeights(acceptEncoding));
  const weightOf = (encoding: string): number => weights.get(encoding) ?? weights.get("*") ?? 0;
  return (["br", "zstd", "gzip"] as const)
    .filter((encoding) => weightOf(encoding) > 0 && weightOf(encoding) >= (weights.get("identity") ?? 0))
    .sort((parameter, otherParameter) => weightOf(otherParameter) - weightOf(parameter));
}

/** Returns an entity tag without the name of the compression algorithm and without `W/`. */
export function normalizeTag(tag: string): string {
  return tag
    .trim()
    .replace(/^W\//, "")
    .replace(/-(?:br|zstd|gzip)"$/, '"');
}

export const VARY_HEADER = "Accept-Encoding";
/** Minimum length in bytes of a body that is compressed. Shorter bodies fit in one network packet anyway. */
export const MIN_COMPRESSED_LENGTH = 1_024;
/**
 * Maximum length in bytes of a body that is compressed synchronously. For longer bodies, a separate thread is faster.
 */
const MAX_SYNC_BODY_BYTES = 32_768;
/**
 * Compression level for each algorithm: "quick" is synchronous, "fast" runs in a thread, and "best" is for cached
 * files.
 */
const levels = {
  quick: { br: 1, zstd: 3, gzip: 3 },
  fast: { br: 4, zstd: 6, gzip: 5 },
  best: { br: 11, zstd: 19, gzip: 9 },
} as const;
/**
 * Size of the compression window as a power of two. Few responses exceed 256 KiB, and a larger window needs more
 * memory.
 */
const COMPRESSION_WINDOW_BITS = 18;
/** Maximum number of cached `Accept-Encoding` values. Browsers send only a few different values. */
const MAX_CACHED_HEADERS = 200;
/** Maximum length in characters of a cached `Accept-Encoding` value. */
const MAX_HEADER_LENGTH = 200;

const compressBrotli = promisify(brotliCompress);
const compressZstd = promisify<Uint8Array | string, object, Buffer>(zstdCompress);
const compressGzip = promisify<Uint8Array | string, object, Buffer>(gzip);

type CompressionLevel = NonNullable<Reply["compress"]>;
type Body = Uint8Array | ByteString;
type EncodedBodies = Map<ContentCoding, Body | Promise<Body>>;

/** Returns a version of {@link parseAcceptEncoding} that caches its results, because parsing the header is slow. */
function createEncodingParser(): typeof parseAcceptEncoding {
  const cache = createCache<string, readonly ContentCoding[]>({
    name: "accept_encoding",
    maxWeight: MAX_CACHED_HEADERS,
  });
  return (acceptEncoding) =>
    acceptEncoding === undefined || acceptEncoding.length > MAX_HEADER_LENGTH
      ? parseAcceptEncoding(acceptEncoding)
      : cache.getOrCreate(acceptEncoding, () => parseAcceptEncoding(acceptEncoding));
}

function lengthOf({ body }: Reply): number {
  if (body instanceof ByteString) return body.bytes.length;
  if (body instanceof VisitorReplyBody) return body.sharedBody.size;
  return typeof body === "string" || body instanceof Uint8Array ? body.length : 0;
}

/**
 * Compresses a page that contains a visitor's CSRF token. Only gzip is supported, because its compressed parts around
 * the token can be reused for all visitors.
 */
function encodeSharedBody(
  reply: Reply,
  { sharedBody, token }: VisitorReplyBody,
  encodings: readonly ContentCoding[],
): Reply {
  if (!encodings.includes("gzip")) return { ...reply, headers: { ...reply.headers, vary: VARY_HEADER } };
  return createEncodedReply(reply, "gzip", new ByteString(sharedBody.gzip(token)));
}

function createEncodedReply(reply: Reply, encoding: ContentCoding, body: Body): Reply {
  const { etag } = reply.headers;
  return {
    status: reply.status,
    headers: {
      ...reply.headers,
      vary: VARY_HEADER,
      "content-encoding": encoding,
      ...(typeof etag === "string" ? { etag: etag.replace(/"$/, `-${encoding}"`) } : {}),
    },
    body,
  };
}

function encodeBody(
  body: Body | string,
  encoding: ContentCoding,
  level: CompressionLevel,
  getEncodedBodies: (body: Body) => EncodedBodies,
): Body | Promise<Body> {
  if (typeof body === "string") return compressBody(body, encoding, "fast");
  const bodyEncodings = getEncodedBodies(body);
  let encodedBody = bodyEncodings.get(encoding);
  if (encodedBody === undefined) {
    encodedBody = body instanceof ByteString ? compressString(body, encoding) : compressBody(body, encoding, "fast");
    bodyEncodings.set(encoding, encodedBody);
    // The first response must not wait, so the best compression runs afterwards for later requests.
    if (level === "best" && body instanceof Uint8Array) recompressBody(body, encoding, bodyEncodings);
  }
  return encodedBody;
}

function recompressBody(body: Uint8Array, encoding: ContentCoding, bodyEncodings: EncodedBodies): void {
  Promise.resolve(compressBody(body, encoding, "best")).then(
    (bytes) => bodyEncodings.set(encoding, bytes),
    () => undefined,
  );
}

function compressString({ bytes }: ByteString, encoding: ContentCoding): Body | Promise<Body> {
  const compressedBytes = compressBody(Buffer.from(bytes, "latin1"), encoding, "fast");
  const toByteString = (encodedReply: Buffer): ByteString => new ByteString(encodedReply.toString("latin1"));
  return compressedBytes instanceof Promise ? compressedBytes.then(toByteString) : toByteString(compressedBytes);
}

function compressBody(
  body: string | Uint8Array,
  encoding: ContentCoding,
  level: CompressionLevel,
): Buffer | Promise<Buffer> {
  const isShortBody = level === "fast" && body.length <= MAX_SYNC_BODY_BYTES;
  const compressionLevel = levels[isShortBody ? "quick" : level][encoding];
  if (encoding === "gzip") return (isShortBody ? gzipSync : compressGzip)(body, { level: compressionLevel });
  if (encoding === "zstd")
    return (isShortBody ? zstdCompressSync : compressZstd)(body, {
      params: { [constants.ZSTD_c_compressionLevel]: compressionLevel },
    });
  const options = {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: compressionLevel,
      [constants.BROTLI_PARAM_LGWIN]: level === "best" ? constants.BROTLI_DEFAULT_WINDOW : COMPRESSION_WINDOW_BITS,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    },
  };
  return isShortBody ? brotliCompressSync(body, options) : compressBrotli(body, options);
}
