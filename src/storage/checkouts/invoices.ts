import type { Invoice, InvoiceDocument, NewInvoice } from "../../checkout/invoice.ts";
import type { Database, Statement } from "../database.ts";

/**
 * Returns the statements that store an invoice or credit note with the next number of its series. The series is locked
 * from the first of these statements until the commit, so they come last in their transaction. A failed transaction
 * uses no number.
 * @param invoice undefined if nothing is issued
 */
export function issueInvoice(orderId: string, invoice: NewInvoice | undefined): readonly Statement[] {
  if (invoice === undefined) return [];
  const { prefix, firstNumber, document } = invoice;
  return [
    {
      sql: `INSERT INTO invoice_series (prefix, last) VALUES ($1, $2)
        ON CONFLICT (prefix) DO UPDATE SET last = invoice_series.last + 1`,
      params: [prefix, firstNumber],
    },
    {
      // Numbers have at least four digits.
      sql: `INSERT INTO invoices (number, order_id, kind, issued_at, document)
        SELECT prefix || substr('000', length(CAST(last AS TEXT))) || CAST(last AS TEXT),
          CAST($2 AS TEXT), CAST($3 AS TEXT), CAST($4 AS BIGINT), CAST($5 AS TEXT)
        FROM invoice_series WHERE prefix = $1`,
      params: [prefix, orderId, document.kind, document.issuedAt, JSON.stringify(document)],
      requireRows: 1,
    },
  ];
}

/** Reads the invoice and the credit notes of an order, oldest first. */
export async function readInvoices(database: Database, orderId: string): Promise<readonly Invoice[]> {
  const rows = await database.read(
    "SELECT number, document FROM invoices WHERE order_id = $1 ORDER BY kind DESC, issued_at, number",
    [orderId],
  );
  return rows.map(({ number, document }) => ({
    number: String(number),
    document: JSON.parse(String(document)) as InvoiceDocument,
  }));
}
