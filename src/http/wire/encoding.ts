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
import { LRUCache } from "lru-cache";
import { ByteString } from "./byte-string.ts";
import { FilledBody } from "./filled-body.ts";
import type { Reply } from "./reply.ts";

/** A coding of bodies, as `Content-Encoding` names it. */
export type Coding = "br" | "zstd" | "gzip";

/** The reply as the client takes it best: compressed where its handler allows that and it pays. Bodies and replies that are kept (the same object
 *  each time) are compressed once for each coding, and short ones on the spot: nobody waits for them. Long ones are compressed beside the event loop.
 *  @param accepted the request's `Accept-Encoding` */
export type Encode = (reply: Reply, accepted: string | undefined) => Reply | Promise<Reply>;

export function createEncoder(): Encode {
  const readCodings = createCodingReader();
  /** Kept replies -> what is sent for them; a body that is kept alone -> what it is compressed. */
  const replies = new WeakMap<Reply, Map<Coding | undefined, Reply>>();
  const bodies = new WeakMap<object, Map<Coding, Body | Promise<Body>>>();

  return (reply, accepted) => {
    const { compress, status } = reply;
    if (compress === undefined || status !== 200 || lengthOf(reply) < MIN_LENGTH) return reply;
    const codings = readCodings(accepted);
    if (reply.body instanceof FilledBody) return encodeFilled(reply, reply.body, codings);
    const [coding] = codings;
    const known = replies.get(reply)?.get(coding);
    if (known !== undefined) return known;
    const remember = (encoded: Reply): Reply => {
      if (reply.cachePolicy !== undefined) keyed(replies, reply).set(coding, encoded);
      return encoded;
    };
    if (coding === undefined && reply.headers.vary === VARY) return reply;
    if (coding === undefined) return remember({ ...reply, headers: { ...reply.headers, vary: VARY } });
    const body = encodeBody(reply.body as Body | string, coding, compress, bodies);
    return body instanceof Promise
      ? body.then((bytes) => remember(encodedReply(reply, coding, bytes)))
      : remember(encodedReply(reply, coding, body));
  };
}

/** The codings that the client takes rather than the body as it is, the highest q-value first, Brotli before Zstandard before gzip. */
export function acceptedCodings(accepted: string | undefined): readonly Coding[] {
  if (accepted === undefined) return [];
  const weights = new Map(
    accepted.split(",").map((part) => {
      const [name = "", ...parameters] = part.split(";").map((one) => one.trim().toLowerCase());
      const q = parameters.find((one) => one.startsWith("q="));
      return [name, q === undefined ? 1 : Number(q.slice(2)) || 0] as const;
    }),
  );
  const weightOf = (coding: string): number => weights.get(coding) ?? weights.get("*") ?? 0;
  return (["br", "zstd", "gzip"] as const)
    .filter((coding) => weightOf(coding) > 0 && weightOf(coding) >= (weights.get("identity") ?? 0))
    .sort((one, other) => weightOf(other) - weightOf(one));
}

