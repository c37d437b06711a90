import { type Cart, emptyCart, type Issue } from "../../cart/cart.ts";
import type { StoredCart } from "../../cart/cart-store.ts";
import type { Edit, EditContext } from "../../cart/edits/edit-context.ts";
import { mergeIssues } from "../../cart/price-cart.ts";
import type { PricedCart } from "../../cart/priced-cart.ts";
import type { Customer } from "../../catalog/customer.ts";
import { takenOff } from "../../checkout/discount-uses.ts";
import { Problem } from "../../problem.ts";
import type { Shop } from "../../shop.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import type { Body } from "../bodies/body.ts";
import { readWriteBody } from "../bodies/body.ts";
import { withDeadline } from "../deadline.ts";
import { cartJson, issueJson } from "../json/cart-json.ts";
import { type AskedSections, parseSections } from "../sections/bundled-sections.ts";
import { cartCookie, firstWriteKey, requireCartId } from "../sessions/cart-session.ts";
import { checkWrite } from "../sessions/csrf-session.ts";
import { readCustomer } from "../sessions/customer-session.ts";
import { json, type Reply } from "../wire/reply.ts";
import { localePrefix, type StoreRequest } from "../wire/request.ts";
import { applyWrite, type Visit, type WriteAnswer } from "./apply-write.ts";
import { type CodeTries, codeTries } from "./code-tries.ts";
import { checkRevision } from "./if-match.ts";
import { priceWritten, sectionsOf, turnFor } from "./load-cart.ts";
import { readKeyHeader, writeKey } from "./write-key.ts";

export type WriteShop = Pick<
  Shop,
  | "config"
  | "snapshot"
  | "carts"
  | "cartWriter"
  | "discountUses"
  | "turn"
  | "wrongCodes"
  | "theme"
  | "keyring"
  | "log"
  | "newId"
  | "searchRules"
  | "feedback"
>;

/** A write of the cart as its endpoint describes it. */
export interface CartWrite {
  /** No body at all is an empty object. */
  readonly mayLackBody?: boolean;
  /** Forms are read whatever the settings say: the path is made for them. */
  readonly takesForms?: boolean;
  /** The edit that a body asks for; it is checked here, before the cart is looked at. @throws Problem `validation_failed` */
  readonly parse: (body: Body) => (cart: StoredCart, at: EditContext) => Edit<StoredCart>;
  /** Fields of the answer beside the cart's own. */
  readonly extra?: (touched: readonly string[], cart: Record<string, unknown>) => Record<string, unknown>;
}

/** Every write of the main cart: who writes, what, the edit, the commit, and the cart as it is then with the sections asked for.
 *  With an `Idempotency-Key` it is applied once and answered alike each time; the sections show the cart of the moment.
 *  @see spec 4.3 to 4.6, 4.8, 5 */
export async function writeCart(shop: WriteShop, request: StoreRequest, write: CartWrite): Promise<Reply> {
  const forms = write.takesForms === true || shop.config.compat.forms;
  const writer = await checkWrite(shop, request, forms);
  const { csrfToken } = writer;
  const cookieId = requireCartId(shop, request, "cart");
  const keyHeader = readKeyHeader(request);
  const body = await readWriteBody(request, { forms }, write.mayLackBody);
  const asked = parseSections(request, shop, body);
  if (asked.ids.length > 0) request.admit("renders");
  const edit = write.parse(body);
  const snapshot = shop.snapshot();
  const customer = await readCustomer(shop, request, snapshot.catalog);
  const tries = codeTries(shop, request, cookieId);
  const at = editContext(shop, request, snapshot, { customer, tries });
  const key = keyHeader && writeKey(shop, request, { key: keyHeader, body, kind: "cart", writer });

  let seen: Cart = emptyCart;
  const view = { asked, snapshot, customer, csrfToken };
  const visit: Visit = {
    cookieId,
    firstWriteKey: firstWriteKey(shop, writer),
    edit: (cart) => {
      seen = cart;
      checkRevision(request, cart.revision);
      return edit(cart, at);
    },
    answer: async ({ cart, issues, touched }) => {
      const { priced, ...shown } = await showCart(shop, request, { ...view, cart, issues });
      tries.settle(priced.inapplicable);
      return { ...shown, extra: write.extra?.(touched, shown.cart) ?? {} };
    },
    ...(key ? { key } : {}),
  };
  try {
    const { cartId, answer, cart } = await applyWrite(shop, request, visit);
    if (seen.discountCodes.length > 0) await releaseUses(shop, snapshot, seen, cart);
    const sections = await showSections(shop, request, { ...view, cart });
    // Several carts may be committed in one turn.
    await turnFor(shop, Number(answer.cart.line_count));
    return json(
      200,
      { ...answer.cart, cart: answer.cart, issues: answer.issues, ...sections, ...answer.extra },
      cartId === undefined ? {} : { "set-cookie": [cartCookie(shop, request, "cart", { id: cartId })] },
    );
  } catch (error) {
    if (!(error instanceof Problem) || !bearsCart.has(error.code)) throw error;
    const issues = (error.detail.issues as readonly Issue[] | undefined) ?? [];
    const { priced: _, ...shown } = await showCart(shop, request, { ...view, cart: seen, issues });
    const sections = await showSections(shop, request, { ...view, cart: async () => seen });
    throw new Problem(error.code, error.message, error.fields, { reply: { ...shown, ...sections } });
  }
}

