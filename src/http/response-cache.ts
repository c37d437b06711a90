import type { StockWatcher } from "../catalog/live/stock-reads.ts";
import { createCache } from "../runtime/cache.ts";
import { digestOf, hashFnv1a } from "../runtime/hash.ts";
import type { Shop } from "../shop.ts";
import type { RouteMatch } from "./route.ts";
import { ByteString, encodeUtf8 } from "./wire/byte-string.ts";
import { MIN_COMPRESSED_LENGTH, normalizeTag, VARY_HEADER } from "./wire/encoding.ts";
import { type CachePolicy, createJsonReply, type Reply } from "./wire/reply.ts";
import type { StoreRequest } from "./wire/request.ts";

/**
 * Cache of responses by URL. An entry expires after {@link MAX_AGE_MS} milliseconds, or earlier if its catalog or stock
 * changes.
 */
export interface ResponseCache {
  get(url: string): CachedResponse | undefined;
  /**
   * Reports whether to cache a response. Rarely repeated responses are cached only when their URL is requested again.
   */
  shouldCache(url: string, policy: CachePolicy): boolean;
  /** Caches a response, unless its catalog is outdated. */
  set(url: string, response: CachedResponse): void;
}

export interface CachedResponse {
  readonly policy: CachePolicy;
  readonly route: RouteMatch;
  /** Stock when the response was created. */
  readonly stock: StockWatcher;
}

export interface ResponseCacheOptions {
  /**
   * Returns the object from which new responses are created, usually the catalog snapshot. If it is a different object
   * than before, the cache is emptied.
   */
  readonly source: () => object;
  /** Clock, in milliseconds since 1970. */
  readonly now: () => number;
  readonly maxBytes?: number;
}

export function createResponseCache({ source, now, maxBytes = MAX_CACHE_BYTES }: ResponseCacheOptions): ResponseCache {
  const cache = createCache<string, CachedResponse>({
    name: "responses",
    maxWeight: maxBytes,
    weigh: ({ policy }, url) => 2 * url.length + policy.bytes + ENTRY_OVERHEAD_BYTES,
    maxAgeMs: MAX_AGE_MS,
    now,
    epoch: source,
    isCurrent: ({ stock }) => stock.isCurrent(),
  });
  const requestedUrls = new RequestedUrls();
  return {
    get: cache.get,
    shouldCache: (url, { isRarelyRepeated }) => isRarelyRepeated !== true || requestedUrls.add(url),
    set(url, response) {
      if (response.policy.source === source()) cache.set(url, response);
    },
  };
}

/** Hashes of recently requested URLs in a table of fixed size. A URL may replace another one in the same slot. */
class RequestedUrls {
  readonly #urlHashes = new Uint32Array(MAX_REQUESTED_URLS);

  /** Adds a URL.  @returns whether it was already in the table */
  add(url: string): boolean {
    const key = hashFnv1a(url);
    const slot = (key ^ (key >>> 16)) & (MAX_REQUESTED_URLS - 1);
    const isKeyStored = this.#urlHashes[slot] === key;
    this.#urlHashes[slot] = key;
    return isKeyStored;
  }
}

/** Number of slots, a power of two. It is enough for the URLs of some seconds at full load. */
const MAX_REQUESTED_URLS = 65_536;

/**
 * Adds headers so that browsers store a response and revalidate it at each use. The response must not contain data of a
 * single visitor.
 * @param tag entity tag without quotes, which must change with the body. Default: a digest of the body
 */
export function toCacheableReply(reply: Reply, tag?: string): Reply {
  // The body must be converted to bytes only if the tag is computed from it.
  if (reply.body instanceof ByteString && tag !== undefined) return setEntityTag(reply, tag);
  const body = copyUnpooledBytes(reply.body);
  return setEntityTag({ ...reply, body }, tag ?? digestOf(body));
}

function setEntityTag(reply: Reply, tag: string): Reply {
  const varyHeader = lengthOf(reply.body) < MIN_COMPRESSED_LENGTH ? {} : { vary: VARY_HEADER };
  return {
    ...reply,
    headers: { ...reply.headers, "cache-control": REVALIDATE_CACHE_CONTROL, etag: `"${tag}"`, ...varyHeader },
    compress: "fast",
  };
}

