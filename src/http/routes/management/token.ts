import { type BearerServices, requireToken } from "../../sessions/bearer-session.ts";
import { createJsonReply, type Reply } from "../../wire/reply.ts";
import type { StoreRequest } from "../../wire/request.ts";

/**
 * Handles `GET /api/token`: returns the scopes of the token in the request, so that a new client can check its token.
 */
export async function showToken(shop: BearerServices, request: StoreRequest): Promise<Reply> {
  const { id, name, scopes } = await requireToken(shop, request);
  return createJsonReply(200, { id, name, scopes });
}
