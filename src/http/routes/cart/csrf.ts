import type { Shop } from "../../../shop.ts";
import { getVisitorToken } from "../../sessions/csrf-session.ts";
import { createJsonReply, type Reply } from "../../wire/reply.ts";
import type { StoreRequest } from "../../wire/request.ts";

/** Handles `GET /api/csrf`: returns the visitor's token in a header and a readable cookie.  @see spec 4.9 */
export function issueCsrfToken(shop: Pick<Shop, "keys" | "process">, request: StoreRequest): Reply {
  const { token, cookies } = getVisitorToken(shop, request);
  return createJsonReply(200, {}, { "x-csrf-token": token, "set-cookie": cookies });
}
