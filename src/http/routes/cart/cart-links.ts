import { createCartIds } from "../../../cart/cart-ids.ts";
import type { StoredCart } from "../../../cart/cart-store.ts";
import { addItems } from "../../../cart/edits/add-items.ts";
import { updateCart } from "../../../cart/edits/cart-edits.ts";
import type { Edit, EditContext } from "../../../cart/edits/edit-context.ts";
import { normalizeCode } from "../../../catalog/rows/parse-offers.ts";
import { toCheckoutPath } from "../../../checkout/checkout.ts";
import { createFieldProblem, Problem } from "../../../problem.ts";
import { parseSameStorePath } from "../../../security/same-store-path.ts";
import { formatTestCheckoutQuery, isTestOrderLink, TEST_ORDER_PARAM } from "../../../security/test-order-link.ts";
import { type Body, parseJson } from "../../bodies/body.ts";
import { parseAddItems } from "../../cart/add-bodies.ts";
import { MAX_CODES, parseCodes, parseUpdate } from "../../cart/cart-bodies.ts";
import { createEditContext, type WriteServices } from "../../cart/cart-write.ts";
import { createCodeAttemptLimit } from "../../cart/code-attempts.ts";
import { priceCartAfterWrite } from "../../cart/load-cart.ts";
import { isShopperNavigation } from "../../cart/write-links.ts";
import { FORM_PARAM_PREFIX } from "../../checkout/order-form.ts";
import { createCartCookie, readCartId } from "../../sessions/cart-session.ts";
import { readCustomer } from "../../sessions/customer-session.ts";
import { type Reply, redirect } from "../../wire/reply.ts";
import { formatLocalePrefix, type StoreRequest } from "../../wire/request.ts";

/**
 * Applies the cart change that a link to the shop requests. Other sites may contain such links, so each invalid
 * discount code counts toward the rate limit that prevents guessing codes.
 * @param target.id id of the shopper's cart. Default: a new cart
 * @param target.isTest whether the cart is for a test order. It is then in the main database, with its order, so that
 * both are deleted together
 * @returns the changed cart
 */
export async function editCartByLink(
  shop: WriteServices,
  request: StoreRequest,
  target: { readonly id: string | undefined; readonly isTest?: boolean },
  edit: (cart: StoredCart, context: EditContext) => Edit<StoredCart>,
): Promise<StoredCart> {
  const snapshot = shop.snapshot();
  const customer = await readCustomer(shop, request, snapshot.catalog);
  const codeAttempts = createCodeAttemptLimit(shop, request, target.id);
  const context = createEditContext(shop, request, snapshot, customer, codeAttempts.canTry);
  const ids = createCartIds(shop, request.now, { id: target.id, isInMainDatabase: target.isTest });
  const writeTiming = { now: request.now, startDeadline: shop.carts.startDeadline() };
  const { cart } = await shop.carts.edit(ids, writeTiming, (cart) => edit(cart, context));
  if (cart.discountCodes.length > 0)
    codeAttempts.countWrongCodes((await priceCartAfterWrite(shop, cart, context)).inapplicable);
  return cart;
}

/** Parses the discount code in a link. Returns undefined for an invalid code. */
export function parseCodeInUrl(text: string): string | undefined {
  try {
    return parseCodes({ discount: [text] }).discountCodes?.[0];
  } catch {
    return undefined;
  }
}

/**
 * Handles `GET /discount/<code>`: applies the code to the shopper's cart and redirects to the path in `?redirect=`.
 * Default: the home page. Emails link here, so no CSRF token is required. The worst that a forged request can do is
 * lower a price.
 */
export async function handleDiscountLink(shop: WriteServices, request: StoreRequest): Promise<Reply> {
  const prefix = formatLocalePrefix(request.locale, shop.config.locales);
  const nextPath = parseSameStorePath(request.query.get("redirect") ?? "") ?? `${prefix}/`;
  const code = parseCodeInUrl(request.params.code ?? "");
  if (code === undefined || !isShopperNavigation(request)) return redirect(303, nextPath);
  const { id } = await editCartByLink(shop, request, { id: readCartId(shop, request) }, (cart, context) =>
    updateCart(cart, { discountCodes: addCode(cart.discountCodes, code) }, context),
  );
  return redirect(303, nextPath, { "set-cookie": createCartCookie(shop, request, "cart", { id }) });
}

