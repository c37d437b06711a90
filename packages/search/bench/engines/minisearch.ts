import MiniSearch from "minisearch";
import { type FlatDocument, readFlat } from "../../../../bench/flat-documents.ts";
import { type Engine, serve } from "./engine.ts";

/** Names of the columns of a flat document. */
const columns = ["title", "vendor", "type", "author", "tags", "sku", "barcode", "options", "body"] as const;
const boost = { title: 5, vendor: 3, type: 3, author: 3, tags: 2, sku: 2, barcode: 2, options: 2, body: 1 };
/** Minimum length of a word that may have misspellings. */
const minFuzzy = 4;

/**
 * Opens MiniSearch. All words must match, the last one as a prefix, with changes in up to a fifth of a word's letters.
 * If there are no such documents, any word suffices. `minisearch-or` always accepts any word, as is the default, and
 * ranks documents with most words first.
 */
async function openMiniSearch(documents: string, _: string, name: string): Promise<Engine> {
  const requiresAllWords = name === "minisearch";
  const index = new MiniSearch<FlatDocument>({
    idField: "number",
    fields: [...columns],
    extractField: ({ number, values }, field) =>
      field === "number" ? number : (values[(columns as readonly string[]).indexOf(field)]?.join(" ") ?? ""),
  });
  for (const document of readFlat(documents)) index.add(document);
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

await serve(openMiniSearch);
