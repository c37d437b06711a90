import type { Shop } from "../../shop.ts";
import { cookieValues, hostCookie } from "../wire/cookies.ts";
import type { StoreRequest } from "../wire/request.ts";
import { namesCustomer } from "./customer-session.ts";

/** Whether the caller has nothing here by which pages differ: no cookie that may open a cart or name a customer. */
export function isStranger(shop: Pick<Shop, "hooks">, request: Pick<StoreRequest, "headers" | "isSecure">): boolean {
  return cookieValues(request, hostCookie(request, "cart")).length === 0 && !namesCustomer(shop, request);
}
