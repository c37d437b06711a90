import type { PricedCart, PricedLine } from "../cart/priced-cart.ts";
import type { Customer } from "../catalog/customer.ts";
import type { Product, Translations } from "../catalog/product.ts";
import { formatPlaceLines, isStreetLast } from "../pricing/address-formats.ts";
import { getCountryName } from "../pricing/countries.ts";
import type { QuotedRate } from "../pricing/shipping-rates.ts";
import { sumAddedTax, type Taxes } from "../pricing/taxes.ts";
import { payFromBalances } from "../pricing/totals.ts";

/**
 * State of a checkout. "new": its page was viewed. "open": its items are reserved. "lapsed": its reservations expired.
 * "superseded": another checkout of the same cart replaced it. "completed": it became an order.
 */
export type CheckoutState = "new" | "open" | "lapsed" | "superseded" | "completed";

/** Recipient, address and shipping rate of an order. */
export interface ShippingDetails {
  readonly email: string;
  readonly name: string;
  /** VAT ID of a business, without spaces. */
  readonly vatId?: string;
  /** Postal address, without empty fields. */
  readonly address?: PostalAddress;
  /** Selected shipping rate. Undefined if nothing needs shipping, or the shop has no rates. */
  readonly rate?: QuotedRate;
}

export interface PostalAddress {
  readonly address1: string;
  readonly address2: string;
  readonly zip: string;
  readonly city: string;
  readonly province: string;
  /** ISO 3166-1 code. */
  readonly country: string;
  readonly phone: string;
}

/** A postal address, some of whose fields may be missing. */
export type PartialAddress = { readonly [Field in keyof PostalAddress]?: string | undefined };

/**
 * Returns the lines of an address below the name, in the order of its country, without empty lines.
 * @param locale language of the address and of the country's name
 */
export function formatAddressLines(
  { address1 = "", address2 = "", zip = "", city = "", province = "", country = "", phone = "" }: PartialAddress,
  locale: string,
): readonly string[] {
  const shownCountry = country === "" ? "" : getCountryName(country, locale);
  const streetLines = [address1, address2];
  const placeLines = formatPlaceLines({ zip, city, province }, country);
  const lines = isStreetLast(country, locale) ? [...placeLines, ...streetLines] : [...streetLines, ...placeLines];
  return [...lines, shownCountry, phone].filter((line) => line !== "");
}

/** An immutable snapshot of the cart for a checkout. */
export interface CheckoutContent {
  /** The priced cart. Each product contains only the selected variant. */
  readonly priced: PricedCart;
  readonly locale: string;
  readonly customerId?: string;
  /** Undefined if the payment provider asks for the address. */
  readonly delivery?: ShippingDetails;
  /**
   * Taxes of the destination, or of the shop's country until the destination is known. Undefined if no tax rate
   * applies.
   */
  readonly taxes?: Taxes;
  /** Amount due after gift cards and store credit, in minor units. */
  readonly amount: number;
  readonly reservations: readonly Reservation[];
  /** Account to which the customer transfers `amount` before the order ships. Undefined for other payment methods. */
  readonly bankTransfer?: BankAccount;
  /** Whether the order is a test order of the merchant. Undefined if it is not. */
  readonly isTest?: true;
}

/** A bank account for transfers. */
export interface BankAccount {
  readonly accountHolder: string;
  /** Without spaces. */
  readonly iban: string;
  readonly bic?: string;
}

/** Stock, a gift card amount, or store credit that a checkout reserves and its order uses. */
export interface Reservation {
  readonly kind: "stock" | "gift_card" | "store_credit";
  /** ID of the variant, gift card or customer. */
  readonly id: string;
  /** Number of items, or an amount in minor units; at least 1. */
  readonly units: number;
  /** Whether the variant may be sold without stock. */
  readonly isUnbounded?: boolean;
  /** Original amount of a gift card or store credit, in minor units. */
  readonly loaded?: number;
}

/** A stored checkout with a snapshot of its cart. */
export interface CheckoutSnapshot {
  /** At least 128 random bits, or a keyed digest of such an ID. */
  readonly id: string;
  readonly cartId: string;
  /** The checkout ID of the cart, which all checkouts of the cart share. */
  readonly cartCheckoutId: string;
  /** Revision of the cart at the time of the snapshot. */
  readonly revision: number;
  readonly state: CheckoutState;
  /** End of the reservation in milliseconds since 1970. In the state "new", the time when the page was viewed. */
  readonly reservedUntil: number;
  readonly createdAt: number;
  readonly content: CheckoutContent;
  readonly orderId?: string;
}

