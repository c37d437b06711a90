import type { StoredCart } from "../../../cart/cart-store.ts";
import type { Product } from "../../../catalog/product.ts";
import { toCheckoutPath } from "../../../checkout/checkout.ts";
import { type CheckoutContent, type CheckoutSnapshot, computeAmountDue } from "../../../checkout/checkout-snapshot.ts";
import type { NewCheckout } from "../../../checkout/checkouts.ts";
import { HookError } from "../../../hooks/call-hook.ts";
import type { PaymentHook } from "../../../hooks/payment-hook.ts";
import { Problem, type ProblemCode } from "../../../problem.ts";
import { formatOrderPath } from "../../../security/order-link.ts";
import { readFields } from "../../bodies/form-posts.ts";
import { priceCartForRequest } from "../../cart/load-cart.ts";
import { applyChosenDelivery, priceCheckout, reserve } from "../../checkout/open-checkout.ts";
import { readDelivery, readSubmittedForm, type SubmittedForm } from "../../checkout/order-form.ts";
import { beginPayment } from "../../checkout/payment.ts";
import { findBankAccount, findSubmittedMethod } from "../../checkout/payment-methods.ts";
import { addCheckoutCookie } from "../../checkout/session-reservations.ts";
import { awaitWithDeadline } from "../../deadline.ts";
import { setErrorStatus } from "../../error-responses.ts";
import { checkCsrf } from "../../sessions/csrf-session.ts";
import { readCustomer } from "../../sessions/customer-session.ts";
import { findAddressBlock } from "../../wire/address-block.ts";
import { type Reply, redirect } from "../../wire/reply.ts";
import { formatLocalePrefix, type StoreRequest } from "../../wire/request.ts";
import {
  type CheckoutServices,
  getFormDeliveryTerms,
  isTestOrderRequest,
  renderCheckout,
  setQuoteStatus,
  showCheckout,
  showOrderPage,
} from "./checkout.ts";

/**
 * Handles `POST /checkout/<id>`, the form of the checkout page. The buttons "order" and "pay" place the order, and
 * "update" recalculates shipping. An order by invoice is placed only once, even if the form is submitted several times.
 */