/**
 * Like {@link toCacheableReply}, for a response that is probably requested only once. Its body remains a string,
 * because Node sends a string and the headers in one write.
 */
export function toSingleUseReply(reply: Reply, text: string): Reply {
  return setEntityTag({ ...reply, body: new ByteString(encodeUtf8(text)) }, digestOf(text));
}

function lengthOf(body: Reply["body"]): number {
  if (body instanceof ByteString) return body.bytes.length;
  return body instanceof Uint8Array ? body.length : 0;
}

/**
 * Copies a small body, because it may be a slice of Node's shared buffer pool. Caching the slice would keep the entire
 * pool in memory.
 */
function copyUnpooledBytes(body: Reply["body"]): Uint8Array {
  if (body instanceof Uint8Array) return body;
  const text = body instanceof ByteString ? body.bytes : encodeUtf8(String(body));
  const bytes = Buffer.allocUnsafeSlow(text.length);
  bytes.write(text, "latin1");
  return bytes;
}

/** Marks a response as reusable by the response cache. Returns it, or a 304 response if the client already has it. */
export function addCachePolicy(
  request: StoreRequest,
  reply: Reply,
  source: object,
  { isCurrent = () => true, onReuse = () => {}, isRarelyRepeated }: ReplyReuseOptions = {},
): Reply {
  const reuseReply = (nextRequest: StoreRequest): Reply | undefined => {
    if (!isCurrent()) return undefined;
    onReuse(nextRequest);
    // Replaces the string, so that the cache does not retain the body twice.
    if (!(reusableReply.body instanceof Uint8Array))
      reusableReply = { ...reusableReply, body: copyUnpooledBytes(reusableReply.body) };
    return replyIfModified(nextRequest, reusableReply);
  };
  const cachePolicy: CachePolicy = {
    source,
    bytes: lengthOf(reply.body),
    tryReuse: reuseReply,
    ...(isRarelyRepeated && { isRarelyRepeated }),
  };
  let reusableReply: Reply = { ...reply, cachePolicy };
  return replyIfModified(request, reusableReply);
}

/** Returns a value as JSON that browsers and the response cache store.  @see addCachePolicy */
export function createCacheableJson(
  request: StoreRequest,
  value: object,
  source: object,
  options?: ReplyReuseOptions,
): Reply {
  return addCachePolicy(request, toCacheableReply(createJsonReply(200, value)), source, options);
}

/** Returns a function that reports whether the theme is still the same as at this call. */
export function watchTheme({ theme }: Pick<Shop, "theme">): () => boolean {
  const revision = theme.revision();
  return () => theme.revision() === revision;
}

export interface ReplyReuseOptions extends Pick<CachePolicy, "isRarelyRepeated"> {
  /** Reports whether the cached response is still valid. */
  readonly isCurrent?: () => boolean;
  /** Called for each request that gets the cached response. */
  readonly onReuse?: (request: StoreRequest) => void;
}

/** Returns the response, or 304 if the client already has it. */
export function replyIfModified(request: Pick<StoreRequest, "headers">, reply: Reply): Reply {
  const ifNoneMatch = request.headers["if-none-match"];
  if (ifNoneMatch === undefined || reply.status !== 200) return reply;
  const { etag } = reply.headers;
  if (typeof etag !== "string") return reply;
  const tag = ifNoneMatch.split(",").find((candidate) => normalizeTag(candidate) === etag || candidate.trim() === "*");
  if (tag === undefined) return reply;
  const headers = {
    "cache-control": reply.headers["cache-control"] ?? REVALIDATE_CACHE_CONTROL,
    etag: tag.includes('"') ? tag.trim() : etag,
    ...(reply.compress === undefined ? {} : { vary: "Accept-Encoding" }),
  };
  return {
    status: 304,
    headers,
    body: "",
    ...(reply.cachePolicy === undefined ? {} : { cachePolicy: reply.cachePolicy }),
  };
}

/** Approximate memory of a cache entry in addition to its URL and body, in bytes. */
const ENTRY_OVERHEAD_BYTES = 2_000;
const MAX_CACHE_BYTES = 48 * 1_024 * 1_024;
const REVALIDATE_CACHE_CONTROL = "public, max-age=0, must-revalidate";
/**
 * Maximum age of a cached response in milliseconds. It is short, because discounts and bundles start and end without a
 * catalog change.
 */
export const MAX_AGE_MS = 2_000;
