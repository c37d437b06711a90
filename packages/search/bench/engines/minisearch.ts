import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import MiniSearch, { type Options } from "minisearch";
import { type FlatDocument, readFlat } from "../../../../bench/flat-documents.ts";
import { type Engine, type EngineSource, saveText, serve } from "./engine.ts";

/** Names of the fields of a document, in the order of its values. */
const columns = ["title", "vendor", "type", "author", "tags", "sku", "barcode", "options", "body"] as const;
const boost = { title: 5, vendor: 3, type: 3, author: 3, tags: 2, sku: 2, barcode: 2, options: 2, body: 1 };
/** Minimum number of letters in a word that may be misspelled. */
const minFuzzy = 4;

/**
 * Opens MiniSearch. A document must contain all words of the query. The last word may be a prefix, and up to a fifth of
 * a word's letters may differ. If no document matches, any word suffices. The variant `minisearch-or` always accepts
 * any word, which is the default of MiniSearch.
 */
async function openMiniSearch({ documents, name, folder }: EngineSource): Promise<Engine> {
  const requiresAllWords = name === "minisearch";
  const index = openIndex(documents, join(folder, "index.json"));
  return {
    search(text, typos, limit, isWhole) {
      const options = {
        boost,
        prefix: (_: string, at: number, words: string[]) => !isWhole && at === words.length - 1,
        fuzzy: (word: string) => typos && word.length >= minFuzzy && /^\p{L}+$/u.test(word) && 0.2,
      };
      const hits = requiresAllWords ? index.search(text, { ...options, combineWith: "AND" }) : [];
      return (hits.length > 0 ? hits : index.search(text, options)).slice(0, limit).map(({ id }) => Number(id));
    },
  };
}

function openIndex(documents: string, savedFile: string): MiniSearch<FlatDocument> {
  const options: Options<FlatDocument> = {
    idField: "number",
    fields: [...columns],
    extractField: ({ number, values }, field) =>
      field === "number" ? number : (values[(columns as readonly string[]).indexOf(field)]?.join(" ") ?? ""),
  };
  if (existsSync(savedFile)) return MiniSearch.loadJSON(readFileSync(savedFile, "utf8"), options);
  const index = new MiniSearch<FlatDocument>(options);
  for (const document of readFlat(documents)) index.add(document);
  saveText(savedFile, () => JSON.stringify(index));
  return index;
}

await serve(openMiniSearch);