export async function placeOrder(shop: CheckoutServices, request: StoreRequest): Promise<Reply> {
  await checkCsrf(shop, request, true);
  const form = await readFields(request);
  if (form === undefined) throw new Problem("bad_request", "Submit the form of the checkout page.");
  const { id = "" } = request.params;
  const { locale, now } = request;
  const isTest = isTestOrderRequest(shop, request);
  const prefix = formatLocalePrefix(locale, shop.config.locales);
  const submittedForm = readSubmittedForm(form);
  const baseCheckout = await awaitWithDeadline(shop.checkouts.find(submittedForm.checkout ?? ""));
  if (baseCheckout === undefined || baseCheckout.cartCheckoutId !== id)
    return showCurrentCheckout(shop, request, submittedForm);
  if (baseCheckout.orderId !== undefined) return showOrderPage(shop, request, baseCheckout);
  const terms = await getFormDeliveryTerms(shop, request, baseCheckout, submittedForm);
  const delivery = readDelivery(shop, baseCheckout.content.priced, submittedForm, terms);
  // The cart is read after the hooks were called, because another request of the shopper may order it during these
  // calls.
  const [orderedCheckout, cart] = await awaitWithDeadline(
    Promise.all([shop.checkouts.findOrderedCheckout(baseCheckout), shop.carts.findByCheckout(id)]),
  );
  if (orderedCheckout !== undefined) return showOrderPage(shop, request, orderedCheckout);
  if (cart?.revision !== baseCheckout.revision || cart.lines.length === 0)
    return showCurrentCheckout(shop, request, submittedForm);
  if (terms.isUnavailable) {
    const page = await showCheckout(shop, request, cart, { submittedForm, terms, notice: "cost_unknown" });
    return setPageStatus(page, "quote_unavailable");
  }
  if (form.update !== undefined || submittedForm.country !== submittedForm.quoted_country)
    return showCheckout(shop, request, cart, {
      submittedForm,
      terms,
      ...(form.update === undefined ? { notice: "delivery_changed" } : {}),
    });
  if ("errors" in delivery) {
    const { errors } = delivery;
    const notice = hasNewQuote(submittedForm, errors) ? "delivery_changed" : "check_fields";
    const page = await showCheckout(shop, request, cart, { submittedForm, terms, errors, notice });
    return setPageStatus(page, "validation_failed");
  }
  // Without shipping methods in the form, this is the only field with the price that the shopper saw.
  const quotedAmount = submittedForm.quoted_amount ?? "";
  if (
    terms.rates.length === 0 &&
    quotedAmount !== "" &&
    quotedAmount !== String(computeAmountDue(baseCheckout.content.priced, 0, terms.taxes(0)))
  )
    return showCheckout(shop, request, cart, { submittedForm, terms, notice: "delivery_changed" });
  const method = findSubmittedMethod(shop, form, isTest);
  // The merchant may have changed the settings after the page was shown.
  if (method === undefined) {
    const page = await showCheckout(shop, request, cart, { submittedForm, terms, notice: "changed" });
    return setPageStatus(page, "validation_failed");
  }
  const payment = method === "provider" ? shop.hooks.payment : undefined;
  const bankAccount = method === "bank_transfer" ? findBankAccount(shop.config) : undefined;
  const snapshot = shop.snapshot();
  const customer = await readCustomer(shop, request, snapshot.catalog);
  // After signing out, the customer's prices and store credit no longer apply.
  if (baseCheckout.content.customerId !== customer?.id)
    return showCheckout(shop, request, cart, { submittedForm, notice: "changed" });
  if (baseCheckout.state !== "open" || baseCheckout.reservedUntil <= now) {
    const { content } = await priceCheckout(shop, request, cart, { snapshot, customer });
    if (content === undefined || !hasEqualPrices(content, baseCheckout.content))
      return showChangedCheckout(shop, request, { base: baseCheckout, cart, submittedForm });
  }
  const address = findAddressBlock(request.client.address);
  if (
    !shop.limits.consume("checkout attempt", `pay ${id}`, now) ||
    !shop.limits.consume("order by address", address, now)
  )
    throw new Problem("rate_limited", "Too many attempts to order. Try again in a minute.");
  const taxes = terms.taxes(delivery.rate?.price ?? 0);
  const checkout = applyChosenDelivery(
    shop,
    request,
    { base: baseCheckout, cart },
    { delivery, taxes, bankAccount, isTest },
  );
  // An order that gift cards cover entirely needs no payment.
  if (payment !== undefined && checkout.content.amount > 0)
    return startPayment(shop, request, { checkout, base: baseCheckout, cart, submittedForm }, payment);
  // Placing the order takes the items from stock, so no reservation is needed.
  const completion = await shop.checkouts.complete(checkout, undefined, now);
  if (completion.outcome === "ordered")
    return redirect(303, `${formatOrderPath(shop.keys, prefix, completion.order)}?thank_you=true`);
  if (completion.outcome === "refund_due")
    return showChangedCheckout(shop, request, { base: baseCheckout, cart, submittedForm });
  return redirect(303, toCheckoutPath(prefix, id));
}

/** Shows the current checkout if the submitted form is from another cart or an earlier version of the cart. */
async function showCurrentCheckout(
  shop: CheckoutServices,
  request: StoreRequest,
  submittedForm: SubmittedForm,
): Promise<Reply> {
  const { id = "" } = request.params;
  const cart = await awaitWithDeadline(shop.carts.findByCheckout(id));
  if (cart === undefined) throw new Problem("not_found", "There is no checkout at this URL.");
  if (cart.lines.length > 0) return showCheckout(shop, request, cart, { submittedForm, notice: "changed" });
  const completedCheckout = await awaitWithDeadline(shop.checkouts.findCompletedCheckout(id));
  if (completedCheckout !== undefined) return showOrderPage(shop, request, completedCheckout);
  return redirect(303, `${formatLocalePrefix(request.locale, shop.config.locales)}/cart`);
}

