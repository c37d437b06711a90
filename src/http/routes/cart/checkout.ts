import type { StoredCart } from "../../../cart/cart-store.ts";
import { buildHandoffUrl, toCheckoutPath } from "../../../checkout/checkout.ts";
import type { CheckoutSnapshot } from "../../../checkout/checkout-snapshot.ts";
import { Problem } from "../../../problem.ts";
import { formatOrderPath } from "../../../security/order-link.ts";
import { isTestCheckout, TEST_ORDER_PARAM } from "../../../security/test-order-link.ts";
import type { Shop } from "../../../shop.ts";
import type { OrderForm } from "../../../theme/checkout-pages.ts";
import { compareQuote, QUOTE_PARAM } from "../../agents/quotes.ts";
import { findCart, priceCartForRequest } from "../../cart/load-cart.ts";
import { isShopperNavigation } from "../../cart/write-links.ts";
import { type DeliveryServices, type DeliveryTerms, getDeliveryTerms } from "../../checkout/delivery-terms.ts";
import { ensureCheckout, type OpenCheckoutServices } from "../../checkout/open-checkout.ts";
import {
  destinationOf,
  FORM_PARAM_PREFIX,
  readLinkedForm,
  renderOrderForm,
  type SubmittedForm,
  toCustomerForm,
  toSubmittedDelivery,
} from "../../checkout/order-form.ts";
import { addCheckoutCookie, getSnapshot } from "../../checkout/session-reservations.ts";
import { awaitWithDeadline } from "../../deadline.ts";
import { setErrorStatus } from "../../error-responses.ts";
import { readCartId } from "../../sessions/cart-session.ts";
import { readCustomer } from "../../sessions/customer-session.ts";
import { type Reply, redirect } from "../../wire/reply.ts";
import { formatLocalePrefix, type StoreRequest } from "../../wire/request.ts";
import { type PageServices, renderNotFound, renderPage } from "../pages/page.ts";

/** Values and messages to show in the checkout form. */
type FormView = Pick<OrderForm, "notice" | "changes" | "currentPath"> & {
  readonly submittedForm?: SubmittedForm;
  readonly errors?: readonly string[];
  /** Shipping rates and taxes. If undefined, they are determined for the submitted address. */
  readonly terms?: DeliveryTerms;
};

export type CheckoutServices = PageServices & OpenCheckoutServices;

/** Handles `GET /checkout`: redirects to the checkout of the shopper's cart, or to the cart if it is empty. */
export async function startCheckout(
  shop: Pick<Shop, "config" | "carts" | "keys">,
  request: StoreRequest,
): Promise<Reply> {
  const cart = await findCart(shop, request);
  const prefix = formatLocalePrefix(request.locale, shop.config.locales);
  const hasCheckout = cart.lines.length > 0 && cart.checkoutId !== undefined;
  return redirect(303, hasCheckout ? toCheckoutPath(prefix, cart.checkoutId) : `${prefix}/cart`);
}

/**
 * Handles `GET /checkout/<id>`: shows the checkout with this unguessable id, or redirects to an external payment page.
 * Discount uses are reserved for some minutes. If the cart has changed since this checkout was created, the page still
 * shows the original content.
 */
export async function handleCheckout(shop: CheckoutServices, request: StoreRequest): Promise<Reply> {
  const { id = "" } = request.params;
  const [cart, storedCheckout] = await Promise.all([
    awaitWithDeadline(shop.carts.findByCheckout(id)),
    awaitWithDeadline(shop.checkouts.find(id)),
  ]);
  if (cart !== undefined && cart.lines.length > 0) {
    const notice = request.query.get("payment") === "failed" ? { notice: "payment_failed" as const } : {};
    const linkedForm = request.query.keys().some((name) => name.startsWith(FORM_PARAM_PREFIX))
      ? { submittedForm: readLinkedForm(request.query, request.locale) }
      : {};
    return showQuotedCheckout(shop, request, cart, { ...notice, ...linkedForm });
  }
  const completedCheckout =
    storedCheckout?.orderId !== undefined
      ? storedCheckout
      : await awaitWithDeadline(shop.checkouts.findCompletedCheckout(id));
  if (completedCheckout !== undefined) return showOrderPage(shop, request, completedCheckout);
  const prefix = formatLocalePrefix(request.locale, shop.config.locales);
  if (cart !== undefined) return redirect(303, `${prefix}/cart`);
  if (storedCheckout === undefined) return renderNotFound(shop, request);
  const currentCart = await awaitWithDeadline(shop.carts.findByCheckout(storedCheckout.cartCheckoutId));
  const currentPath = toCheckoutPath(prefix, storedCheckout.cartCheckoutId);
  if (currentCart?.revision === storedCheckout.revision) return redirect(303, currentPath);
  return renderCheckout(shop, request, { storedCheckout, notice: "changed", currentPath });
}

