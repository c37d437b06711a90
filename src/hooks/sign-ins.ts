import { LRUCache } from "lru-cache";
import * as v from "valibot";
import type { Log } from "../observability/log.ts";
import type { Limits } from "../runtime/limits.ts";
import { callHook, HookFailed } from "./call-hook.ts";
import type { CustomerHook, SignedIn } from "./customer-hook.ts";

/** Who is signed in at a login of the merchant's own, as its hook says. */
export interface SignIns {
  /** Names of the cookies that it is told by; none: there is no hook. */
  readonly cookies: readonly string[];
  /** undefined: nobody, or nobody can tell now, so that the shopper goes on as a guest.
   *  @param given those of the cookies that came, as "name=value; name=value", not empty  @param request the visitor's, without a body
   *  @param from the network that it comes from, and when: who makes sessions up is not asked about without end */
  find(
    given: string,
    request: () => Request,
    from: { readonly network: string; readonly now: number },
  ): Promise<SignedIn | undefined>;
}

/** @param hook undefined: no customer is signed in by a hook */
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
      // A session too long to be kept is asked for each time.
      if (given.length <= MAX_KEPT_LENGTH) known.set(given, found, { noUpdateTTL: true });
      return found.catch((error: unknown) => {
        known.delete(given);
        if (!(error instanceof HookFailed)) throw error;
        return undefined;
      });
    },
  };
}

/** A page and its cart are asked for together; who signs out at the merchant's does so here soon after. */
const KNOWN_MS = 30_000;
const MAX_KNOWN = 5_000;
/** Characters of cookies. */
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
