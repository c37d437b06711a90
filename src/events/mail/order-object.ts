import { localizeOffer } from "../../catalog/localize.ts";
import { formatAddressLines } from "../../checkout/checkout-snapshot.ts";
import { listNonEmptyProperties, type Order } from "../../checkout/order.ts";
import type { Shipment } from "../../checkout/shipment.ts";
import type { Messages } from "../../messages/messages.ts";
import { getCountryName } from "../../pricing/countries.ts";
import { formatTaxRate } from "../../pricing/taxes.ts";
import { removeControlCharacters } from "../../runtime/control-characters.ts";
import { truncateWithEllipsis } from "../../runtime/truncate-text.ts";
import { serializeOrder } from "../../storage/checkouts/order-json.ts";

/**
 * Returns an order for mail templates: its JSON, with products, delivery and country in one language. In mails to
 * shoppers, text that shoppers entered contains no links, and properties with a leading underscore are omitted. Control
 * characters in such text are removed.
 */
export function createOrderObject(
  order: Order,
  locale: string,
  messages: Messages,
  reader: "shopper" | "merchant",
): Readonly<Record<string, unknown>> {
  const adaptTextToReader = (text: string): string => {
    const safeText = removeControlCharacters(text);
    return reader === "shopper" ? disableLinks(safeText) : safeText;
  };
  const { priced, delivery, taxes } = order.content;
  const rate = delivery?.rate;
  const json = serializeOrder(order);
  const adaptTextsToReader = (texts: object): Record<string, string> =>
    Object.fromEntries(
      Object.entries(texts).map(([name, text]) => [adaptTextToReader(name), adaptTextToReader(String(text))]),
    );
  const address = delivery?.address && { ...delivery.address, ...adaptTextsToReader(delivery.address) };
  const taxKey = taxes?.isIncluded === true ? "mails.taxIncluded" : "mails.taxAdded";
  return {
    ...json,
    items: (json.items as readonly object[]).map((item, index) => {
      const line = priced.lines[index];
      if (line === undefined) return item;
      const { product, variant } = localizeOffer(line, locale);
      const shownProperties = listNonEmptyProperties(line.line).filter(
        (propertyName) => reader === "merchant" || !propertyName.startsWith("_"),
      );
      return {
        ...{ ...item, title: product.title, variant_title: variant.title },
        ...{
          properties: adaptTextsToReader(line.line.properties),
          property_lines: shownProperties.map(adaptTextToReader),
        },
      };
    }),
    // The name of the shipping rate is in the order's language, so other languages show its code, which the merchant
    // chose.
    shipping: rate === undefined ? null : { name: locale === json.locale ? rate.name : rate.code, price: rate.price },
    tax_lines: (taxes?.rates ?? []).map(({ percent, amount }) => ({
      title: messages(taxKey, { rate: formatTaxRate(percent, locale) }),
      price: amount,
    })),
    taxes_included: taxes?.isIncluded ?? true,
    name: adaptTextToReader(delivery?.name ?? ""),
    note: adaptTextToReader(priced.cart.note ?? ""),
    address: address && { ...address, country: getCountryName(address.country, locale), country_code: address.country },
    address_lines: address === undefined ? [] : formatAddressLines(address, locale),
  };
}

/** Returns whether an order has items that a shipment does not contain. */
export function isPartialShipment({ content }: Order, { items }: Shipment): boolean {
  const sumQuantities = (list: readonly { readonly quantity: number }[]): number =>
    list.reduce((total, { quantity }) => total + quantity, 0);
  return sumQuantities(items) < sumQuantities(content.priced.lines.map(({ line }) => line));
}

/**
 * Returns the order object of a mail, reduced to the items of one shipment and their shipped quantities.
 * @param shipmentCount position of the shipment, from 1
 */
export function keepShippedItems(
  order: Readonly<Record<string, unknown>>,
  shipmentCount: number,
): Readonly<Record<string, unknown>> {
  const shipment = (order.shipments as readonly Pick<Shipment, "items">[])[shipmentCount - 1];
  const quantities = new Map(shipment?.items.map(({ key, quantity }) => [key, quantity]));
  const items = (order.items as readonly { readonly key: string }[]).flatMap((item) => {
    const quantity = quantities.get(item.key);
    return quantity === undefined ? [] : [{ ...item, quantity }];
  });
  return { ...order, shipment, items };
}

/**
 * Shortens a text that an anonymous visitor entered and removes links, because the visitor also chose the mail's
 * recipient. Mail readers turn "https://…", "shop.example" and "a@shop.example" into links; a zero-width space prevents
 * this.
 */
function disableLinks(text: string): string {
  return truncateWithEllipsis(text, MAX_TEXT_LENGTH)
    .toWellFormed()
    .replaceAll(/:(?=\/\/)|[./@](?=\p{L})/gu, "$&\u200b");
}

/** Maximum number of UTF-16 code units. */
const MAX_TEXT_LENGTH = 100;