/** What cart edits may look at in this request. */
export function editContext(
  shop: Pick<Shop, "config" | "newId">,
  request: StoreRequest,
  { catalog }: Pick<Snapshot, "catalog">,
  caller: { readonly customer: Customer | undefined; readonly tries: CodeTries },
): EditContext {
  const { currency, cart } = shop.config;
  const { maxLines, maxQuantity } = cart;
  return {
    catalog,
    currency,
    maxLines,
    maxQuantity,
    signedIn: caller.customer !== undefined,
    now: request.now,
    newToken: shop.newId,
    mayTry: caller.tries.mayTry,
  };
}

/** Refusals that show the cart as it is, so that a theme can refresh in one round trip. */
const bearsCart: ReadonlySet<string> = new Set(["insufficient_stock", "out_of_stock", "cart_changed"]);

/** What a caller looks at besides their cart. */
interface View {
  readonly asked: AskedSections;
  readonly snapshot: Snapshot;
  readonly customer: Customer | undefined;
  readonly csrfToken: string;
}

/** The cart as mutations answer it. @see spec 2.3 */
async function showCart(
  shop: WriteShop,
  request: StoreRequest,
  { cart, issues, snapshot, customer }: View & { readonly cart: Cart; readonly issues: readonly Issue[] },
): Promise<Pick<WriteAnswer, "cart" | "issues"> & { readonly priced: PricedCart }> {
  const { locale } = request;
  const priced = await priceWritten(shop, cart, snapshot, customer, request.now);
  const prefix = localePrefix(locale, shop.config.locales);
  const shown = cartJson(priced, { locale, prefix });
  return { issues: mergeIssues(issues, priced.issues).map(issueJson), cart: shown, priced };
}

/** What is not released, as the database is away, lapses. */
async function releaseUses(
  { discountUses }: Pick<Shop, "discountUses">,
  { catalog }: Snapshot,
  before: Cart,
  cart: () => Promise<Cart>,
): Promise<void> {
  const { checkoutId } = before;
  if (checkoutId === undefined) return;
  const release = async (): Promise<void> => {
    const gone = takenOff(before, await cart(), catalog);
    await Promise.all(gone.map((discount) => discountUses.release(discount, checkoutId)));
  };
  await withDeadline(release()).catch(() => undefined);
}

/** The field `sections`; nothing where none were asked for. The write is done by now: where the cart cannot be read, all have failed.
 *  @see spec 4.8 */
async function showSections(
  shop: WriteShop,
  request: StoreRequest,
  { cart, asked, snapshot, customer, csrfToken }: View & { readonly cart: () => Promise<Cart> },
): Promise<object> {
  if (asked.ids.length === 0) return {};
  const shown = await withDeadline(cart()).catch(() => undefined);
  if (shown === undefined) return { sections: Object.fromEntries(asked.ids.map((id) => [id, null])) };
  const priced = await priceWritten(shop, shown, snapshot, customer, request.now);
  return sectionsOf(shop, request, { asked, snapshot, customer, priced, csrfToken });
}
