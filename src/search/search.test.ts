import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { SegmentWithDeletes } from "./index/segment.ts";
import { createSegmentBuilder } from "./index/segment-builder.ts";
import { schema } from "./schema.fixture.ts";
import type { Query, SearchDocument } from "./search-index.ts";
import { Searcher } from "./searcher.ts";
import { slowSearch } from "./slow-search.fixture.ts";

const searcher = new Searcher(schema);

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
    // Which documents a second segment holds anew, and which are gone altogether.
    renewed: fc.array(shape, { maxLength: 4 }),
    gone: fc.array(fc.nat({ max: 13 }), { maxLength: 3 }),
    text: queryText,
    k: fc.constantFrom(1, 3, 100),
    fields: fc.constantFrom(undefined, undefined, 1, 0x100, 0x110),
    typos: fc.boolean(),
    unavailable: fc.constantFrom("last" as const, "show" as const, "hide" as const),
    refused: fc.constantFrom(-1, -1, 2),
  });
  fc.assert(
    fc.property(world, ({ shapes, renewed, gone, text, k, fields, typos, unavailable, refused }) => {
      const first = shapes.map((one, number): SearchDocument => ({ ...one, externalId: number, locale: "en" }));
      const second = renewed.map((one, index): SearchDocument => ({ ...one, externalId: index * 2, locale: "en" }));
      const removed = new Set([...gone, ...second.map((one) => one.externalId)]);
      const segments: SegmentWithDeletes[] = [first, second].map((documents, segment) => {
        const builder = createSegmentBuilder(schema, "en");
        for (const document of documents) builder.add(document);
        return { segment: builder.finish(), removed: segment === 0 ? removed : new Set() };
      });
      const index = searcher.open(segments, { synonyms: [], popular: [] });
      const living = [...first.filter((one) => !removed.has(one.externalId)), ...second];
      const limits = new Map([0, 1].map((type) => [type, k]));
      const accept = (externalId: number) => externalId !== refused;
      const query: Query = { text, locale: "en", limits, typos, unavailable, accept, ...(fields && { fields }) };
      // What is cached from letter to letter changes nothing.
      for (let end = 1; end < text.length; end += 1) index.search({ ...query, text: text.slice(0, end) });
      const found = index.search(query);
      const { hits, isLoose } = slowSearch([...first, ...second], living, query);
      for (const type of [0, 1]) {
        const mine = found.get(type) ?? [];
        for (const hit of mine) {
          const why = index.explain(query, hit.externalId);
          assert.equal(why?.score, hit.score);
          assert.ok(Math.abs((why?.parts ?? []).reduce((sum, leaf) => sum + leaf.score, 0) - hit.score) < 1e-6);
        }
        const wanted = hits
          .filter((hit) => hit.type === type)
          .map(({ externalId, score }) => {
            return {
              externalId,
              type,
              score: isLoose ? (index.explain(query, externalId)?.score ?? Number.NaN) : score,
            };
          })
          .sort((one, other) => other.score - one.score || one.externalId - other.externalId);
        assert.deepEqual(mine, wanted.slice(0, k));
      }
    }),
    { numRuns: rounds },
  );
});

test("words and beginnings that many documents hold are found as all others are", () => {
  const stems = "sable salt sand scarf silk slate smoke snow soap spoon stone straw amber birch cedar".split(" ");
  const words = stems.flatMap((stem) => [stem, `${stem}s`, `${stem}board`]);
  const living = Array.from({ length: 1_600 }, (_, number): SearchDocument => {
    const pick = (nth: number) => words[(number * (nth * 17 + 7) + nth * nth * 5) % words.length] as string;
    return {
      externalId: number,
      type: 0,
      available: number % 4 !== 0,
      popularity: ((number * 7919) % 997) / 997,
      locale: "en",
      fields: [
        [0, `${pick(0)} ${pick(1)} for ${pick(2)}`],
        [8, `${pick(3)} ${pick(4)}`],
      ],
    };
  });
  const builder = createSegmentBuilder(schema, "en");
  for (const document of living) builder.add(document);
  const removed = new Set(living.filter(({ externalId }) => externalId % 9 === 0).map(({ externalId }) => externalId));
  const index = searcher.open([{ segment: builder.finish(), removed }], { synonyms: [], popular: [] });
  const asked = [
    "s",
    "sn",
    "snow s",
    "amber s",
    "s birch",
    "s for cedar",
    "amber snow s zzz",
    "zzz s for",
    "sandboard st",
  ];
  for (const text of [...asked, "smoek sil", "cedars for sno", "salt soap straw birch amber"])
    for (const unavailable of ["last", "hide"] as const) {
      const query: Query = { text, locale: "en", limits: new Map([[0, 10]]), typos: true, unavailable };
      const left = living.filter(({ externalId }) => !removed.has(externalId));
      const { hits, isLoose } = slowSearch(living, left, query);
      const wanted = hits
        .map(({ externalId, type, score }) => ({
          externalId,
          type,
          score: isLoose ? (index.explain(query, externalId)?.score ?? Number.NaN) : score,
        }))
        .sort((one, other) => other.score - one.score || one.externalId - other.externalId);
      // Of very many that hold several words only the first by static rank are scored.
      if (hits.length <= 128 || !text.includes(" "))
        assert.deepEqual(index.search(query).get(0), wanted.slice(0, 10), text);
      else {
        const found = index.search(query).get(0) ?? [];
        assert.equal(found.length, 10, text);
        for (const hit of found)
          assert.equal(hit.score, wanted.find(({ externalId }) => externalId === hit.externalId)?.score, text);
      }
    }
});
