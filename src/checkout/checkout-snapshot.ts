import type { PricedCart, PricedLine } from "../cart/priced-cart.ts";
import type { Customer } from "../catalog/customer.ts";
import type { Product, Translations } from "../catalog/product.ts";
import { countryName } from "../pricing/countries.ts";
import type { QuotedRate } from "../pricing/shipping-rates.ts";
import { addedTax, type Taxes } from "../pricing/taxes.ts";
import { payWith } from "../pricing/totals.ts";

/**
 * "new": viewed, nothing is reserved; "open": its items are reserved; "lapsed": expired, nothing is reserved;
 * "superseded": another checkout of the same cart replaced it; "completed": it became an order.
 */
export type CheckoutState = "new" | "open" | "lapsed" | "superseded" | "completed";

/** Recipient and destination of an order. */
export interface Delivery {
  readonly email: string;
  readonly name: string;
  /** Empty fields of an address are undefined. */
  readonly address?: Address;
  /** undefined if nothing is shipped, or the shop has no rates. */
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

/** Lines of an address below the name, without empty ones.  @param locale of the country's name */
export function addressLines(
  { address1, address2, zip, city, province, country, phone }: Address,
  locale: string,
): readonly string[] {
  const place = [zip, city].filter(Boolean).join(" ");
  return [address1, address2, place, province, countryName(country, locale), phone].filter((line) => line !== "");
}

/** An immutable snapshot of the cart for a checkout. */
export interface CheckoutContent {
  /** Products as displayed, each with the selected variant only. */
  readonly priced: PricedCart;
  readonly locale: string;
  readonly customerId?: string;
  /** undefined if the payment provider asks for it. */
  readonly delivery?: Delivery;
  /** Taxes of the destination, or of the shop's country while it is unknown; undefined if no rate is set for it. */
  readonly taxes?: Taxes;
  /** Amount due after gift cards and store credit; minor units. */
  readonly amount: number;
  readonly reservations: readonly Reservation[];
}

/** A limited resource that a checkout reserves and its order takes. */
export interface Reservation {
  readonly kind: "stock" | "gift_card" | "store_credit";
  /** Id of the variant, gift card or customer. */
  readonly id: string;
  /** Units of stock, or minor units; 1 or more. */
  readonly units: number;
  /** Whether the variant may be sold without stock. */
  readonly isUnbounded?: boolean;
  /** For a gift card or store credit: the original amount in minor units. */
  readonly loaded?: number;
}

/** A stored checkout. */
export interface CheckoutSnapshot {
  /** 128 or more random bits, or a keyed digest of them. */
  readonly id: string;
  readonly cartId: string;
  /** The id in the URL of the cart's checkouts. */
  readonly cartCheckoutId: string;
  /** Revision of the cart in the snapshot. */
  readonly revision: number;
  readonly state: CheckoutState;
  /** Milliseconds since 1970; for a checkout that was only viewed, the time of the view. */
  readonly reservedUntil: number;
  readonly createdAt: number;
  readonly content: CheckoutContent;
  readonly orderId?: string;
}

/** Takes a snapshot of a cart at its current prices. */
export function takeSnapshot(
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
    priced: { ...priced, lines: priced.lines.map(snapshotLine), issues: [] },
    locale,
    ...(customer === undefined ? {} : { customerId: customer.id }),
    ...(taxes === undefined ? {} : { taxes }),
    reservations: stockOf(priced.lines),
  });
}

/** Returns the snapshot with a delivery, which is paid like the items. */
export function withDelivery(
  { taxes: _, ...content }: CheckoutContent,
  delivery: Delivery,
  taxes: Taxes | undefined,
): CheckoutContent {
  return withPayment({ ...content, delivery, ...(taxes === undefined ? {} : { taxes }) });
}

/** Computes the parts that gift cards and store credit pay. */
function withPayment(content: Omit<CheckoutContent, "amount">): CheckoutContent {
  const { priced, reservations } = content;
  const payment = payWith(
    totalOf(content),
    priced.balances.map(({ available }) => available),
  );
  const balanceReservations = priced.balances.flatMap(({ kind, id, loaded }, index): readonly Reservation[] => {
    const units = payment.paid[index] ?? 0;
    return units === 0 ? [] : [{ kind, id, units, loaded }];
  });
  const stock = reservations.filter(({ kind }) => kind === "stock");
  return { ...content, amount: payment.due, reservations: [...stock, ...balanceReservations] };
}

/** Total of items, shipping and taxes, before gift cards and store credit. */
export function totalOf({ priced, delivery, taxes }: Pick<CheckoutContent, "priced" | "delivery" | "taxes">): number {
  return priced.total + (delivery?.rate?.price ?? 0) + addedTax(taxes);
}

/** Amount due with a shipping price and taxes. */
export function amountWith(
  { total, balances }: Pick<PricedCart, "total" | "balances">,
  shipping: number,
  taxes: Taxes | undefined,
): number {
  const available = balances.map((one) => one.available);
  return payWith(total + shipping + addedTax(taxes), available).due;
}

/** Stock that lines need, sorted by variant id. */
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

/**
 * Removes product data that no checkout shows, since the line is stored with each order, and the remaining stock, so
 * that the snapshot of the same lines does not change while others buy.
 */
function snapshotLine(priced: PricedLine): PricedLine {
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
