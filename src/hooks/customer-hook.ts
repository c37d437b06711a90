import type { HookCall } from "./hook-call.ts";

/**
 * Connects the shop to the merchant's login system. Use this hook if that system cannot sign the shop's `customer`
 * cookie.
 */
export interface CustomerHook {
  /**
   * Names of the cookies that identify a session. A visitor without any of them is anonymous, and the hook is not
   * called.
   */
  readonly cookies: readonly string[];
  /**
   * Returns the customer, or undefined for an anonymous visitor. The result is cached for half a minute.
   * @param request the visitor's request without body, with only the session cookies
   */
  find(request: Request, hookCall: HookCall): Promise<SignedIn | undefined> | SignedIn | undefined;
}

/** A signed-in customer. Undefined fields are taken from the catalog's customer with the same id. */
export interface SignedIn {
  readonly id: string;
  readonly email: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly phone?: string;
  readonly tags?: readonly string[];
}
