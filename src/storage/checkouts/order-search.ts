import type { CheckoutContent } from "../../checkout/checkout-snapshot.ts";
import type { Database } from "../database.ts";

/** Maximum length of a search text, in UTF-16 code units. Index entries of PostgreSQL have at most 2,704 bytes. */
const MAX_TEXT_LENGTH = 500;
const BATCH_SIZE = 200;

/** Returns the name and email address of an order, normalized for searching. */
export function toSearchText({ delivery }: Pick<CheckoutContent, "delivery">): string {
  return foldText(delivery === undefined ? "" : `${delivery.email} ${delivery.name}`)
    .slice(0, MAX_TEXT_LENGTH)
    .toWellFormed();
}

/**
 * Returns patterns for LIKE with the escape character "!", one for each word of a search. A text that contains all
 * words matches.
 */
export function toSearchPatterns(search: string): readonly string[] {
  const words = foldText(search).split(/\s+/).filter(Boolean);
  return words.map((word) => `%${word.replaceAll(/[!%_]/g, "!$&")}%`);
}

/** Stores the missing search texts of orders that were stored by an earlier version of the software. */
export async function addMissingSearchTexts(database: Database): Promise<void> {
  for (;;) {
    const rows = await database.read(`SELECT id, content FROM orders WHERE search_text IS NULL LIMIT ${BATCH_SIZE}`);
    if (rows.length === 0) return;
    await database.write(
      rows.map(({ id = "", content }) => ({
        sql: "UPDATE orders SET search_text = $2 WHERE id = $1",
        params: [id, toSearchText(JSON.parse(String(content)) as CheckoutContent)],
      })),
    );
  }
}

/** Removes case and accents. */
function foldText(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").replaceAll("\0", "").toLowerCase();
}
