import { cookieValues, hostCookie } from "../wire/cookies.ts";
import type { StoreRequest } from "../wire/request.ts";

/** Whether the caller has nothing here by which pages differ: no cookie that may open a cart or name a customer. */
export function isStranger(request: Pick<StoreRequest, "headers" | "isSecure">): boolean {
  return (
    cookieValues(request, hostCookie(request, "cart")).length === 0 && cookieValues(request, "customer").length === 0
  );
}
