import { type Cart, emptyCart, type Issue } from "../cart/cart.ts";
import { editCart, type StoredCart } from "../cart/cart-store.ts";
import type { Edit, EditContext } from "../cart/edit-context.ts";
import { mergeIssues } from "../cart/price-cart.ts";
import type { Customer } from "../catalog/customer.ts";
import { Problem } from "../problem.ts";
import type { Shop } from "../shop.ts";
import type { Snapshot } from "../snapshot.ts";
import type { Body } from "./body.ts";
import { readWriteBody } from "./body.ts";
import { type AskedSections, parseSections } from "./bundled-sections.ts";
import { cartJson, issueJson } from "./cart-json.ts";
import { cartCookie, firstWriteKey, requireCartId } from "./cart-session.ts";
import { checkWrite } from "./csrf-session.ts";
import { readCustomer } from "./customer-session.ts";
import { withDeadline } from "./deadline.ts";
import { checkRevision } from "./if-match.ts";
import { priceFor, sectionsOf } from "./load-cart.ts";
import { json, type Reply } from "./reply.ts";
import { localePrefix, type StoreRequest } from "./request.ts";

export type WriteShop = Pick<Shop, "config" | "snapshot" | "carts" | "theme" | "keyring" | "log" | "newId">;

/** A write of the cart as its endpoint describes it. */
export interface CartWrite {
  /** No body at all is an empty object. */
  readonly mayLackBody?: boolean;
  /** The edit that a body asks for; it is checked here, before the cart is looked at. @throws Problem `validation_failed` */
  readonly parse: (body: Body) => (cart: StoredCart, at: EditContext) => Edit<StoredCart>;
  /** Fields of the answer beside the cart's own. */
  readonly extra?: (touched: readonly string[], cart: Record<string, unknown>) => Record<string, unknown>;
}

/** Every write of the main cart: who writes, what, the edit, the commit, and the cart as it is then with the sections asked for.
 *  @see spec 4.3 to 4.6, 4.8, 5 */
export async function writeCart(shop: WriteShop, request: StoreRequest, write: CartWrite): Promise<Reply> {
  const csrfToken = checkWrite(shop, request);
  const cookieId = requireCartId(shop, request, "cart");
  const body = await readWriteBody(request, shop.config.compat, write.mayLackBody);
  const asked = parseSections(request, shop, body);
  const edit = write.parse(body);
  const snapshot = shop.snapshot();
  const customer = await readCustomer(shop, request, snapshot.catalog);
  const at = editContext(shop, request, snapshot, customer);

  let seen: Cart = emptyCart;
  const checkedEdit = (cart: StoredCart): Edit<StoredCart> => {
    seen = cart;
    checkRevision(request, cart.revision);
    return edit(cart, at);
  };
  const show = (cart: Cart, issues: readonly Issue[]): Promise<Record<string, unknown>> =>
    showCart(shop, request, { cart, issues, asked, snapshot, customer });
  try {
    const edited = await withDeadline(editOwnCart(shop, request, cookieId, csrfToken, checkedEdit));
    const shown = await show(edited.cart, edited.issues);
    const extra = write.extra?.(edited.touched, shown) ?? {};
    const isMade = edited.cart.revision > 0;
    return json(
      200,
      { ...shown, ...extra },
      isMade ? { "set-cookie": [cartCookie(shop, request, "cart", edited.cart)] } : {},
    );
  } catch (error) {
    if (!(error instanceof Problem) || !bearsCart.has(error.code)) throw error;
    const { cart, issues, sections } = await show(seen, (error.detail.issues as readonly Issue[] | undefined) ?? []);
    throw new Problem(error.code, error.message, error.fields, {
      reply: { issues, cart, ...(sections ? { sections } : {}) },
    });
  }
}

/** What cart edits may look at in this request. */
export function editContext(
  shop: Pick<Shop, "config" | "newId">,
  request: StoreRequest,
  { catalog }: Pick<Snapshot, "catalog">,
  customer: Customer | undefined,
): EditContext {
  const { currency, cart } = shop.config;
  const { maxLines, maxQuantity } = cart;
  return {
    catalog,
    currency,
    maxLines,
    maxQuantity,
    signedIn: customer !== undefined,
    now: request.now,
    newKey: shop.newId,
  };
}

/** Refusals that show the cart as it is, so that a theme can refresh in one round trip. */
const bearsCart: ReadonlySet<string> = new Set(["insufficient_stock", "out_of_stock", "cart_changed"]);

async function editOwnCart(
  shop: Pick<Shop, "carts" | "keyring" | "newId">,
  request: StoreRequest,
  cookieId: string | undefined,
  csrfToken: string,
  edit: (cart: StoredCart) => Edit<StoredCart>,
): Promise<Edit<StoredCart>> {
  const fresh = { id: cookieId ?? shop.newId(), checkoutId: shop.newId() };
  if (cookieId !== undefined) return editCart(shop.carts, fresh, request.now, edit);
  // A write that is refused or changes nothing leaves no trace: see what it would do to a new cart first.
  const empty = { ...emptyCart, ...fresh };
  const tried = edit(empty);
  if (tried.cart === empty) return tried;
  const id = await shop.carts.claimFirst(firstWriteKey(shop, csrfToken), fresh.id, request.now);
  return editCart(shop.carts, { ...fresh, id }, request.now, edit);
}

/** The cart as mutations answer it. @see spec 2.3 */
async function showCart(
  shop: WriteShop,
  request: StoreRequest,
  state: {
    readonly cart: Cart;
    readonly issues: readonly Issue[];
    readonly asked: AskedSections;
    readonly snapshot: Snapshot;
    readonly customer: Customer | undefined;
  },
): Promise<Record<string, unknown>> {
  const { cart, issues, asked, snapshot, customer } = state;
  const { locale, now } = request;
  const priced = priceFor(shop, cart, snapshot, customer, now);
  const prefix = localePrefix(locale, shop.config.locales);
  const shown = cartJson(priced, { locale, prefix, maxQuantity: shop.config.cart.maxQuantity });
  return {
    ...shown,
    cart: shown,
    issues: mergeIssues(issues, priced.issues).map(issueJson),
    ...(await sectionsOf(shop, request, { asked, snapshot, customer, priced })),
  };
}
