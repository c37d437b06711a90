import type { StockWatch } from "../catalog/live/stock-reads.ts";
import type { ResponseCache } from "./response-cache.ts";
import { ClientGone } from "./wire/read-body.ts";
import type { Reply } from "./wire/reply.ts";
import type { StoreRequest } from "./wire/request.ts";

/** Responses that several requests get. Keys are origins with URLs. */
export interface SharedResponses {
  /** The cached response, as this request gets it. */
  find(key: string, request: StoreRequest): Reply | undefined;
  /** Waits for the response to an equal request in flight, else creates one.
   *  @throws what creating throws, of all requests that wait for it */
  coalesce(key: string, request: StoreRequest, create: () => Reply | Promise<Reply>): Promise<Reply>;
  /** Caches a reply if its cache policy allows. @param watched returns the stock that the reply shows */
  add(key: string, reply: Reply, watched: () => StockWatch): void;
}

export function createSharedResponses(cache: ResponseCache): SharedResponses {
  const inFlight = new Map<string, InFlight>();

  const find = (key: string, request: StoreRequest): Reply | undefined => cache.get(key)?.policy.reuse(request);
  return {
    find,
    async coalesce(key, request, create) {
      for (let other = inFlight.get(key); other !== undefined; other = inFlight.get(key)) {
        other.isAwaited = true;
        try {
          await other.reply;
          const reply = find(key, request);
          if (reply !== undefined) return reply;
          break;
        } catch (error) {
          // If the first client leaves, the next request that waits is handled.
          if (!(error instanceof ClientGone)) throw error;
        }
      }
      const reply = create();
      if (!(reply instanceof Promise)) return reply;
      const own: InFlight = { reply, isAwaited: false };
      inFlight.set(key, own);
      try {
        return await reply;
      } finally {
        if (inFlight.get(key) === own) inFlight.delete(key);
      }
    },
    add(key, { cachePolicy: policy }, watched) {
      if (policy === undefined || !(cache.isWanted(key, policy) || inFlight.get(key)?.isAwaited === true)) return;
      cache.set(key, { policy, stock: watched() });
    },
  };
}

interface InFlight {
  readonly reply: Promise<Reply>;
  /** Whether another request waits for it. */
  isAwaited: boolean;
}
