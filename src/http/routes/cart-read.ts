import type { Shop } from "../../shop.ts";
import { findCart, priceFor, sectionsOf } from "../cart/load-cart.ts";
import { cartJson, issueJson } from "../json/cart-json.ts";
import { parseSections } from "../sections/bundled-sections.ts";
import { knownToken } from "../sessions/csrf-session.ts";
import { readCustomer } from "../sessions/customer-session.ts";
import { json, type Reply } from "../wire/reply.ts";
import { localePrefix, type StoreRequest } from "../wire/request.ts";

/** `GET /cart.js`, `GET /cart.json`. @see spec 4.2, 4.8 */
export async function cartRead(
  shop: Pick<
    Shop,
    "config" | "snapshot" | "carts" | "discountUses" | "turn" | "keyring" | "theme" | "log" | "searchRules"
  >,
  request: StoreRequest,
): Promise<Reply> {
  const asked = parseSections(request, shop);
  const snapshot = shop.snapshot();
  const customer = await readCustomer(shop, request, snapshot.catalog);
  const priced = await priceFor(shop, await findCart(shop, request), snapshot, customer, request.now);
  const { locale } = request;
  const cart = cartJson(priced, { locale, prefix: localePrefix(locale, shop.config.locales) });
  const shown = { ...cart, issues: priced.issues.map(issueJson) };
  if (asked.ids.length === 0) return { ...json(200, shown), compress: "fast" };
  const csrfToken = knownToken(shop, request);
  return json(200, {
    ...shown,
    ...(await sectionsOf(shop, request, { asked, snapshot, customer, priced, csrfToken })),
  });
}
