import type { Shop } from "../../shop.ts";
import { parseSections } from "../bundled-sections.ts";
import { cartJson, issueJson } from "../cart-json.ts";
import { knownToken } from "../csrf-session.ts";
import { readCustomer } from "../customer-session.ts";
import { findCart, priceFor, sectionsOf } from "../load-cart.ts";
import { json, type Reply } from "../reply.ts";
import { localePrefix, type StoreRequest } from "../request.ts";

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
