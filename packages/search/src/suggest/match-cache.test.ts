import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createSegmentBuilder } from "../index/leaf-builder.ts";
import { fields, schema } from "../schema.fixture.ts";
import { createSearcher } from "../searcher.ts";

const searcher = createSearcher(schema);
/** Few words, so that most texts are related. Some of them join two other words. */
const words = ["deck", "shoes", "deckshoes", "lamp", "lamps", "tv", "flat", "screen", "4", "ft"];
const synonyms = [["tv", "flat screen"]];
const text = fc
  .array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 })
  .map((textWords) => textWords.join(" "));

function createSegment(titles: readonly string[]) {
  const builder = createSegmentBuilder(schema, "en");
  const commonFields = { type: 0, available: true, popularity: 0, locale: "en", phrases: "runs" } as const;
  titles.forEach((title, externalId) => {
    builder.add({ ...commonFields, externalId, fields: [[fields.title, title]] });
  });
  return builder.finish();
}

test("completions do not depend on earlier completions", () => {
  const listLength = { minLength: 1, maxLength: 5 };
  fc.assert(
    fc.property(
      fc.array(text, listLength),
      fc.array(text, listLength),
      fc.boolean(),
      (titles, typedTexts, isByLetter) => {
        const segment = createSegment(titles);
        const open = () => searcher.open([segment], { synonyms, popular: [] });
        const sharedIndex = open();
        for (const fullText of typedTexts)
          for (const prefix of listPrefixes(fullText, isByLetter ? 1 : fullText.length))
            assert.deepEqual(sharedIndex.complete(prefix, "en", 10), open().complete(prefix, "en", 10), prefix);
      },
    ),
    { numRuns: 150 },
  );
});

test("words without a common product have one once the next word joins or expands them", () => {
  const index = searcher.open([createSegment(["Lamp Deckshoes", "Deck", "TV Deck", "Flat"])], {
    synonyms,
    popular: [],
  });
  for (const typedText of ["lamp deck", "deck flat"])
    assert.ok(!index.complete(typedText, "en", 10).includes(typedText), typedText);
  for (const typedText of ["lamp deck shoes", "deck flat screen"])
    assert.deepEqual(index.complete(typedText, "en", 10), [typedText]);
});

function listPrefixes(fullText: string, step: number): string[] {
  return Array.from({ length: fullText.length / step }, (_, index) => fullText.slice(0, (index + 1) * step));
}