/** Renders the checkout page of a cart, or redirects to an external payment page. Only the redirect reserves stock. */
export async function showCheckout(
  shop: CheckoutServices,
  request: StoreRequest,
  cart: StoredCart,
  formView: FormView = {},
): Promise<Reply> {
  const { handoffUrl } = shop.config.checkout;
  const step = handoffUrl === undefined ? "view" : "pay";
  const kind = readCartId(shop, request, "buy_now") === cart.id ? "buy_now" : "cart";
  const snapshot = await getSnapshot(shop, request, kind);
  const customer = await readCustomer(shop, request, snapshot.catalog);
  if (request.isHead || !(request.method === "POST" || isShopperNavigation(request)))
    return renderPage(shop, request, {
      checkout: await priceCartForRequest(shop, cart, snapshot, customer, request),
      snapshot,
    });
  const result = await ensureCheckout(shop, request, cart, { snapshot, customer }, step);
  if ("orderedCheckout" in result) return showOrderPage(shop, request, result.orderedCheckout);
  if ("unavailableReason" in result) {
    const { pricedCart, unavailableReason } = result;
    const isPriceUnknown = unavailableReason === "price_unknown";
    const isLoginRequired = unavailableReason === "customer_required";
    const notice = isPriceUnknown ? "cost_unknown" : isLoginRequired ? "changed" : "out_of_stock";
    const action = toCheckoutPath(formatLocalePrefix(request.locale, shop.config.locales), cart.checkoutId);
    const form = renderOrderForm(shop, {
      priced: pricedCart,
      checkout: undefined,
      terms: undefined,
      action,
      locale: request.locale,
      now: request.now,
      notice,
      changes: pricedCart.issues.map(({ message }) => message),
    });
    return setErrorStatus(
      await renderPage(shop, request, { checkout: pricedCart, orderForm: form, snapshot }),
      isPriceUnknown ? "quote_unavailable" : "out_of_stock",
    );
  }
  const { checkout: storedCheckout, issues } = result;
  // The owner of the cart sees the address entered before a failed payment. Other visitors with the URL must not see
  // it, but a customer's own default address.
  const submittedForm =
    storedCheckout.content.delivery !== undefined && isBuyer(shop, request, storedCheckout)
      ? toSubmittedDelivery(storedCheckout.content)
      : toCustomerForm(shop, customer);
  // The page of an agent's link lists the changes since the agent read the cart instead.
  const changes =
    issues.length === 0 || request.query.has(QUOTE_PARAM) ? {} : { changes: issues.map(({ message }) => message) };
  const reply =
    handoffUrl === undefined
      ? await renderCheckout(shop, request, { storedCheckout, submittedForm, ...changes, ...formView })
      : redirect(303, buildHandoffUrl(handoffUrl, storedCheckout.id));
  return step === "pay" ? addCheckoutCookie(shop, request, reply, storedCheckout) : reply;
}

/**
 * Shows the checkout. If its link contains prices that an agent received, and these have changed, the page lists the
 * changes and has an error status.
 */
async function showQuotedCheckout(
  shop: CheckoutServices,
  request: StoreRequest,
  cart: StoredCart,
  formView: FormView,
): Promise<Reply> {
  const comparison = await compareQuote(shop, request, cart);
  if (comparison.result === "none") return showCheckout(shop, request, cart, formView);
  const { country } = comparison;
  const countryView = country === "" ? formView : { ...formView, submittedForm: { country } };
  if (comparison.result === "equal") return showCheckout(shop, request, cart, countryView);
  const { result, changes } = comparison;
  const notice = result === "items changed" ? "changed" : "delivery_changed";
  return setQuoteStatus(request, await showCheckout(shop, request, cart, { ...countryView, notice, changes }));
}

/** Sets the error status `quote_changed` of a page that lists changed prices, if the URL contains an agent's quote. */
export function setQuoteStatus(request: StoreRequest, page: Reply): Reply {
  return page.status === 200 && request.query.has(QUOTE_PARAM) ? setErrorStatus(page, "quote_changed") : page;
}

/**
 * Returns whether the order of this checkout will be a test order of the merchant. The path of the request must contain
 * the id of the checkout.
 * @throws Problem `not_found` if the token in the URL is invalid or expired, or an external page takes the payment
 */
