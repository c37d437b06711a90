import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { readFlat } from "../../../../bench/flat-documents.ts";
import { type Engine, type EngineSource, serve } from "./engine.ts";

/** Weights of the columns title, vendor, type, author, tags, SKU, barcode, options and body. */
const weights = [5, 3, 3, 3, 2, 2, 2, 2, 1];

/** Bytes of the database that are mapped into memory, instead of copied into a page cache. */
const mappedBytes = 4e9;

/**
 * Opens an FTS5 table in a file, with the English stemmer and without accents. A document matches if it contains any
 * word of the query. The last word may be a prefix. Documents are ranked by BM25 with weighted columns. FTS5 has no
 * typo tolerance.
 */
async function openFts5({ documents, folder }: EngineSource): Promise<Engine> {
  const file = join(folder, "products.db");
  const isBuilt = existsSync(file);
  const database = new DatabaseSync(file);
  database.exec(`PRAGMA mmap_size = ${mappedBytes}`);
  if (!isBuilt) build(database, documents);
  const select = database.prepare(
    `SELECT rowid FROM products WHERE products MATCH ? ORDER BY bm25(products, ${weights.join()}) LIMIT ?`,
  );
  return {
    search(text, _, limit, isWhole) {
      const words = text.normalize("NFC").match(/[\p{L}\p{N}]+/gu) ?? [];
      if (words.length === 0) return [];
      // The last word is searched both in full and as a prefix. The full word is rarer, so BM25 ranks it higher.
      const exactExpression = words.map((word) => `"${word}"`).join(" OR ");
      const expression = isWhole ? exactExpression : `${exactExpression} OR "${words.at(-1)}"*`;
      const rows = select.all(expression, limit) as { rowid: number }[];
      return rows.map(({ rowid }) => rowid - 1);
    },
  };
}

function build(database: DatabaseSync, documents: string): void {
  const names = weights.map((_, at) => `c${at}`).join();
  database.exec(
    `CREATE VIRTUAL TABLE products USING fts5(${names}, tokenize = "porter unicode61 remove_diacritics 2", prefix = '1 2 3')`,
  );
  const insert = database.prepare(
    `INSERT INTO products (rowid, ${names}) VALUES (?, ${weights.map(() => "?").join()})`,
  );
  database.exec("BEGIN");
  for (const { number, values } of readFlat(documents))
    insert.run(number + 1, ...weights.map((_, at) => values[at]?.join(" ") ?? ""));
  database.exec("COMMIT");
  database.exec("INSERT INTO products (products) VALUES ('optimize')");
}

await serve(openFts5);
