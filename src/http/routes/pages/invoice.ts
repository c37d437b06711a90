import { readOrderLink } from "../../../security/order-link.ts";
import type { Shop } from "../../../shop.ts";
import { createInvoiceReply } from "../../checkout/invoice-page.ts";
import type { Reply } from "../../wire/reply.ts";
import type { StoreRequest } from "../../wire/request.ts";

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
