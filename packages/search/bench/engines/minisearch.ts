import MiniSearch from "minisearch";
import { type FlatDocument, readFlat } from "../../../../bench/flat-documents.ts";
import { type Engine, serve } from "./engine.ts";

/** By the column of a flat document. */
const columns = ["title", "vendor", "type", "author", "tags", "sku", "barcode", "options", "body"] as const;
const boost = { title: 5, vendor: 3, type: 3, author: 3, tags: 2, sku: 2, barcode: 2, options: 2, body: 1 };
/** Shorter words are taken as they are. */
const minFuzzy = 4;

/** Every word must be there, the last as a beginning, a fifth of the letters of a word may differ; where nothing holds them all,
 *  any of them will do. As `minisearch-or` any of
 *  them does from the start, which is what the engine does unasked: it ranks those with most words first. */
async function openMiniSearch(documents: string, _: string, name: string): Promise<Engine> {
  const wantsAll = name === "minisearch";
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
      const hits = wantsAll ? index.search(text, { ...options, combineWith: "AND" }) : [];
      return (hits.length > 0 ? hits : index.search(text, options)).slice(0, limit).map(({ id }) => Number(id));
    },
  };
}

await serve(openMiniSearch);
