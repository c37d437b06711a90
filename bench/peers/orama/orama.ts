import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Engine, type EngineSource, saveText, serve } from "../../../packages/search/bench/engines/engine.ts";
import { readFlat } from "../../flat-documents.ts";
import { peers } from "../peers.ts";

/** The used part of Orama. Its types are unknown here, because it is installed outside the checkout. */
interface Orama {
  create(options: object): object;
  insert(database: object, document: object): unknown;
  save(database: object): object;
  load(database: object, saved: object): void;
  search(database: object, query: object): { readonly hits: readonly { readonly id: string }[] };
}

const columns = ["title", "vendor", "type", "author", "tags", "sku", "barcode", "options", "body"] as const;
const boost = { title: 5, vendor: 3, type: 3, author: 3, tags: 2, sku: 2, barcode: 2, options: 2, body: 1 };
const languages: Readonly<Record<string, string>> = { de: "german", en: "english", es: "spanish", fr: "french" };

/** `threshold` 0 requires all words, and 1 any word. `tolerance` is the maximum of edits in each word. */
type Attempt = readonly [threshold: 0 | 1, tolerance: 0 | 1];
const exactAttempts: readonly Attempt[] = [
  [0, 0],
  [1, 0],
];
const tolerantAttempts: readonly Attempt[] = [
  [0, 0],
  [0, 1],
  [1, 0],
];

/**
 * Opens Orama with field boosts. All words are required; if no product has them, one edit is tolerated in each word;
 * then any word suffices. Tolerance from the start halves nDCG@10. Every word may be a prefix, which Orama does not
 * restrict to the last one.
 */
async function openOrama({ documents, locale, folder }: EngineSource): Promise<Engine> {
  const { create, insert, load, save, search } = (await import(peers.orama.installedFile)) as Orama;
  const schema = Object.fromEntries(columns.map((column) => [column, "string"]));
  const database = create({ schema, language: languages[locale] });
  const savedFile = join(folder, "index.json");
  if (existsSync(savedFile)) load(database, JSON.parse(readFileSync(savedFile, "utf8")) as object);
  else {
    for (const { number, values } of readFlat(documents)) {
      const fields = columns.map((column, at) => [column, values[at]?.join(" ") ?? ""]);
      insert(database, { id: String(number), ...Object.fromEntries(fields) });
    }
    saveText(savedFile, () => JSON.stringify(save(database)));
  }
  return {
    search(text, typos, limit) {
      if (text.trim() === "") return [];
      for (const [threshold, tolerance] of typos ? tolerantAttempts : exactAttempts) {
        const { hits } = search(database, { term: text, boost, limit, threshold, tolerance });
        if (hits.length > 0) return hits.map(({ id }) => Number(id));
      }
      return [];
    },
  };
}

await serve(openOrama);
