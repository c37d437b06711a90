import type { HookCall } from "./hook-call.ts";

/** A login of the merchant's own, where it signs no cookie `customer` for the shop. */
export interface CustomerHook {
  /** Names of the cookies that tell who is signed in. Who sends none of them is nobody, and is not asked about. */
  readonly cookies: readonly string[];
  /** Who this is; undefined: nobody. What it answers counts for half a minute.
   *  @param request the visitor's, without a body and with those cookies alone */
  find(request: Request, call: HookCall): Promise<SignedIn | undefined> | SignedIn | undefined;
}

/** A customer who is signed in. Fields of a customer with that id in the catalogue stand where these are absent. */
export interface SignedIn {
  readonly id: string;
  readonly email: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly phone?: string;
  readonly tags?: readonly string[];
}