/** A submitted form with its checkout and cart. */
interface OrderSubmission {
  readonly base: CheckoutSnapshot;
  readonly cart: StoredCart;
  readonly submittedForm: SubmittedForm;
}

/** Shows the checkout again with a notice that it changed. If the cart was already ordered, shows the order. */
async function showChangedCheckout(
  shop: CheckoutServices,
  request: StoreRequest,
  { base, cart, submittedForm }: OrderSubmission,
): Promise<Reply> {
  const orderedCheckout = await awaitWithDeadline(shop.checkouts.findOrderedCheckout(base));
  if (orderedCheckout !== undefined) return showOrderPage(shop, request, orderedCheckout);
  const snapshot = shop.snapshot();
  const customer = await readCustomer(shop, request, snapshot.catalog);
  const shownPrices = new Map(base.content.priced.lines.map(({ line: { key }, price }) => [key, price]));
  const lines = cart.lines.map((line) => ({ ...line, seenPrice: shownPrices.get(line.key) ?? line.seenPrice }));
  const { issues } = await priceCartForRequest(shop, { ...cart, lines }, snapshot, customer, request);
  const changes = issues.map(({ message }) => message);
  return setQuoteStatus(
    request,
    await showCheckout(shop, request, cart, { submittedForm, notice: "changed", changes }),
  );
}

/** Reports whether the only error is a changed price of the selected shipping method. */
function hasNewQuote({ shipping = "" }: SubmittedForm, errors: readonly string[]): boolean {
  return shipping !== "" && errors.length === 1 && errors[0] === "shipping";
}

/**
 * Reports whether two checkouts of a cart are equal except for the shipping details and data that no checkout shows. If
 * so, a form of the earlier one can still be submitted, for example after a failed payment.
 */
function hasEqualPrices(a: CheckoutContent, b: CheckoutContent): boolean {
  return formatPrices(a) === formatPrices(b);
}

function formatPrices({ priced }: CheckoutContent): string {
  const lines = priced.lines.map((line) => ({ ...line, product: { ...line.product, ...hiddenProductFields } }));
  return JSON.stringify({ ...priced, lines });
}

/** Fields of products that no checkout shows. Imports may change them at any time. */
const hiddenProductFields = {
  popularity: undefined,
  seo: undefined,
  templateSuffix: undefined,
  createdAt: undefined,
  updatedAt: undefined,
  publishedAt: undefined,
} satisfies { readonly [Field in keyof Product]?: undefined };

/** Returns a page with the status of its error. Redirects are returned unchanged. */
function setPageStatus(page: Reply, code: ProblemCode): Reply {
  return page.headers.location === undefined ? setErrorStatus(page, code) : page;
}

/** Redirects to the payment provider. If the provider is unavailable, shows the page again with the shopper's input. */
async function startPayment(
  shop: CheckoutServices,
  request: StoreRequest,
  submission: OrderSubmission & { readonly checkout: NewCheckout },
  payment: PaymentHook,
): Promise<Reply> {
  const { checkout, base, cart, submittedForm } = submission;
  const reservation = await reserve(shop, request, checkout);
  if (reservation.outcome === "ordered") return showOrderPage(shop, request, reservation.checkout);
  if (reservation.outcome === "short") return showChangedCheckout(shop, request, { base, cart, submittedForm });
  const storedCheckout = await awaitWithDeadline(shop.checkouts.find(checkout.id));
  if (storedCheckout === undefined) throw new Error("a checkout that was opened is missing");
  try {
    const startedPayment = await beginPayment(shop, payment, request, storedCheckout);
    const reply =
      "redirect" in startedPayment
        ? redirect(303, startedPayment.redirect)
        : await renderCheckout(shop, request, { storedCheckout, payment: startedPayment.form });
    return addCheckoutCookie(shop, request, reply, storedCheckout);
  } catch (error) {
    if (!(error instanceof HookError)) throw error;
    const page = await showCheckout(shop, request, cart, { submittedForm, notice: "payment_unavailable" });
    return setPageStatus(page, "payment_unavailable");
  }
}
