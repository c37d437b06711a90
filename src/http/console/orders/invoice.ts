import { createInvoiceReply } from "../../checkout/invoice-page.ts";
import type { Reply } from "../../wire/reply.ts";
import type { ConsoleServices, ConsoleVisit } from "../console-page.ts";
import { findOrder } from "./order.ts";

/**
 * Renders `GET /admin/orders/<number>/invoices/<invoice>`, with or without ".pdf": an invoice or credit note, as the
 * customer sees it.
 */
export async function showInvoice(shop: ConsoleServices, { request }: ConsoleVisit): Promise<Reply> {
  const { id } = await findOrder(shop, request);
  return createInvoiceReply(shop, id, request.params.invoice);
}
