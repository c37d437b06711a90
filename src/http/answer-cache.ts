import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { StockWatch } from "../catalog/live/stock-reads.ts";
import { fnv1a } from "../runtime/hash.ts";
import { ByteString, utf8 } from "./wire/byte-string.ts";
import { MIN_LENGTH, plainTag, VARY } from "./wire/encoding.ts";
import type { Keep, Reply } from "./wire/reply.ts";
import { headerOf, type StoreRequest } from "./wire/request.ts";

/** Answers that are given again to who asks for the same address, for as long as what they were made from is the newest, and a moment at most. */
export interface AnswerCache<Where> {
  /** @param source what answers are made from now: those made from another are forgotten  @param name the address */
  find(source: object, name: string, now: number): KeptAnswer<Where> | undefined;
  /** Whether an answer is worth keeping: one that is kept once its address was asked again has been asked for lately before. */
  wants(name: string, keep: Keep): boolean;
  keep(name: string, answer: KeptAnswer<Where>): void;
}

/** @typeParam Where what else is known of the address */
export interface KeptAnswer<Where> {
  readonly keep: Keep;
  readonly madeAt: number;
  /** The stock of what it shows. */
  readonly stock: StockWatch;
  readonly where: Where;
}

/** @param maxBytes about how much memory the kept answers may take */
export function createAnswerCache<Where extends object>(maxBytes = 48 * 1_024 * 1_024): AnswerCache<Where> {
  let from: object | undefined;
  const kept = new LRUCache<string, KeptAnswer<Where>>({ maxSize: maxBytes });
  const asked = new AskedNames();
  return {
    find(source, name, now) {
      if (source !== from) {
        kept.clear();
        from = source;
      }
      const answer = kept.get(name);
      return answer !== undefined && isRecent(answer.madeAt, now) && answer.stock.isCurrent() ? answer : undefined;
    },
    wants: (name, { whenAskedAgain }) => whenAskedAgain !== true || asked.note(name),
    keep(name, answer) {
      if (answer.keep.source === from) kept.set(name, answer, { size: 2 * name.length + answer.keep.bytes + OVERHEAD });
    },
  };
}

/** Names that were asked for lately, by hash: where two have the same place, the later one counts. */
class AskedNames {
  readonly #hashes = new Uint32Array(ASKED);

  /** @returns whether it was asked for before */
  note(name: string): boolean {
    const key = fnv1a(name);
    const place = (key ^ (key >>> 16)) & (ASKED - 1);
    const isKnown = this.#hashes[place] === key;
    this.#hashes[place] = key;
    return isKnown;
  }
}

/** Names that are remembered, a power of two: those of some seconds under the heaviest load. */
const ASKED = 65_536;

/** The reply as one that caches may keep and must ask about; there is nothing of one visitor's in it.
 *  @param tag an entity tag without quotes, another for another body; absent: a digest of the body */
export function cacheable(reply: Reply, tag?: string): Reply {
  // With a tag of its own the body may stay as it is: one that is never given again needs no memory of its own.
  if (reply.body instanceof ByteString && tag !== undefined) return tagged(reply, tag);
  const body = ownBytes(reply.body);
  return tagged({ ...reply, body }, tag ?? digestOf(body));
}

function tagged(reply: Reply, tag: string): Reply {
  const vary = lengthOf(reply.body) < MIN_LENGTH ? {} : { vary: VARY };
  return {
    ...reply,
    headers: { ...reply.headers, "cache-control": REVALIDATE, etag: `"${tag}"`, ...vary },
    compress: "fast",
  };
}

/** {@link cacheable}, for a text that is likely asked for once: it leaves in one write with its head, and takes no memory outside the heap. */
export function cacheableOnce(reply: Reply, text: string): Reply {
  return tagged({ ...reply, body: new ByteString(utf8(text)) }, digestOf(text));
}

/** @param body a text as its UTF-8 */
function digestOf(body: Uint8Array | string): string {
  return hash("sha256", body, "base64url").slice(0, 22);
}

function lengthOf(body: Reply["body"]): number {
  if (body instanceof ByteString) return body.bytes.length;
  return body instanceof Uint8Array ? body.length : 0;
}

/** Memory of its own: a part of the pool that small buffers share would hold on to all of that for as long as it is kept. */
function ownBytes(body: Reply["body"]): Uint8Array {
  if (body instanceof Uint8Array) return body;
  const text = body instanceof ByteString ? body.bytes : utf8(String(body));
  const bytes = Buffer.allocUnsafeSlow(text.length);
  bytes.write(text, "latin1");
  return bytes;
}

/** A cacheable reply, or 304 where the caller has it, that is given again. @param isCurrent whether it would still be made the same
 *  @param onAgain told of each request that it is given to again  @param whenAskedAgain as in {@link Keep} */
export function given(
  request: StoreRequest,
  reply: Reply,
  source: object,
  { isCurrent = () => true, onAgain = () => {}, whenAskedAgain }: GivenAgain = {},
): Reply {
  const again = (other: StoreRequest): Reply | undefined => {
    if (!isCurrent()) return undefined;
    onAgain(other);
    kept ??= { ...first, body: ownBytes(reply.body) };
    return conditional(other, kept);
  };
  const keep: Keep = { source, bytes: lengthOf(reply.body), again, ...(whenAskedAgain && { whenAskedAgain }) };
  const first: Reply = { ...reply, keep };
  let kept = reply.body instanceof Uint8Array ? first : undefined;
  return conditional(request, first);
}

export interface GivenAgain {
  readonly isCurrent?: () => boolean;
  readonly onAgain?: (request: StoreRequest) => void;
  readonly whenAskedAgain?: true;
}

/** The reply, or 304 where the caller has it already. */
export function conditional(request: Pick<StoreRequest, "headers">, reply: Reply): Reply {
  const known = headerOf(request, "if-none-match");
  if (known === undefined || reply.status !== 200) return reply;
  const { etag } = reply.headers;
  if (typeof etag !== "string") return reply;
  const tag = known.split(",").find((one) => plainTag(one) === etag || one.trim() === "*");
  if (tag === undefined) return reply;
  const headers = {
    "cache-control": reply.headers["cache-control"] ?? REVALIDATE,
    etag: tag.includes('"') ? tag.trim() : etag,
    ...(reply.compress === undefined ? {} : { vary: "Accept-Encoding" }),
  };
  return { status: 304, headers, body: "", ...(reply.keep === undefined ? {} : { keep: reply.keep }) };
}

/** About how many bytes an entry takes beside its body. */
const OVERHEAD = 2_000;
const REVALIDATE = "public, max-age=0, must-revalidate";
/** Milliseconds: bundles and discounts begin and end by the clock, without a change of the catalogue. */
const MAX_AGE = 2_000;

/** Whether an answer that was made at one time may still be given at another, both in milliseconds since 1970. */
export function isRecent(madeAt: number, now: number): boolean {
  return Math.abs(now - madeAt) < MAX_AGE;
}
