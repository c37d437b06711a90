import type { Shop } from "../../shop.ts";
import { cookieValues, hostCookie } from "../wire/cookies.ts";
import type { StoreRequest } from "../wire/request.ts";
import { namesCustomer } from "./customer-session.ts";

/** Whether no cookie of the request can open a cart or identify a customer: all such visitors get the same pages. */
export function isAnonymous(shop: Pick<Shop, "hooks">, request: Pick<StoreRequest, "headers" | "isSecure">): boolean {
  return cookieValues(request, hostCookie(request, "cart")).length === 0 && !namesCustomer(shop, request);
}
