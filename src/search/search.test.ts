import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createSegmentBuilder } from "./index-builder.ts";
import type { Query, SearchDocument } from "./search-index.ts";
import { type Layer, openIndex } from "./segments.ts";
import { slowSearch } from "./slow-search.fixture.ts";

const vocabulary = [
  ..."red shoe shoes snow board snowboard snowbaord t-shirt tshirt t shirt berry berries nor.0707-60 070760 nor 60".split(
    " ",
  ),
  ..."snowboards abcdefgh abcdefhg abcd abdc a b 東京 東京タワー 京 27 27inch inch sno s 1l 1000ml 1 l 1,5l deck for - board, (shoe".split(
    " ",
  ),
];
const text = fc.array(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: 4 }).map((words) => words.join(" "));
const shape = fc.record({
  type: fc.constantFrom(0, 0, 0, 1, 4),
  available: fc.boolean(),
  popularity: fc.constantFrom(0, 0.25, 0.5),
  fields: fc.array(fc.tuple(fc.constantFrom(0, 0, 1, 4, 5, 8), text), { minLength: 1, maxLength: 4 }),
});
const queryText = fc
  .tuple(
    fc.array(fc.constantFrom(...vocabulary, "snwo", "berri", "zz", "deckshoes", "snowbo"), {
      minLength: 1,
      maxLength: 4,
    }),
    fc.nat({ max: 30 }),
  )
  .map(([words, cut]) => {
    const joined = words.join(" ");
    return cut < 15 ? joined : joined.slice(0, Math.max(1, joined.length - (cut % 4)));
  });
const rounds = Number(process.env.VITRINE_ROUNDS ?? 500);

test("the best of any query over any catalogue are those a scorer that looks at everything finds", () => {
  const world = fc.record({
    shapes: fc.array(shape, { minLength: 1, maxLength: 14 }),
    // Which documents a second layer holds anew, and which are gone altogether.
    renewed: fc.array(shape, { maxLength: 4 }),
    gone: fc.array(fc.nat({ max: 13 }), { maxLength: 3 }),
    text: queryText,
    k: fc.constantFrom(1, 3, 100),
    fields: fc.constantFrom(undefined, undefined, 1, 0x110),
    typos: fc.boolean(),
    unavailable: fc.constantFrom("last" as const, "show" as const, "hide" as const),
    refused: fc.constantFrom(-1, -1, 2),
  });
  fc.assert(
    fc.property(world, ({ shapes, renewed, gone, text, k, fields, typos, unavailable, refused }) => {
      const first = shapes.map((one, number): SearchDocument => ({ ...one, number, locale: "en" }));
      const second = renewed.map((one, index): SearchDocument => ({ ...one, number: index * 2, locale: "en" }));
      const removed = new Set([...gone, ...second.map((one) => one.number)]);
      const layers: Layer[] = [first, second].map((documents, layer) => {
        const builder = createSegmentBuilder("en");
        for (const document of documents) builder.add(document);
        return { segment: builder.finish(), removed: layer === 0 ? removed : new Set() };
      });
      const index = openIndex(layers, { synonyms: [], popular: [] });
      const living = [...first.filter((one) => !removed.has(one.number)), ...second];
      const limits = new Map([0, 1].map((type) => [type, k]));
      const accept = (number: number) => number !== refused;
      const query: Query = { text, locale: "en", limits, typos, unavailable, accept, ...(fields && { fields }) };
      const found = index.search(query);
      const { hits, isLoose } = slowSearch([...first, ...second], living, query);
      for (const type of [0, 1]) {
        const mine = found.get(type) ?? [];
        for (const hit of mine) {
          const why = index.explain(query, hit.number);
          assert.equal(why?.score, hit.score);
          assert.ok(Math.abs((why?.parts ?? []).reduce((sum, part) => sum + part.score, 0) - hit.score) < 1e-6);
        }
        const wanted = hits
          .filter((hit) => hit.type === type)
          .map(({ number, score }) => {
            return { number, type, score: isLoose ? (index.explain(query, number)?.score ?? Number.NaN) : score };
          })
          .sort((one, other) => other.score - one.score || one.number - other.number);
        assert.deepEqual(mine, wanted.slice(0, k));
      }
    }),
    { numRuns: rounds },
  );
});