/**
 * Handles `GET /cart/<variant>:<quantity>,…`: creates a new checkout with these items. `discount` is a code, `note` the
 * note of the order, and `properties` a JSON object in base64url for the first item. Parameters such as
 * `checkout[email]` fill in the form of the checkout. With `storefront=true`, the items are put in the shopper's cart if
 * it is empty. A cart with items never changes, because emails and other sites link here, without a CSRF token. A signed
 * link of the console opens the checkout of a test order.
 * @throws Problem `not_found` if a link for a test order is invalid or expired
 */
export async function handlePermalink(shop: WriteServices, request: StoreRequest): Promise<Reply> {
  const { query } = request;
  const prefix = formatLocalePrefix(request.locale, shop.config.locales);
  if (!isShopperNavigation(request)) return redirect(303, `${prefix}/cart`);
  const testToken = query.get(TEST_ORDER_PARAM);
  if (testToken !== null && !isTestOrderLink(shop.keys, testToken, request.now))
    throw new Problem("not_found", "This link for a test order has expired. Start a new one in the console.");
  const properties = query.get("properties");
  const [firstItem, ...otherItems] = parseItems(request.params.items ?? "");
  const bodies = [{ ...firstItem, ...(properties === null ? {} : { properties: parseProperties(properties) }) }];
  const items = parseAddItems({ items: [...bodies, ...otherItems] }, shop.config.cart.maxQuantity);
  const code = parseCodeInUrl(query.get("discount") ?? "");
  const note = query.get("note");
  const changes = note === null ? {} : parseUpdate({ note });
  const fillCart = (cart: StoredCart, context: EditContext): Edit<StoredCart> => {
    const discountCodes = code === undefined ? {} : { discountCodes: addCode(cart.discountCodes, code) };
    return updateCart(addItems(cart, items, context).cart, { ...changes, ...discountCodes }, context);
  };
  if (query.get("storefront") === "true" && testToken === null) {
    let isFilled = false;
    const { id } = await editCartByLink(shop, request, { id: readCartId(shop, request) }, (cart, context) => {
      isFilled = cart.lines.length === 0;
      return isFilled ? fillCart(cart, context) : { cart, issues: [], changedKeys: [] };
    });
    if (isFilled)
      return redirect(303, `${prefix}/cart`, { "set-cookie": createCartCookie(shop, request, "cart", { id }) });
  }
  const cart = await editCartByLink(shop, request, { id: undefined, isTest: testToken !== null }, fillCart);
  const testQuery = testToken === null ? "" : formatTestCheckoutQuery(shop.keys, cart.checkoutId, request.now);
  const formParams = new URLSearchParams([...query].filter(([name]) => name.startsWith(FORM_PARAM_PREFIX)));
  const formQuery = formParams.size === 0 ? "" : `${testQuery === "" ? "?" : "&"}${formParams}`;
  return redirect(303, `${toCheckoutPath(prefix, cart.checkoutId)}${testQuery}${formQuery}`);
}

/** Adds a code to the codes of a cart, in place of the same code in another spelling. */
function addCode(codes: readonly string[], code: string): readonly string[] {
  const otherCodes = codes.filter((otherCode) => normalizeCode(otherCode) !== normalizeCode(code));
  return [...otherCodes, code].slice(-MAX_CODES);
}

/** Parses the properties in a link.  @throws Problem `validation_failed` */
function parseProperties(text: string): Body {
  try {
    return parseJson(Buffer.from(text, "base64url"));
  } catch {
    throw createFieldProblem("properties", "json", "Properties are a JSON object in base64url.");
  }
}

/**
 * Parses the items in a link like "21:2,11:1", which contains variant ids and quantities. An id may contain colons, but
 * a quantity cannot.
 */
function parseItems(text: string): readonly Body[] {
  return text.split(",").map((item) => {
    const colonIndex = item.lastIndexOf(":");
    return { id: item.slice(0, colonIndex), quantity: item.slice(colonIndex + 1) };
  });
}