/** Takes a snapshot of a cart at its current prices. */
export function takeSnapshot(
  pricedCart: PricedCart,
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
  return addBalancePayment({
    priced: { ...pricedCart, lines: pricedCart.lines.map(createSnapshotLine), issues: [] },
    locale,
    ...(customer === undefined ? {} : { customerId: customer.id }),
    ...(taxes === undefined ? {} : { taxes }),
    reservations: listStockReservations(pricedCart.lines),
  });
}

/** Returns the snapshot with an address and a shipping rate, whose price is added to the amount due. */
export function addDelivery(
  { taxes: _, bankTransfer: _bankTransfer, ...content }: CheckoutContent,
  delivery: ShippingDetails,
  taxes: Taxes | undefined,
): CheckoutContent {
  return addBalancePayment({ ...content, delivery, ...(taxes === undefined ? {} : { taxes }) });
}

/** Returns the snapshot for an order by bank transfer. An order without an amount due needs no transfer. */
export function addBankTransfer(content: CheckoutContent, bankTransfer: BankAccount | undefined): CheckoutContent {
  return bankTransfer === undefined || content.amount === 0 ? content : { ...content, bankTransfer };
}

/** Returns the snapshot for a test order, which takes no stock, gift cards, store credit, or discount uses. */
export function toTestContent(content: CheckoutContent): CheckoutContent {
  const priced = { ...content.priced, limitedDiscounts: [], giftCards: [], balances: [] };
  return addBalancePayment({ ...content, priced, reservations: [], isTest: true });
}

/** Computes the amounts that gift cards and store credit pay. */
function addBalancePayment(content: Omit<CheckoutContent, "amount">): CheckoutContent {
  const { priced, reservations } = content;
  const payment = payFromBalances(
    computeTotalPrice(content),
    priced.balances.map(({ available }) => available),
  );
  const balanceReservations = priced.balances.flatMap(({ kind, id, loaded }, index): readonly Reservation[] => {
    const units = payment.payments[index] ?? 0;
    return units === 0 ? [] : [{ kind, id, units, loaded }];
  });
  const stock = reservations.filter(({ kind }) => kind === "stock");
  return { ...content, amount: payment.amountDue, reservations: [...stock, ...balanceReservations] };
}

/** Returns the total of items, shipping and taxes, before gift cards and store credit. */
export function computeTotalPrice({
  priced,
  delivery,
  taxes,
}: Pick<CheckoutContent, "priced" | "delivery" | "taxes">): number {
  return priced.total + (delivery?.rate?.price ?? 0) + sumAddedTax(taxes);
}

/** Returns the amount due with a shipping price and taxes. */
export function computeAmountDue(
  { total, balances }: Pick<PricedCart, "total" | "balances">,
  shipping: number,
  taxes: Taxes | undefined,
): number {
  const availableAmounts = balances.map((balance) => balance.available);
  return payFromBalances(total + shipping + sumAddedTax(taxes), availableAmounts).amountDue;
}

/** Returns the stock that the lines need, sorted by variant ID. */
function listStockReservations(lines: readonly PricedLine[]): readonly Reservation[] {
  const reservationsByVariant = new Map<string, Reservation>();
  for (const { line, variant } of lines) {
    if (variant.inventoryQuantity === undefined) continue;
    const unboundedField = variant.inventoryPolicy === "continue" ? { isUnbounded: true } : {};
    const previousUnits = reservationsByVariant.get(variant.id)?.units ?? 0;
    reservationsByVariant.set(variant.id, {
      kind: "stock",
      id: variant.id,
      units: previousUnits + line.quantity,
      ...unboundedField,
    });
  }
  return [...reservationsByVariant.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/**
 * Removes product data that no checkout shows, because the line is stored with each order. Also removes the remaining
 * stock, so that equal carts have equal snapshots while other shoppers buy.
 */
function createSnapshotLine(pricedLine: PricedLine): PricedLine {
  const {
    product: { media: _media, combinedListing: _combinedListing, ...product },
    line,
  } = pricedLine;
  const { inventoryQuantity: _, ...variant } = pricedLine.variant;
  const image = product.images.find(({ src }) => src === variant.image) ?? product.images[0];
  const snapshotProduct: Product = {
    ...product,
    description: "",
    tags: [],
    metafields: {},
    variants: [variant],
    images: image === undefined ? [] : [image],
    translations: removeDescriptions(product.translations),
  };
  return { ...pricedLine, product: snapshotProduct, variant, available: true, maxQuantity: line.quantity };
}

function removeDescriptions(translations: Translations): Translations {
  return Object.fromEntries(
    Object.entries(translations).map(([locale, { description: _, ...fields }]) => [locale, fields]),
  );
}
