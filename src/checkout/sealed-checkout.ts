import type { PricedCart, PricedLine } from "../cart/priced-cart.ts";
import type { Customer } from "../catalog/customer.ts";
import type { Product, Translations } from "../catalog/product.ts";
import { countryName } from "../pricing/countries.ts";
import type { QuotedRate } from "../pricing/shipping-rates.ts";
import { addedTax, type Taxes } from "../pricing/taxes.ts";
import { payWith } from "../pricing/totals.ts";

/** "new": looked at, and nothing is held; "open": what it needs is held; "lapsed": nothing is held any more; "superseded": another picture of the same cart holds it instead;
 *  "completed": there is an order. */
export type CheckoutState = "new" | "open" | "lapsed" | "superseded" | "completed";

/** Who gets the order, and where. */
export interface Delivery {
  readonly email: string;
  readonly name: string;
  /** Absent fields of an address stayed empty. */
  readonly address?: Address;
  /** Absent: nothing is sent, or the shop has no rates. */
  readonly rate?: QuotedRate;
}

export interface Address {
  readonly address1: string;
  readonly address2: string;
  readonly zip: string;
  readonly city: string;
  readonly province: string;
  /** ISO 3166-1 */
  readonly country: string;
  readonly phone: string;
}

/** Lines of an address below the name; empty ones are left out. @param locale of the country's name */
export function addressLines(
  { address1, address2, zip, city, province, country, phone }: Address,
  locale: string,
): readonly string[] {
  const place = [zip, city].filter(Boolean).join(" ");
  return [address1, address2, place, province, countryName(country, locale), phone].filter((line) => line !== "");
}

/** What a checkout is about: a picture of the cart, which never changes. */
export interface CheckoutContent {
  /** Products in it are as they were shown, with the chosen variant alone. */
  readonly priced: PricedCart;
  readonly locale: string;
  readonly customerId?: string;
  /** Absent: whoever takes the payment asks for it. */
  readonly delivery?: Delivery;
  /** Of the country that it is sent to, or, while that is not known, the shop's own; absent: the merchant set none for it. */
  readonly taxes?: Taxes;
  /** What is to be paid, after gift cards and store credit; minor units. */
  readonly amount: number;
  readonly reservations: readonly Reservation[];
}

/** Something of which there is only so much, set apart for a checkout and taken by its order. */
export interface Reservation {
  readonly kind: "stock" | "gift_card" | "store_credit";
  /** Of the variant, the gift card, the customer. */
  readonly id: string;
  /** Pieces, or minor units; 1 or more. */
  readonly units: number;
  /** Pieces that may be sold although there are none. */
  readonly isUnbounded?: boolean;
  /** Of a card or credit: minor units that there ever were of it. */
  readonly loaded?: number;
}

/** A checkout as it is kept. */
export interface SealedCheckout {
  /** 128 random bits or more, or a keyed digest of them. */
  readonly id: string;
  readonly cartId: string;
  /** The address of the cart's checkouts. */
  readonly cartCheckoutId: string;
  /** Of the cart, as it was pictured. */
  readonly revision: number;
  readonly state: CheckoutState;
  /** Milliseconds since 1970; of one that was only looked at, when that was. */
  readonly heldUntil: number;
  readonly createdAt: number;
  readonly content: CheckoutContent;
  readonly orderId?: string;
}

/** Takes the picture of a cart as it is priced now. */
export function picture(
  priced: PricedCart,
  {
    locale,
    customer,
    taxes,
  }: {
    readonly locale: string;
    readonly customer: Customer | undefined;
    readonly taxes: Taxes | undefined;
  },
): CheckoutContent {
  return withPayment({
    priced: { ...priced, lines: priced.lines.map(pictured), issues: [] },
    locale,
    ...(customer === undefined ? {} : { customerId: customer.id }),
    ...(taxes === undefined ? {} : { taxes }),
    reservations: stockOf(priced.lines),
  });
}

/** The same picture with a delivery, which is paid for like the goods. */
export function withDelivery(
  { taxes: _, ...content }: CheckoutContent,
  delivery: Delivery,
  taxes: Taxes | undefined,
): CheckoutContent {
  return withPayment({ ...content, delivery, ...(taxes === undefined ? {} : { taxes }) });
}

/** Draws what gift cards and credit pay. */
function withPayment(content: Omit<CheckoutContent, "amount">): CheckoutContent {
  const { priced, reservations } = content;
  const payment = payWith(
    totalOf(content),
    priced.balances.map(({ available }) => available),
  );
  const drawn = priced.balances.flatMap(({ kind, id, loaded }, index): readonly Reservation[] => {
    const units = payment.paid[index] ?? 0;
    return units === 0 ? [] : [{ kind, id, units, loaded }];
  });
  const stock = reservations.filter(({ kind }) => kind === "stock");
  return { ...content, amount: payment.due, reservations: [...stock, ...drawn] };
}

/** What goods, delivery and taxes come to, before gift cards and store credit. */
export function totalOf({ priced, delivery, taxes }: Pick<CheckoutContent, "priced" | "delivery" | "taxes">): number {
  return priced.total + (delivery?.rate?.price ?? 0) + addedTax(taxes);
}

/** What is to be paid with a price of sending, and with taxes. */
export function amountWith(
  { total, balances }: Pick<PricedCart, "total" | "balances">,
  shipping: number,
  taxes: Taxes | undefined,
): number {
  const available = balances.map((one) => one.available);
  return payWith(total + shipping + addedTax(taxes), available).due;
}

/** Stock that lines need, by variants in the order of their ids. */
function stockOf(lines: readonly PricedLine[]): readonly Reservation[] {
  const units = new Map<string, Reservation>();
  for (const { line, variant } of lines) {
    if (variant.inventoryQuantity === undefined) continue;
    const isUnbounded = variant.inventoryPolicy === "continue" ? { isUnbounded: true } : {};
    const before = units.get(variant.id)?.units ?? 0;
    units.set(variant.id, { kind: "stock", id: variant.id, units: before + line.quantity, ...isUnbounded });
  }
  return [...units.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** A line without what no checkout shows of its product: it is kept with each order. Nor does it tell what is left, so that the same lines are the
 *  same picture while others buy. */
function pictured(priced: PricedLine): PricedLine {
  const { product, line } = priced;
  const { inventoryQuantity: _, ...variant } = priced.variant;
  const shown = product.images.find(({ src }) => src === variant.image) ?? product.images[0];
  const slim: Product = {
    ...product,
    description: "",
    tags: [],
    metafields: {},
    variants: [variant],
    images: shown === undefined ? [] : [shown],
    translations: withoutDescriptions(product.translations),
  };
  return { ...priced, product: slim, variant, available: true, maxQuantity: line.quantity };
}

function withoutDescriptions(translations: Translations): Translations {
  return Object.fromEntries(
    Object.entries(translations).map(([locale, { description: _, ...fields }]) => [locale, fields]),
  );
}
