import { Problem } from "../../../problem.ts";
import type { Shop } from "../../../shop.ts";
import { readRemainingBalance } from "../../checkout/remaining-balance.ts";
import { findAddressBlock } from "../../wire/address-block.ts";
import type { Reply } from "../../wire/reply.ts";
import type { StoreRequest } from "../../wire/request.ts";
import { secretUrlHeaders } from "../../wire/security-headers.ts";
import { type PageServices, renderPage } from "./page.ts";

/**
 * Handles `GET /gift_cards/<code>` and `GET /gift_cards/<shop number>/<code>`: shows the balance of a gift card. Each
 * invalid code counts toward the rate limit that prevents guessing codes.
 * @throws Problem `rate_limited`
 */
export async function showGiftCard(shop: PageServices & Pick<Shop, "limits">, request: StoreRequest): Promise<Reply> {
  const address = findAddressBlock(request.client.address);
  if (!shop.limits.allows("wrong code by address", address, request.now))
    throw new Problem("rate_limited", "Too many attempts. Try again in a minute.");
  const card = shop.snapshot().catalog.giftCard(request.params.code ?? "");
  if (card === undefined) {
    shop.limits.countFailure("wrong code by address", address, request.now);
    return renderPage(shop, request, {});
  }
  const balance = await readRemainingBalance(shop, "gift_card", card.id, card.balance);
  const reply = await renderPage(shop, request, { giftCard: { card, balance } });
  return { ...reply, headers: { ...reply.headers, ...secretUrlHeaders } };
}