export function isTestOrderRequest({ keys, config }: Pick<Shop, "keys" | "config">, request: StoreRequest): boolean {
  const token = request.query.get(TEST_ORDER_PARAM);
  if (token === null) return false;
  const { id = "" } = request.params;
  if (config.checkout.handoffUrl === undefined && isTestCheckout(keys, token, id, request.now)) return true;
  throw new Problem("not_found", "This link for a test order has expired. Start a new one in the console.");
}

/** Renders the page of a stored checkout, with the prices from the time when it was stored. */
export async function renderCheckout(
  shop: CheckoutServices,
  request: StoreRequest,
  {
    storedCheckout,
    terms: knownTerms,
    ...formView
  }: { readonly storedCheckout: CheckoutSnapshot } & FormView & Pick<OrderForm, "payment" | "returnPath">,
): Promise<Reply> {
  const { priced } = storedCheckout.content;
  const hasOtherPath = (formView.payment ?? formView.returnPath ?? formView.currentPath) !== undefined;
  const terms =
    knownTerms ??
    (hasOtherPath
      ? getStoredDeliveryTerms(storedCheckout)
      : await getFormDeliveryTerms(shop, request, storedCheckout, formView.submittedForm ?? {}));
  // If the page lists changes since the quote, submitting the form accepts them, so the form's URL has no quote.
  const quote = formView.changes === undefined ? request.query.get(QUOTE_PARAM) : null;
  const path = toCheckoutPath(formatLocalePrefix(request.locale, shop.config.locales), storedCheckout.cartCheckoutId);
  const isTest = isTestOrderRequest(shop, request);
  const params = Object.entries({
    [QUOTE_PARAM]: quote,
    [TEST_ORDER_PARAM]: isTest ? request.query.get(TEST_ORDER_PARAM) : null,
  }).filter((entry): entry is [string, string] => entry[1] !== null);
  const action = params.length === 0 ? path : `${path}?${new URLSearchParams(params)}`;
  const formContext = { action, locale: request.locale, now: request.now, isTest };
  // A caller that passes `terms` also passes its own notice, so this notice is only for terms computed here.
  const notice = terms.isUnavailable && knownTerms === undefined ? { notice: "cost_unknown" as const } : {};
  const form = renderOrderForm(shop, {
    priced,
    checkout: storedCheckout,
    terms,
    ...formContext,
    ...notice,
    ...formView,
  });
  // After a payment, the request URL contains a secret token. Templates could print the URL, so they get the checkout's
  // path instead.
  return renderPage(shop, request, {
    target: toCheckoutPath("", storedCheckout.cartCheckoutId),
    checkout: priced,
    orderForm: form,
  });
}

/** Returns the shipping rate and taxes of a stored checkout that can no longer be ordered. */
function getStoredDeliveryTerms({ content }: CheckoutSnapshot): DeliveryTerms {
  const { delivery, taxes } = content;
  return { rates: delivery?.rate === undefined ? [] : [delivery.rate], taxes: () => taxes, isUnavailable: false };
}

/** Returns shipping rates and taxes of a checkout for the address in a form. */
export function getFormDeliveryTerms(
  shop: DeliveryServices,
  request: StoreRequest,
  {
    cartCheckoutId: checkoutId,
    content: { priced, customerId, locale },
  }: Pick<CheckoutSnapshot, "cartCheckoutId" | "content">,
  submittedForm: SubmittedForm,
): Promise<DeliveryTerms> {
  return getDeliveryTerms(shop, priced, destinationOf(shop, submittedForm, locale), {
    locale,
    customerId,
    request,
    checkoutId,
  });
}

/** Redirects the shopper who owns the cart to the order page, and other visitors to the cart page. */
export async function showOrderPage(
  shop: Pick<CheckoutServices, "config" | "keys" | "checkouts">,
  request: StoreRequest,
  storedCheckout: CheckoutSnapshot,
): Promise<Reply> {
  const prefix = formatLocalePrefix(request.locale, shop.config.locales);
  const order = isBuyer(shop, request, storedCheckout)
    ? await awaitWithDeadline(shop.checkouts.orders.find(storedCheckout.orderId ?? ""))
    : undefined;
  return redirect(303, order === undefined ? `${prefix}/cart` : formatOrderPath(shop.keys, prefix, order));
}

/** Reports whether the visitor's cookie contains the cart of a checkout. */
function isBuyer(shop: Pick<Shop, "keys">, request: StoreRequest, { cartId }: CheckoutSnapshot): boolean {
  return (["cart", "buy_now"] as const).some((kind) => readCartId(shop, request, kind) === cartId);
}
