import type { Delivery, SealedCheckout } from "../../checkout/sealed-checkout.ts";
import { cartMembers, createCartTexts } from "./cart-text.ts";

/** What a checkout is about, as whoever takes the payment reads it; it never changes. Money in minor units. @param prefix of links */
export function checkoutDocument(
  { id, revision, content }: SealedCheckout,
  prefix: string,
): Readonly<Record<string, unknown>> {
  const { priced, locale, customerId, delivery, amount } = content;
  const cart = createCartTexts().of(priced, { locale, prefix });
  return {
    id,
    cart_revision: revision,
    locale,
    customer_id: customerId ?? null,
    currency: priced.currency,
    amount,
    delivery: delivery === undefined ? null : deliveryJson(delivery),
    cart: JSON.parse(`{${cartMembers(cart)}}`),
  };
}

function deliveryJson({ email, name, address, rate }: Delivery): object {
  return {
    email,
    name,
    address: address ?? null,
    shipping: rate === undefined ? null : { code: rate.code, name: rate.name, price: rate.price },
  };
}
