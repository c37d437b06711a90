import type { Shop } from "../../../shop.ts";
import { visitorToken } from "../../sessions/csrf-session.ts";
import { jsonReply, type Reply } from "../../wire/reply.ts";
import type { StoreRequest } from "../../wire/request.ts";

/** Handles `GET /api/csrf`: returns the visitor's token in a header and a readable cookie.  @see spec 4.9 */
export function issueCsrfToken(shop: Pick<Shop, "keys" | "process">, request: StoreRequest): Reply {
  const { token, cookies } = visitorToken(shop, request);
  return jsonReply(200, {}, { "x-csrf-token": token, "set-cookie": cookies });
}
