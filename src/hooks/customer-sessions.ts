import * as v from "valibot";
import type { Log } from "../observability/log.ts";
import { createCache } from "../runtime/cache.ts";
import type { RateLimits } from "../runtime/limits.ts";
import { callHook, HookError } from "./call-hook.ts";
import type { CustomerHook, SignedIn } from "./customer-hook.ts";

/** Finds the customers who are signed in at the merchant's login system. */
export interface CustomerSessions {
  /** Names of the cookies that identify a session; empty if there is no hook. */
  readonly cookies: readonly string[];
  /**
   * Returns the customer of a session; undefined for an anonymous visitor. A hook that fails also yields undefined, so
   * the shopper continues as a guest for some seconds.
   * @param sessionCookies session cookies of the request, "name=value; name=value", not empty
   * @param request returns the visitor's request without body
   * @param from network and time of the request, since lookups of unknown sessions are limited by network
   */
  find(
    sessionCookies: string,
    request: () => Request,
    from: { readonly network: string; readonly now: number },
  ): Promise<SignedIn | undefined>;
}

/** @param hook undefined if the merchant has no customer hook */
export function createCustomerSessions(
  hook: CustomerHook | undefined,
  log: Pick<Log, "recurring">,
  limits: Pick<RateLimits, "allows" | "countFailure">,
): CustomerSessions {
  if (hook === undefined) return { cookies: [], find: async () => undefined };
  const cache = createCache<string, Promise<SignedIn | undefined>>({
    name: "customer_sessions",
    maxWeight: MAX_CACHED_SESSIONS,
    maxAgeMs: CACHE_LIFETIME_MS,
  });
  const failures = createCache<string, true>({
    name: "failed_customer_sessions",
    maxWeight: MAX_CACHED_SESSIONS,
    maxAgeMs: RETRY_DELAY_MS,
  });
  return {
    cookies: hook.cookies,
    async find(sessionCookies, request, { network, now }) {
      if (failures.get(sessionCookies)) return undefined;
      const cachedCustomer = cache.get(sessionCookies);
      if (cachedCustomer === undefined && !limits.allows("unknown session by address", network, now)) return undefined;
      const customerPromise = cachedCustomer ?? callCustomerHook(hook, log, request());
      if (cachedCustomer === undefined) {
        if (sessionCookies.length <= MAX_CACHED_COOKIE_LENGTH) cache.set(sessionCookies, customerPromise);
        customerPromise.then(
          (customer) => customer === undefined && limits.countFailure("unknown session by address", network, now),
          () => limits.countFailure("unknown session by address", network, now),
        );
      }
      return customerPromise.catch((error: unknown) => {
        if (!(error instanceof HookError)) throw error;
        if (sessionCookies.length <= MAX_CACHED_COOKIE_LENGTH) failures.set(sessionCookies, true);
        return undefined;
      });
    },
  };
}

/**
 * Milliseconds for which a session is cached, because a page and its cart are requested together. A logout at the
 * merchant's login system takes effect after this time.
 */
const CACHE_LIFETIME_MS = 30_000;
/** Milliseconds after a failure during which the hook is not called for the session, so that its pages do not wait. */
const RETRY_DELAY_MS = 5_000;
const MAX_CACHED_SESSIONS = 5_000;
/** Maximum length of session cookies that are used as a cache key, in characters. */
const MAX_CACHED_COOKIE_LENGTH = 2_000;

function callCustomerHook(
  hook: CustomerHook,
  log: Pick<Log, "recurring">,
  request: Request,
): Promise<SignedIn | undefined> {
  return callHook(
    "customer.find",
    log,
    (hookCall) => hook.find(request, hookCall),
    (answer) => v.parse(customerSchema, answer) as SignedIn | undefined,
  );
}

const textSchema = v.pipe(v.string(), v.maxLength(255));

const customerSchema = v.message(
  v.optional(
    v.object({
      id: v.pipe(textSchema, v.minLength(1)),
      email: textSchema,
      firstName: v.optional(textSchema),
      lastName: v.optional(textSchema),
      phone: v.optional(textSchema),
      tags: v.optional(v.array(textSchema)),
    }),
  ),
  "invalid result: return undefined, or a customer { id, email, … } with string values",
);
