import { LRUCache } from "lru-cache";
import * as v from "valibot";
import type { Log } from "../observability/log.ts";
import type { Limits } from "../runtime/limits.ts";
import { callHook, HookFailed } from "./call-hook.ts";
import type { CustomerHook, SignedIn } from "./customer-hook.ts";

/** Customers signed in at the merchant's login, as returned by its hook. */
export interface SignIns {
  /** Cookies that identify a session; empty if there is no hook. */
  readonly cookies: readonly string[];
  /**
   * Returns undefined for an anonymous visitor or if the hook fails, so that the shopper continues as a guest.
   * @param given the session cookies of the request, "name=value; name=value", not empty
   * @param request the visitor's, without body
   * @param from network and time of the request, since lookups of invented sessions are limited
   */
  find(
    given: string,
    request: () => Request,
    from: { readonly network: string; readonly now: number },
  ): Promise<SignedIn | undefined>;
}

/** @param hook undefined if the merchant has no customer hook */
export function createSignIns(
  hook: CustomerHook | undefined,
  log: Pick<Log, "recurring">,
  limits: Pick<Limits, "allows" | "countFailure">,
): SignIns {
  if (hook === undefined) return { cookies: [], find: async () => undefined };
  const known = new LRUCache<string, Promise<SignedIn | undefined>>({ max: MAX_KNOWN, ttl: KNOWN_MS });
  return {
    cookies: hook.cookies,
    async find(given, request, { network, now }) {
      const before = known.get(given);
      if (before === undefined && !limits.allows("unknown session by address", network, now)) return undefined;
      const found = before ?? ask(hook, log, request());
      if (before === undefined)
        found.then(
          (customer) => customer === undefined && limits.countFailure("unknown session by address", network, now),
          () => limits.countFailure("unknown session by address", network, now),
        );
      // Cookies that are too long for the cache are looked up each time.
      if (given.length <= MAX_KEPT_LENGTH) known.set(given, found, { noUpdateTTL: true });
      return found.catch((error: unknown) => {
        known.delete(given);
        if (!(error instanceof HookFailed)) throw error;
        return undefined;
      });
    },
  };
}

/** A page and its cart are requested together; a sign-out at the merchant's login applies here after this time. */
const KNOWN_MS = 30_000;
const MAX_KNOWN = 5_000;
/** Maximum characters of cookies. */
const MAX_KEPT_LENGTH = 2_000;

function ask(hook: CustomerHook, log: Pick<Log, "recurring">, request: Request): Promise<SignedIn | undefined> {
  return callHook(
    "customer.find",
    log,
    (signal) => hook.find(request, { signal }),
    (answer) => v.parse(signedIn, answer) as SignedIn | undefined,
  );
}

const text = v.pipe(v.string(), v.maxLength(255));

const signedIn = v.message(
  v.optional(
    v.object({
      id: v.pipe(text, v.minLength(1)),
      email: text,
      firstName: v.optional(text),
      lastName: v.optional(text),
      phone: v.optional(text),
      tags: v.optional(v.array(text)),
    }),
  ),
  "the answer is neither undefined nor a customer { id, email, … } in texts",
);
