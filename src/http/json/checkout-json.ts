import type { CheckoutSnapshot, ShippingDetails } from "../../checkout/checkout-snapshot.ts";
import type { Taxes } from "../../pricing/taxes.ts";
import { createCartSerializer, formatCartMembers } from "./cart-text.ts";

/**
 * Returns the content of a checkout for the payment provider. It never changes. Amounts are in minor units.
 * @param prefix path prefix of links
 */
export function formatCheckout(
  { id, revision, content }: CheckoutSnapshot,
  prefix: string,
): Readonly<Record<string, unknown>> {
  const { priced, locale, customerId, delivery, taxes, amount } = content;
  const cartJson = createCartSerializer().serialize(priced, { locale, prefix });
  return {
    id,
    cart_revision: revision,
    locale,
    customer_id: customerId ?? null,
    currency: priced.currency,
    amount,
    delivery: delivery === undefined ? null : formatDelivery(delivery),
    taxes: taxes === undefined ? null : serializeTaxes(taxes),
    cart: JSON.parse(`{${formatCartMembers(cartJson)}}`),
  };
}

function serializeTaxes({ country, isIncluded, lines, shipping, rates, total }: Taxes): object {
  return { country, included: isIncluded, total, rates, lines, shipping };
}

function formatDelivery({ email, name, address, rate }: ShippingDetails): object {
  return {
    email,
    name,
    address: address ?? null,
    shipping: rate === undefined ? null : { code: rate.code, name: rate.name, price: rate.price },
  };
}
