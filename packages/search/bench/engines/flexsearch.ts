import { Charset, Encoder, Index } from "flexsearch";
import { readFlat } from "../../../../bench/flat-documents.ts";
import { type Engine, serve } from "./engine.ts";

/**
 * Opens FlexSearch with one index of forward tokens over all texts, in order of their weight, because earlier text
 * ranks higher. If no product has all words, some words suffice (`suggest`). It supports no edits. Its phonetic
 * encoders scored lower in every measure of relevance.ts.
 */
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
