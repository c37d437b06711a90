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
const text = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 }).map((some) => some.join(" "));

function segmentOf(titles: readonly string[]) {
  const builder = createSegmentBuilder(schema, "en");
  const common = { type: 0, available: true, popularity: 0, locale: "en", phrases: "runs" } as const;
  titles.forEach((title, externalId) => {
    builder.add({ ...common, externalId, fields: [[fields.title, title]] });
  });
  return builder.finish();
}

test("completions are the same whatever was completed before", () => {
  const lists = { minLength: 1, maxLength: 5 };
  fc.assert(
    fc.property(fc.array(text, lists), fc.array(text, lists), fc.boolean(), (titles, typed, isByLetter) => {
      const segment = segmentOf(titles);
      const open = () => searcher.open([segment], { synonyms, popular: [] });
      const kept = open();
      for (const whole of typed)
        for (const begun of beginnings(whole, isByLetter ? 1 : whole.length))
          assert.deepEqual(kept.complete(begun, "en", 10), open().complete(begun, "en", 10), begun);
    }),
    { numRuns: 150 },
  );
});

test("words that are in no product together are in one as soon as the next word says them otherwise", () => {
  const index = searcher.open([segmentOf(["Lamp Deckshoes", "Deck", "TV Deck", "Flat"])], {
    synonyms,
    popular: [],
  });
  for (const typed of ["lamp deck", "deck flat"]) assert.ok(!index.complete(typed, "en", 10).includes(typed), typed);
  for (const typed of ["lamp deck shoes", "deck flat screen"])
    assert.deepEqual(index.complete(typed, "en", 10), [typed]);
});

function beginnings(whole: string, step: number): string[] {
  return Array.from({ length: whole.length / step }, (_, at) => whole.slice(0, (at + 1) * step));
}
