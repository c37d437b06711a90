import type { StockWatch } from "../catalog/live/stock-reads.ts";
import type { CachedResponse, ResponseCache } from "./response-cache.ts";
import type { RouteMatch } from "./route.ts";
import { ClientDisconnected } from "./wire/read-body.ts";
import type { Reply } from "./wire/reply.ts";
import type { StoreRequest } from "./wire/request.ts";

/** Responses that several requests get. Keys are origins with URLs. */
export interface SharedResponses {
  get(key: string): CachedResponse | undefined;
  /**
   * Waits for the response to an equal request in flight, else creates one. An error rejects all requests that wait for
   * it.
   */
  coalesce(key: string, request: StoreRequest, create: () => Reply | Promise<Reply>): Promise<Reply>;
  /** Caches a reply if its cache policy allows. @param response.watched returns the stock that the reply shows */
  add(
    key: string,
    response: { readonly reply: Reply; readonly route: RouteMatch; readonly watched: () => StockWatch },
  ): void;
}

export function createSharedResponses(cache: ResponseCache): SharedResponses {
  const inFlight = new Map<string, InFlight>();
  return {
    get: cache.get,
    async coalesce(key, request, create) {
      for (let other = inFlight.get(key); other !== undefined; other = inFlight.get(key)) {
        other.isAwaited = true;
        try {
          await other.reply;
          const reply = cache.get(key)?.policy.reuse(request);
          if (reply !== undefined) return reply;
          break;
        } catch (error) {
          // If the first client leaves, the next request that waits is handled.
          if (!(error instanceof ClientDisconnected)) throw error;
        }
      }
      const reply = create();
      if (!(reply instanceof Promise)) return reply;
      const entry: InFlight = { reply, isAwaited: false };
      inFlight.set(key, entry);
      try {
        return await reply;
      } finally {
        if (inFlight.get(key) === entry) inFlight.delete(key);
      }
    },
    add(key, { reply: { cachePolicy: policy }, route, watched }) {
      if (policy === undefined || !(cache.isWanted(key, policy) || inFlight.get(key)?.isAwaited === true)) return;
      cache.set(key, { policy, route, stock: watched() });
    },
  };
}

interface InFlight {
  readonly reply: Promise<Reply>;
  /** Whether another request waits for it. */
  isAwaited: boolean;
}
