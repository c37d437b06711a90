import { emptyCart } from "../../../cart/cart.ts";
import { dependsOnOtherOrders } from "../../../cart/price-cart.ts";
import type { Shop } from "../../../shop.ts";
import type { Snapshot } from "../../../snapshot/snapshot.ts";
import type { CartResponseCache } from "../../cart/cart-response-cache.ts";
import { findCart, priceFor, sectionsOf } from "../../cart/load-cart.ts";
import { snapshotFor } from "../../checkout/own-holds.ts";
import { issueJson } from "../../json/cart-json.ts";
import { type CartTexts, cartMembers } from "../../json/cart-text.ts";
import { inertJson, JsonText } from "../../json/inert-json.ts";
import { parseSections, sectionsMember } from "../../sections/bundled-sections.ts";
import { readCartId } from "../../sessions/cart-session.ts";
import { knownToken } from "../../sessions/csrf-session.ts";
import { namesCustomer, readCustomer } from "../../sessions/customer-session.ts";
import { ByteString, utf8 } from "../../wire/byte-string.ts";
import { json, type Reply } from "../../wire/reply.ts";
import { localePrefix, type StoreRequest } from "../../wire/request.ts";

/** `GET /cart.js`, `GET /cart.json`. @see spec 4.2, 4.8 */
export async function cartRead(
  shop: Pick<Shop, "config" | "snapshot" | "carts" | "checkouts" | "process" | "keys" | "hooks" | "theme">,
  { responses, cartTexts }: { readonly responses: CartResponseCache; readonly cartTexts: CartTexts },
  request: StoreRequest,
): Promise<Reply> {
  const asked = parseSections(request, shop);
  const snapshot = await snapshotFor(shop, request);
  const customer = await readCustomer(shop, request, snapshot.catalog);
  const cart = await findCart(shop, request);
  const { locale } = request;
  const view = { snapshot, locale };
  // Store credit belongs to the customer; hooks may set other prices at any time.
  const dependsOnCartAlone =
    customer === undefined && !shop.hooks.cartTerms.isEnabled && !dependsOnOtherOrders(cart, snapshot);
  const known = dependsOnCartAlone && asked.ids.length === 0 ? responses.get(cart, view) : undefined;
  if (known !== undefined) return known;
  const read = shop.snapshot().stock.watch();
  const priced = await priceFor(shop, cart, snapshot, customer, request);
  const prefix = localePrefix(locale, shop.config.locales);
  const members = cartMembers(cartTexts.of(priced, { locale, prefix }));
  const issues = inertJson(priced.issues.map(issueJson));
  const shown = `${members},"issues":${issues}`;
  if (asked.ids.length === 0) {
    const reply: Reply = { ...json(200, new JsonText(`{${shown}}`)), compress: "fast" };
    if (!dependsOnCartAlone) return reply;
    const reuse = (other: StoreRequest): Reply | undefined => findCached(shop, responses, other, snapshot);
    const cachePolicy = { source: snapshot, bytes: 0, reuse };
    const cached = { ...reply, body: Buffer.from(String(reply.body)), cachePolicy };
    responses.set(cart, view, cached, read());
    return cached;
  }
  const csrfToken = knownToken(shop, request);
  const sections = await sectionsOf(shop, request, { asked, snapshot, customer, priced, csrfToken });
  return json(200, new ByteString(`{${utf8(shown)}${sectionsMember(sections)}}`));
}

/** The cached response for the cart that the request's own cookie names, if that cart is in memory. */
function findCached(
  shop: Pick<Shop, "keys" | "carts" | "hooks">,
  responses: CartResponseCache,
  request: StoreRequest,
  snapshot: Snapshot,
): Reply | undefined {
  if (namesCustomer(shop, request)) return undefined;
  const id = readCartId(shop, request);
  const cart = id === undefined ? emptyCart : shop.carts.findCached?.(id);
  if (cart === undefined || dependsOnOtherOrders(cart, snapshot)) return undefined;
  return responses.get(cart, { snapshot, locale: request.locale });
}
