import { readOrderLink } from "../../../security/order-link.ts";
import type { Shop } from "../../../shop.ts";
import { createInvoiceReply, findInvoice } from "../../checkout/invoice-page.ts";
import type { Reply } from "../../wire/reply.ts";
import type { StoreRequest } from "../../wire/request.ts";

/** Handles `GET /orders/<token>/invoices/<number>`: shows an invoice to visitors who have the order's signed link. */
export async function showInvoicePage(shop: Pick<Shop, "keys" | "checkouts">, request: StoreRequest): Promise<Reply> {
  const { token = "", invoice } = request.params;
  const id = readOrderLink(shop.keys, token, request.now);
  return createInvoiceReply(await findInvoice(shop.checkouts.orders, id, invoice));
}
