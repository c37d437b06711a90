import type { HookCall } from "./hook-call.ts";

/** A login of the merchant that does not sign the `customer` cookie for the shop. */
export interface CustomerHook {
  /** Cookies that identify a session. Without any of them, the visitor is anonymous and the hook is not called. */
  readonly cookies: readonly string[];
  /**
   * Returns the customer, or undefined for an anonymous visitor. The result is cached for half a minute.
   * @param request the visitor's, without body, with only those cookies
   */
  find(request: Request, call: HookCall): Promise<SignedIn | undefined> | SignedIn | undefined;
}

/** A signed-in customer. Undefined fields are taken from the customer with that id in the catalog. */
export interface SignedIn {
  readonly id: string;
  readonly email: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly phone?: string;
  readonly tags?: readonly string[];
}
