import { createHmac, timingSafeEqual } from "node:crypto";
import type { PaymentEvent, PaymentHook } from "vitrine";

/** Credentials that the payment provider issues. */
export interface Provider {
  /** Target URL of the provider's form, such as "https://pay.example/start". */
  readonly address: string;
  readonly merchant: string;
  /** Shared secret with which both sides sign. */
  readonly key: string;
}

/**
 * Creates a hook for a provider that takes a signed form. The provider signs the payment's result, both to the shop's
 * server and with the shopper's return. Providers differ in field names and signed content, so adapt these two.
 */
export function signedForm({ address, merchant, key }: Provider): PaymentHook {
  return {
    origins: [new URL(address).origin],
    start({ id, amount, currency, locale, delivery }, { returnUrl, cancelUrl, notifyUrl }) {
      const fields = {
        merchant,
        order: id,
        amount: String(amount),
        currency,
        language: locale,
        email: delivery?.email ?? "",
        return_url: returnUrl,
        cancel_url: cancelUrl,
        notify_url: notifyUrl,
      };
      return { form: { action: address, fields: { ...fields, signature: sign(fields, key) } } };
    },
    async event(request, { kind }) {
      const { searchParams } = new URL(request.url);
      const resultFields = request.method === "POST" ? new URLSearchParams(await request.text()) : searchParams;
      const { signature, ...fields } = Object.fromEntries(resultFields);
      // A shopper may return without fields, but the provider's server always sends them.
      if (signature === undefined) return { outcome: kind === "return" ? "ignored" : "refused" };
      if (!isEqual(signature, sign(fields, key)) || fields.merchant !== merchant) return { outcome: "refused" };
      return eventOf(fields);
    },
  };
}

function eventOf(fields: Readonly<Record<string, string>>): PaymentEvent {
  const { status, order = "", amount = "", currency = "", payment = "" } = fields;
  if (status === "declined") return { outcome: "failed" };
  if (status !== "paid") return { outcome: "ignored" };
  return { outcome: "completed", checkoutId: order, amount: Number(amount), currency, reference: payment };
}

/**
 * Returns a hexadecimal HMAC-SHA-256 of the fields, sorted by name. It includes the length of each name and value, so
 * different fields never have the same signature.
 */
export function sign(fields: Readonly<Record<string, string>>, key: string): string {
  const hmac = createHmac("sha256", key);
  for (const name of Object.keys(fields).sort()) {
    const value = fields[name] ?? "";
    hmac.update(`${name.length}:${name}${value.length}:${value}`);
  }
  return hmac.digest("hex");
}

function isEqual(inputSignature: string, expectedSignature: string): boolean {
  const [a, b] = [Buffer.from(inputSignature), Buffer.from(expectedSignature)];
  return a.length === b.length && timingSafeEqual(a, b);
}
