import { Problem } from "../../problem.ts";
import type { ApiToken } from "../../security/api-token.ts";
import { hashToken, parseBearerToken, type TokenScope } from "../../security/api-token.ts";
import type { Shop } from "../../shop.ts";
import { awaitWithDeadline } from "../deadline.ts";
import { findAddressBlock } from "../wire/address-block.ts";
import type { StoreRequest } from "../wire/request.ts";

export type BearerServices = Pick<Shop, "config" | "management" | "limits">;

/**
 * Authenticates an API client by the token in the `Authorization` header. Cookies are ignored, so other sites cannot
 * use a visitor's browser to call the API.
 * @param scope required scope. Default: any valid token
 * @throws Problem `unauthorized`, `insufficient_scope`, `rate_limited`, `cart_service_unavailable`
 */
export async function requireToken(
  shop: BearerServices,
  request: Pick<StoreRequest, "headers" | "client" | "now">,
  scope?: TokenScope,
): Promise<ApiToken> {
  const sentToken = parseBearerToken(request.headers.authorization);
  const token =
    sentToken === undefined
      ? undefined
      : await awaitWithDeadline(shop.management.tokens.find(hashToken(sentToken), request.now));
  if (token === undefined) {
    const address = findAddressBlock(request.client.address);
    if (!shop.limits.consume("wrong token by address", address, request.now))
      throw new Problem("rate_limited", "Too many invalid tokens were sent from this address. Wait a minute.");
    throw new Problem(
      "unauthorized",
      sentToken === undefined
        ? 'Send a token that "vitrine token create" made: "Authorization: Bearer vitrine_…".'
        : 'The token is unknown, revoked, or expired; "vitrine token list" shows valid tokens.',
    );
  }
  if (!shop.limits.consume("API call by token", token.id, request.now))
    throw new Problem("rate_limited", "Too many requests with this token: batch them, or send fewer.", [], {
      retryAfter: 1,
    });
  // A stolen console token must not allow changes through the API, where no second factor is checked.
  if (shop.config.consoleSecondFactor && token.scopes.includes("console"))
    throw new Problem(
      "insufficient_scope",
      'The token is for the console, which requires a second factor. Create a token without the scope "console" for programs.',
      [],
      { scope: scope ?? "" },
    );
  if (scope !== undefined && !token.scopes.includes(scope))
    throw new Problem("insufficient_scope", `The token lacks the scope "${scope}".`, [], { scope });
  return token;
}