/** An `ETag` without the coding that {@link Encode} put into it, and without the sign of weakness. */
export function plainTag(tag: string): string {
  return tag
    .trim()
    .replace(/^W\//, "")
    .replace(/-(?:br|zstd|gzip)"$/, '"');
}

export const VARY = "Accept-Encoding";
/** Shorter bodies fit a packet as they are. */
export const MIN_LENGTH = 1_024;
/** Characters up to which a body is compressed on the spot: at these levels it takes less time than to hand it over to a thread. */
const ON_THE_SPOT = 32_768;
/** Levels of each coding: on the spot, beside the event loop, and the most they can do. */
const levels = {
  quick: { br: 1, zstd: 3, gzip: 3 },
  fast: { br: 4, zstd: 6, gzip: 5 },
  best: { br: 11, zstd: 19, gzip: 9 },
} as const;
/** Base-2 logarithm of the window: answers are seldom longer, and a larger one costs memory to set up. */
const WINDOW = 18;
/** Spellings of `Accept-Encoding` that are remembered; browsers have a handful. */
const MAX_SPELLINGS = 200;
const MAX_SPELLING = 200;

const brotli = promisify(brotliCompress);
const zstd = promisify<Uint8Array | string, object, Buffer>(zstdCompress);
const deflate = promisify<Uint8Array | string, object, Buffer>(gzip);

type Level = NonNullable<Reply["compress"]>;
type Body = Uint8Array | ByteString;

/** {@link acceptedCodings}, which takes as long as all else about a kept answer, remembered. */
function createCodingReader(): typeof acceptedCodings {
  const known = new LRUCache<string, readonly Coding[]>({ max: MAX_SPELLINGS });
  return (accepted) => {
    if (accepted === undefined || accepted.length > MAX_SPELLING) return acceptedCodings(accepted);
    const codings = known.get(accepted) ?? acceptedCodings(accepted);
    known.set(accepted, codings);
    return codings;
  };
}

function lengthOf({ body }: Reply): number {
  if (body instanceof ByteString) return body.bytes.length;
  if (body instanceof FilledBody) return body.shared.size;
  return typeof body === "string" || body instanceof Uint8Array ? body.length : 0;
}

/** By gzip alone: the other codings would have to look at the visitor's own text. */
function encodeFilled(reply: Reply, { shared, own }: FilledBody, codings: readonly Coding[]): Reply {
  if (!codings.includes("gzip")) return { ...reply, headers: { ...reply.headers, vary: VARY } };
  return encodedReply(reply, "gzip", new ByteString(shared.gzip(own)));
}

function encodedReply(reply: Reply, coding: Coding, body: Body): Reply {
  const { etag } = reply.headers;
  return {
    status: reply.status,
    headers: {
      ...reply.headers,
      vary: VARY,
      "content-encoding": coding,
      ...(typeof etag === "string" ? { etag: etag.replace(/"$/, `-${coding}"`) } : {}),
    },
    body,
  };
}

function encodeBody(
  body: Body | string,
  coding: Coding,
  level: Level,
  bodies: WeakMap<object, Map<Coding, Body | Promise<Body>>>,
): Body | Promise<Body> {
  if (typeof body === "string") return compressed(body, coding, "fast");
  const known = keyed(bodies, body);
  let encoded = known.get(coding);
  if (encoded === undefined) {
    encoded = body instanceof ByteString ? compressedString(body, coding) : compressed(body, coding, "fast");
    known.set(coding, encoded);
    // The first caller does not wait for the last percent; later ones get it.
    if (level === "best" && body instanceof Uint8Array) improve(body, coding, known);
  }
  return encoded;
}

function improve(body: Uint8Array, coding: Coding, known: Map<Coding, Body | Promise<Body>>): void {
  Promise.resolve(compressed(body, coding, "best")).then(
    (bytes) => known.set(coding, bytes),
    () => undefined,
  );
}

function compressedString({ bytes }: ByteString, coding: Coding): Body | Promise<Body> {
  const made = compressed(Buffer.from(bytes, "latin1"), coding, "fast");
  const asString = (encoded: Buffer): ByteString => new ByteString(encoded.toString("latin1"));
  return made instanceof Promise ? made.then(asString) : asString(made);
}

function compressed(body: string | Uint8Array, coding: Coding, level: Level): Buffer | Promise<Buffer> {
  const isShort = level === "fast" && body.length <= ON_THE_SPOT;
  const strength = levels[isShort ? "quick" : level][coding];
  if (coding === "gzip") return (isShort ? gzipSync : deflate)(body, { level: strength });
  if (coding === "zstd")
    return (isShort ? zstdCompressSync : zstd)(body, { params: { [constants.ZSTD_c_compressionLevel]: strength } });
  const options = {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: strength,
      [constants.BROTLI_PARAM_LGWIN]: level === "best" ? constants.BROTLI_DEFAULT_WINDOW : WINDOW,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    },
  };
  return isShort ? brotliCompressSync(body, options) : brotli(body, options);
}

function keyed<K extends object, Key, Value>(all: WeakMap<K, Map<Key, Value>>, of: K): Map<Key, Value> {
  let known = all.get(of);
  if (known === undefined) {
    known = new Map();
    all.set(of, known);
  }
  return known;
}
