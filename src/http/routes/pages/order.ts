import { readOrderLink } from "../../../security/order-link.ts";
import type { Shop } from "../../../shop.ts";
import { createInvoiceReply } from "../../checkout/invoice-page.ts";
import { listPrintableInvoices, toOrderPage } from "../../checkout/shown-order.ts";
import { awaitWithDeadline } from "../../deadline.ts";
import { trackItems } from "../../track.ts";
import type { Reply } from "../../wire/reply.ts";
import type { StoreRequest } from "../../wire/request.ts";
import { secretUrlHeaders } from "../../wire/security-headers.ts";
import { type PageServices, renderNotFound, renderPage } from "./page.ts";

/**
 * Handles `GET /orders/<token>`: shows an order to visitors who have its signed link. With `?thank_you=true`, the page
 * thanks the shopper for a new order.
 */
export async function showOrder(shop: PageServices & Pick<Shop, "checkouts">, request: StoreRequest): Promise<Reply> {
  const id = readOrderLink(shop.keys, request.params.token ?? "", request.now);
  const order = id === undefined ? undefined : await awaitWithDeadline(shop.checkouts.orders.find(id));
  if (order === undefined) return renderNotFound(shop, request);
  const invoices = await listPrintableInvoices(shop.checkouts.orders, order.id);
  const isNew = request.query.get("thank_you") === "true";
  if (isNew && order.content.isTest !== true)
    trackItems(
      shop,
      request,
      "ordered",
      order.content.priced.lines.map(({ line }) => line),
    );
  const reply = await renderPage(shop, request, {
    // Anyone with the token can open the page, so templates get a path without the token.
    target: "/orders/order",
    order: toOrderPage(shop, order, request.locale, { isNew, invoices }),
  });
  return { ...reply, headers: { ...reply.headers, ...secretUrlHeaders } };
}

/**
 * Handles `GET /orders/<token>/invoices/<number>`, with or without ".pdf": shows an invoice to visitors who have the
 * order's signed link.
 */
export async function showInvoicePage(
  shop: Pick<Shop, "keys" | "checkouts" | "process">,
  request: StoreRequest,
): Promise<Reply> {
  const { token = "", invoice } = request.params;
  const id = readOrderLink(shop.keys, token, request.now);
  return createInvoiceReply(shop, id, invoice);
}
