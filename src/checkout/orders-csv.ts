import { formatVariantTitle } from "../catalog/catalog.ts";
import { formatDecimalMoney } from "../pricing/money.ts";
import { BYTE_ORDER_MARK, formatCsvLine } from "../runtime/csv-line.ts";
import { computeTotalPrice } from "./checkout-snapshot.ts";
import type { Invoice } from "./invoice.ts";
import { listNonEmptyProperties, type Order, sumRefunds } from "./order.ts";

const columns = [
  "number",
  "created_at",
  "state",
  "payment_state",
  "reference",
  "email",
  "name",
  "address1",
  "address2",
  "zip",
  "city",
  "province",
  "country",
  "phone",
  "currency",
  "order_amount",
  "shipping",
  "sku",
  "variant_id",
  "title",
  "variant_title",
  "quantity",
  "line_amount",
  "line_tax",
  "order_tax",
  "shipped_at",
  "carrier",
  "tracking_number",
  "properties",
  "note",
  "order_refunded",
  "invoices",
  "order_discount",
  "order_balance",
] as const;

/** Byte order mark and the column names. */
export const ordersCsvHeader = `${BYTE_ORDER_MARK}${formatCsvLine(columns)}`;

/**
 * Formats an order as CSV (RFC 4180), with one line per item. Amounts are decimal.
 * @param invoices invoice and credit notes of the order
 */
export function formatOrderLines(order: Order, invoices: readonly Invoice[]): string {
  const { number, createdAt, state, payment, reference, content, shipments } = order;
  const { priced, delivery, taxes, amount } = content;
  const formatAmount = (units: number): string => formatDecimalMoney(units, priced.currency);
  const address = delivery?.address;
  const orderCells = [
    ...[String(number), new Date(createdAt).toISOString(), state, payment, reference],
    ...[delivery?.email, delivery?.name, address?.address1, address?.address2, address?.zip, address?.city],
    ...[address?.province, address?.country, address?.phone, priced.currency, formatAmount(amount)],
    formatAmount(delivery?.rate?.price ?? 0),
  ];
  return priced.lines
    .map(({ line, product, variant, finalLinePrice }, index) => {
      const itemCells = [
        variant.sku,
        variant.id,
        product.title,
        formatVariantTitle({ product, variant }),
        String(line.quantity),
        formatAmount(finalLinePrice),
      ];
      const taxCells = [formatAmount(taxes?.lines[index] ?? 0), formatAmount(taxes?.total ?? 0)];
      const shipment = shipments.findLast(({ items }) => items.some(({ key }) => key === line.key));
      const shippedAt = shipment === undefined ? undefined : new Date(shipment.at).toISOString();
      const parcelCells = [shippedAt, shipment?.carrier, shipment?.trackingNumber];
      const noteColumns = [listNonEmptyProperties(line).join("\n"), priced.cart.note];
      const accountingCells = [
        formatAmount(sumRefunds(order)),
        invoices.map((invoice) => invoice.number).join(" "),
        formatAmount(priced.totalDiscount),
        formatAmount(computeTotalPrice(content) - amount),
      ];
      return formatCsvLine([
        ...orderCells,
        ...itemCells,
        ...taxCells,
        ...parcelCells,
        ...noteColumns,
        ...accountingCells,
      ]);
    })
    .join("");
}
