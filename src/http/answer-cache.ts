import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { plainTag } from "./wire/encoding.ts";
import type { Reply } from "./wire/reply.ts";
import { headerOf, type StoreRequest } from "./wire/request.ts";

/** Answers that depend on path and query alone, kept for as long as what they were made from is the newest. */
export interface AnswerCache {
  /** The kept answer of this name, else what `make` gives; `keep` false: it is the caller's alone.
   *  @param source what the answers are made from: another one forgets them all */
  answer(
    source: object,
    name: string,
    now: number,
    make: () => Promise<{ readonly reply: Reply; readonly keep: boolean }>,
  ): Promise<Reply>;
}

/** @param onSought told of each answer that is looked for  @param maxBytes about how much memory the kept answers may take */
export function createAnswerCache(
  onSought: (isHit: boolean) => void = () => {},
  maxBytes = 32 * 1_024 * 1_024,
): AnswerCache {
  let from: object | undefined;
  const kept = new LRUCache<string, { readonly reply: Reply; readonly madeAt: number }>({ maxSize: maxBytes });
  return {
    async answer(source, name, now, make) {
      if (source !== from) {
        kept.clear();
        from = source;
      }
      const hit = kept.get(name);
      const isHit = hit !== undefined && isRecent(hit.madeAt, now);
      onSought(isHit);
      if (isHit) return hit.reply;
      const { reply, keep } = await make();
      if (!keep || source !== from) return reply;
      const size = 2 * name.length + (reply.body instanceof Uint8Array ? reply.body.length : 0) + OVERHEAD;
      kept.set(name, { reply, madeAt: now }, { size });
      return reply;
    },
  };
}

/** The reply as one that caches may keep and must ask about; there is nothing of one visitor's in it. */
export function cacheable(reply: Reply): Reply {
  const body = Buffer.from(String(reply.body));
  const etag = `"${hash("sha256", body, "base64url").slice(0, 22)}"`;
  return { ...reply, headers: { ...reply.headers, "cache-control": REVALIDATE, etag }, body, compress: "fast" };
}

/** The reply, or 304 where the caller has it already. */
export function conditional(request: Pick<StoreRequest, "headers">, reply: Reply): Reply {
  const { etag } = reply.headers;
  const known = headerOf(request, "if-none-match");
  if (typeof etag !== "string" || known === undefined || reply.status !== 200) return reply;
  const tag = known.split(",").find((one) => plainTag(one) === etag || one.trim() === "*");
  if (tag === undefined) return reply;
  const headers = {
    "cache-control": reply.headers["cache-control"] ?? REVALIDATE,
    etag: tag.includes('"') ? tag.trim() : etag,
    ...(reply.compress === undefined ? {} : { vary: "Accept-Encoding" }),
  };
  return { status: 304, headers, body: "" };
}

/** About how many bytes an entry takes beside its body. */
const OVERHEAD = 1_000;
const REVALIDATE = "public, max-age=0, must-revalidate";
/** Milliseconds: bundles and discounts begin and end by the clock, without a change of the catalogue. */
const MAX_AGE = 2_000;

/** Whether an answer that was made at one time may still be given at another, both in milliseconds since 1970. */
export function isRecent(madeAt: number, now: number): boolean {
  return Math.abs(now - madeAt) < MAX_AGE;
}
