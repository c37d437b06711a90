import type { Customer } from "../../catalog/customer.ts";
import { describeTransfer, findDueTransfer, formatIban } from "../../checkout/bank-transfer.ts";
import type { Invoice } from "../../checkout/invoice.ts";
import { formatInvoiceTitle } from "../../checkout/invoice-content.ts";
import { hasInvoicePdf } from "../../checkout/invoice-pdf.ts";
import type { Order } from "../../checkout/order.ts";
import type { Orders } from "../../checkout/orders.ts";
import { getMessages } from "../../messages/messages.ts";
import { formatMoney } from "../../pricing/money.ts";
import { formatInvoicePath, formatOrderPath } from "../../security/order-link.ts";
import type { Shop } from "../../shop.ts";
import type { OrderPage } from "../../theme/checkout-pages.ts";
import type { RenderRequest } from "../../theme/theme.ts";
import { awaitWithDeadline } from "../deadline.ts";
import { renderQrCode } from "../qr-code.ts";
import { readRemainingBalance } from "./remaining-balance.ts";

/** An invoice, and whether it can be downloaded as a PDF. */
export interface PrintableInvoice extends Invoice {
  readonly hasPdf: boolean;
}

/** Reads the invoice and the credit notes of an order, oldest first. */
export async function listPrintableInvoices(orders: Orders, orderId: string): Promise<readonly PrintableInvoice[]> {
  const invoices = await awaitWithDeadline(orders.listInvoices(orderId));
  return Promise.all(invoices.map(async (invoice) => ({ ...invoice, hasPdf: await hasInvoicePdf(invoice) })));
}

/** Returns the data of an order's page.  @param locale language of the page */
export function toOrderPage(
  shop: Pick<Shop, "keys" | "config">,
  order: Order,
  locale: string,
  { isNew = false, invoices = [] }: { readonly isNew?: boolean; readonly invoices?: readonly PrintableInvoice[] } = {},
): OrderPage {
  const statusPath = formatOrderPath(shop.keys, "", order);
  const hasAccount = order.content.customerId !== undefined && shop.config.customers.accounts;
  return {
    ...order,
    ...describeDueTransfer(order, locale),
    statusPath,
    invoices: invoices.map((invoice) => ({
      ...{ number: invoice.number, title: formatInvoiceTitle(invoice, locale) },
      path: formatInvoicePath(statusPath, invoice.number),
      ...(invoice.hasPdf ? { pdfPath: formatInvoicePath(statusPath, `${invoice.number}.pdf`) } : {}),
    })),
    ...(hasAccount ? { accountPath: `/account/orders/${order.id}` } : {}),
    isNewOrder: isNew,
  };
}

function describeDueTransfer(order: Order, locale: string): Pick<OrderPage, "bankTransfer"> {
  const transfer = findDueTransfer(order);
  if (transfer === undefined) return {};
  const { accountHolder, iban, bic, amount, currency, reference } = transfer;
  const { facts: details, code } = describeTransfer(transfer, locale);
  return {
    bankTransfer: {
      ...{ accountHolder, iban: formatIban(iban), bic, reference, details },
      title: getMessages(locale)("payments.bankTransfer"),
      text: getMessages(locale)("mails.transfer", { amount: formatMoney(amount, currency, locale) }),
      ...(code === undefined ? {} : { qrCode: renderQrCode(code.text, code.label).text }),
    },
  };
}

/**
 * Returns the signed-in customer for templates. The orders are read when a template uses them.
 * @param isOptional whether to render the page without the orders if the database is unavailable
 */
export function getCustomerData(
  shop: Pick<Shop, "keys" | "config" | "checkouts">,
  customer: Customer | undefined,
  locale: string,
  isOptional = true,
): Pick<RenderRequest, "customer" | "customerOrders"> {
  if (customer === undefined) return {};
  return {
    customer,
    async customerOrders() {
      const history = await Promise.all([
        awaitWithDeadline(shop.checkouts.orders.readCustomerOrders(customer.id)),
        readRemainingBalance(shop, "store_credit", customer.id, customer.storeCredit),
      ]).catch((error: unknown) => {
        if (!isOptional) throw error;
        return undefined;
      });
      if (history === undefined) return undefined;
      const [{ orderCount, totalSpent, newestOrders }, storeCredit] = history;
      return {
        ...{ storeCredit, orderCount },
        totalSpent,
        newestOrders: newestOrders.map((readOrder) => () => toOrderPage(shop, readOrder(), locale)),
      };
    },
  };
}
