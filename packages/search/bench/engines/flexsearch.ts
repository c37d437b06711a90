import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Charset, Encoder, Index } from "flexsearch";
import { readFlat } from "../../../../bench/flat-documents.ts";
import { type Engine, type EngineSource, saveText, serve } from "./engine.ts";

/**
 * Opens FlexSearch with one index over the texts of all fields. Important fields come first, because FlexSearch ranks
 * earlier text higher. If no product has all words, the option `suggest` finds products with some of them. FlexSearch
 * has no typo tolerance. Its phonetic encoders gave less relevant results.
 */
async function openFlexSearch({ documents, folder }: EngineSource): Promise<Engine> {
  const index = new Index({ tokenize: "forward", resolution: 9, encoder: new Encoder(Charset.Normalize) });
  const savedParts = readdirSync(folder);
  for (const part of savedParts) index.import(part, readFileSync(join(folder, part), "utf8"));
  if (savedParts.length === 0) {
    for (const { number, values } of readFlat(documents)) index.add(number, values.flat().join(" "));
    await index.export((part, data) => saveText(join(folder, part), () => data));
  }
  return {
    search(text, _, limit) {
      const hits = index.search(text, { limit });
      return (hits.length > 0 ? hits : index.search(text, { limit, suggest: true })).map(Number);
    },
  };
}

await serve(openFlexSearch);
