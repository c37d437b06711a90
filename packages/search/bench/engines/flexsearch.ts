import { Charset, Encoder, Index } from "flexsearch";
import { readFlat } from "../../../../bench/flat-documents.ts";
import { type Engine, serve } from "./engine.ts";

/** One index of forward tokens over all texts in the order of their weight: what stands earlier counts more. Where no product has
 *  all words, some will do (`suggest`). It knows no edits; its encoders that write alike what sounds alike were tried, and found
 *  less by every measure of relevance.ts than the plain one. */
async function openFlexSearch(documents: string): Promise<Engine> {
  const index = new Index({ tokenize: "forward", resolution: 9, encoder: new Encoder(Charset.Normalize) });
  for (const { number, values } of readFlat(documents)) index.add(number, values.flat().join(" "));
  return {
    search(text, _, limit) {
      const hits = index.search(text, { limit });
      return (hits.length > 0 ? hits : index.search(text, { limit, suggest: true })).map(Number);
    },
  };
}

await serve(openFlexSearch);
