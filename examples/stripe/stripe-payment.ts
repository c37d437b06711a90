import Stripe from "stripe";
import type { PayableCheckout, PaymentEvent, PaymentHook } from "vitrine";

/**
 * Creates a hook for Stripe Checkout, where shoppers pay on Stripe's page. Both its webhook and the shopper's return
 * report the payment.
 * @param webhookSecret secret of the endpoint, "whsec_…"
 */
export function stripePayment(stripe: Stripe, webhookSecret: string): PaymentHook {
  return {
    origins: ["https://checkout.stripe.com"],
    signatureHeader: "stripe-signature",
    async start(checkout, { returnUrl, cancelUrl }) {
      const session = await stripe.checkout.sessions.create(
        {
          mode: "payment",
          client_reference_id: checkout.id,
          line_items: lineItems(checkout),
          locale: isKnown(checkout.locale) ? checkout.locale : "auto",
          success_url: `${returnUrl}?session_id={CHECKOUT_SESSION_ID}`,
          cancel_url: cancelUrl,
          // Adaptive pricing is disabled, so that Stripe charges exactly the displayed amount and currency.
          adaptive_pricing: { enabled: false },
          ...(checkout.delivery === undefined ? {} : { customer_email: checkout.delivery.email }),
        },
        // Stripe returns the same session for a repeated request.
        { idempotencyKey: checkout.id, timeout: 3_500 },
      );
      if (session.url === null) throw new Error("Stripe made a session without an address");
      return { redirect: session.url };
    },
    async event(request, { kind }) {
      if (kind === "return") {
        const id = new URL(request.url).searchParams.get("session_id") ?? "";
        if (!/^cs_\w{1,200}$/.test(id)) return { outcome: "ignored" };
        return eventOf(await stripe.checkout.sessions.retrieve(id, {}, { timeout: 3_500 }));
      }
      const signature = request.headers.get("stripe-signature") ?? "";
      const event = await verifyEvent(await request.text(), signature);
      switch (event?.type) {
        case undefined:
          return { outcome: "refused" };
        case "checkout.session.completed":
        case "checkout.session.async_payment_succeeded":
          return eventOf(event.data.object);
        case "checkout.session.async_payment_failed":
        case "checkout.session.expired":
          return { outcome: "failed" };
        default:
          return { outcome: "ignored" };
      }
    },
  };

  async function verifyEvent(body: string, signature: string): Promise<Stripe.Event | undefined> {
    try {
      return await stripe.webhooks.constructEventAsync(body, signature, webhookSecret);
    } catch (error) {
      if (error instanceof Stripe.errors.StripeSignatureVerificationError) return undefined;
      throw error;
    }
  }
}

/**
 * Returns the event of a session. A session whose payment is still pending, such as a bank debit, is completed by a
 * later event.
 */
function eventOf(session: Stripe.Checkout.Session): PaymentEvent {
  const { payment_status, client_reference_id, amount_total, currency, payment_intent, id } = session;
  if (payment_status !== "paid") return { outcome: "ignored" };
  // The session comes from another source in the same account, such as a payment link.
  if (client_reference_id === null || amount_total === null || currency === null) return { outcome: "ignored" };
  const code = currency.toUpperCase();
  const reference = typeof payment_intent === "string" ? payment_intent : (payment_intent?.id ?? id);
  return {
    outcome: "completed",
    checkoutId: client_reference_id,
    amount: fromStripe(amount_total, code),
    currency: code,
    reference,
  };
}

/**
 * Returns items for the lines (after discounts), shipping and tax, or a single item if their sum is not the amount due.
 */
function lineItems({
  id,
  amount,
  currency,
  lines,
  addedTax,
  delivery,
}: PayableCheckout): Stripe.Checkout.SessionCreateParams.LineItem[] {
  const shipping = delivery?.rate;
  const parts = [
    ...lines.map((line) => ({ name: `${line.quantity} × ${line.title}`, amount: line.amount })),
    ...(shipping === undefined || shipping.price === 0 ? [] : [{ name: shipping.name, amount: shipping.price }]),
    ...(addedTax === 0 ? [] : [{ name: "Tax", amount: addedTax }]),
  ];
  const isWhole = parts.reduce((sum, part) => sum + part.amount, 0) === amount && parts.length <= MAX_LINE_ITEMS;
  return (isWhole ? parts : [{ name: id, amount }]).map((part) => ({
    quantity: 1,
    price_data: {
      currency: currency.toLowerCase(),
      unit_amount: toStripe(part.amount, currency),
      product_data: { name: part.name.slice(0, MAX_NAME) },
    },
  }));
}

const MAX_LINE_ITEMS = 100;
const MAX_NAME = 250;

/**
 * Factors for currencies in which Stripe's minor units differ from ISO 4217:
 * https://docs.stripe.com/currencies#zero-decimal
 */
const perStripeUnit: Readonly<Record<string, number>> = { ISK: 1 / 100, UGX: 1 / 100, MGA: 100 };

function toStripe(amount: number, currency: string): number {
  const units = amount / (perStripeUnit[currency] ?? 1);
  if (!Number.isSafeInteger(units)) throw new Error(`Stripe takes whole ${currency} alone`);
  return units;
}

function fromStripe(units: number, currency: string): number {
  return units * (perStripeUnit[currency] ?? 1);
}

function isKnown(locale: string): locale is (typeof locales)[number] {
  return (locales as readonly string[]).includes(locale);
}

/** Locales that Stripe supports: https://docs.stripe.com/js/appendix/supported_locales */
const locales = [
  ..."bg cs da de el en es et fi fil fr hr hu id it ja ko lt lv ms mt nb nl pl pt ro ru sk sl sv th tr vi zh".split(
    " ",
  ),
  ..."en-GB es-419 fr-CA pt-BR zh-HK zh-TW".split(" "),
] as const;
