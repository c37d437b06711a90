import { emptyCart } from "../../../cart/cart.ts";
import { dependsOnOtherOrders } from "../../../cart/price-cart.ts";
import type { Shop } from "../../../shop.ts";
import type { Snapshot } from "../../../snapshot/snapshot.ts";
import type { KeptCartAnswers } from "../../cart/kept-answers.ts";
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
  shop: Pick<
    Shop,
    | "config"
    | "snapshot"
    | "stock"
    | "carts"
    | "discountUses"
    | "checkouts"
    | "orders"
    | "scheduler"
    | "keyring"
    | "signIns"
    | "cartTerms"
    | "theme"
    | "log"
    | "searchRules"
  >,
  { answers, cartTexts }: { readonly answers: KeptCartAnswers; readonly cartTexts: CartTexts },
  request: StoreRequest,
): Promise<Reply> {
  const asked = parseSections(request, shop);
  const snapshot = await snapshotFor(shop, request);
  const customer = await readCustomer(shop, request, snapshot.catalog);
  const cart = await findCart(shop, request);
  const { locale, now } = request;
  const at = { snapshot, locale, now };
  // Store credit belongs to the customer; hooks may set other prices at any time.
  const dependsOnCartAlone =
    customer === undefined && !shop.cartTerms.areThere && !dependsOnOtherOrders(cart, snapshot);
  const known = dependsOnCartAlone && asked.ids.length === 0 ? answers.find(cart, at) : undefined;
  if (known !== undefined) return known;
  const read = shop.stock.watch();
  const priced = await priceFor(shop, cart, snapshot, customer, request);
  const prefix = localePrefix(locale, shop.config.locales);
  const members = cartMembers(cartTexts.of(priced, { locale, prefix }));
  const issues = inertJson(priced.issues.map(issueJson));
  const shown = `${members},"issues":${issues}`;
  if (asked.ids.length === 0) {
    const reply: Reply = { ...json(200, new JsonText(`{${shown}}`)), compress: "fast" };
    if (!dependsOnCartAlone) return reply;
    const again = (other: StoreRequest): Reply | undefined => keptAnswer(shop, answers, other, snapshot);
    const kept = { ...reply, body: Buffer.from(String(reply.body)), keep: { source: snapshot, bytes: 0, again } };
    answers.keep(cart, at, kept, read());
    return kept;
  }
  const csrfToken = knownToken(shop, request);
  const sections = await sectionsOf(shop, request, { asked, snapshot, customer, priced, csrfToken });
  return json(200, new ByteString(`{${utf8(shown)}${sectionsMember(sections)}}`));
}

/** The answer to who reads a cart that is in memory and was read before; whose it is, their own cookie says each time. */
function keptAnswer(
  shop: Pick<Shop, "keyring" | "carts" | "signIns">,
  answers: KeptCartAnswers,
  request: StoreRequest,
  snapshot: Snapshot,
): Reply | undefined {
  if (namesCustomer(shop, request)) return undefined;
  const id = readCartId(shop, request);
  const cart = id === undefined ? emptyCart : shop.carts.remembered?.(id);
  if (cart === undefined || dependsOnOtherOrders(cart, snapshot)) return undefined;
  const { locale, now } = request;
  return answers.find(cart, { snapshot, locale, now });
}
