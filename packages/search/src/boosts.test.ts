import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { QueryBoost } from "./boosts.ts";
import { createSegmentBuilder } from "./index/leaf-builder.ts";
import { deleteDocuments, type Segment } from "./index/segment.ts";
import { schema } from "./schema.fixture.ts";
import { unitsPerPoint } from "./scoring/score.ts";
import type { Query } from "./search-index.ts";
import { createSearcher } from "./searcher.ts";

const words = "red shoe shoes snow board boots wax deck".split(" ");
const text = fc
  .array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 })
  .map((textWords) => textWords.join(" "));

const sumPoints = (boosts: readonly QueryBoost[], id: number): number =>
  boosts.reduce(
    (sum, { externalId, points }) => sum + (externalId === id ? Math.round(points * unitsPerPoint) : 0),
    0,
  ) / unitsPerPoint;

/**
 * Builds a segment with a document for each title, and deletes document 1.
 * @param describe returns the type of a document, and the field that contains its title
 */
function segmentsOf(
  titles: readonly string[],
  describe: (number: number) => { readonly type: number; readonly field: number },
): readonly Segment[] {
  const builder = createSegmentBuilder(schema, "en");
  titles.forEach((title, externalId) => {
    const { type, field } = describe(externalId);
    const ranking = { type, available: externalId % 4 !== 3, popularity: (externalId % 7) / 7 };
    builder.add({ externalId, locale: "en", ...ranking, fields: [[field, title]] });
  });
  return [deleteDocuments(builder.finish(), [1])];
}

test("hits with boosts of the query, the index and the caller equal a full sort, and no boost adds a hit", () => {
  const searcher = createSearcher(schema);
  const boost = fc.record({
    externalId: fc.nat({ max: 22 }),
    points: fc.double({ min: 0.01, max: 4, noNaN: true }),
    reason: fc.constantFrom("clicks", "editor"),
  });
  const boostCases = fc.record({
    titles: fc.array(text, { minLength: 1, maxLength: 20 }),
    indexBoosts: fc.array(boost, { maxLength: 6 }),
    callerBoosts: fc.array(boost, { maxLength: 6 }),
    queryText: text,
    k: fc.constantFrom(1, 3, 100),
    unavailable: fc.constantFrom("last" as const, "show" as const, "hide" as const),
  });
  fc.assert(
    fc.property(boostCases, ({ titles, indexBoosts, callerBoosts, queryText, k: hitLimit, unavailable }) => {
      const segments = segmentsOf(titles, (number) => {
        return { type: number % 5 === 4 ? 1 : 0, field: number % 3 === 2 ? 8 : number % 3 };
      });
      const forQuery = (typedText: string, locale: string) =>
        typedText === queryText && locale === "en" ? indexBoosts : [];
      const plainIndex = searcher.open(segments);
      const boostedIndex = searcher.open(segments, { boosts: { forQuery } });
      const query = (limit: number): Query => {
        const limits = new Map([0, 1].map((type) => [type, limit]));
        return { text: queryText, locale: "en", limits, typos: true, unavailable };
      };
      const createBoostedQuery = (limit: number): Query => ({ ...query(limit), boosts: callerBoosts });
      for (const [type, hits] of plainIndex.search(query(1_000))) {
        const expectedHits = hits.map((hit) => {
          const score = boostedIndex.explain(createBoostedQuery(1), hit.externalId)?.score ?? Number.NaN;
          const maxScore = hit.score + sumPoints([...indexBoosts, ...callerBoosts], hit.externalId);
          assert.ok(score >= hit.score && score <= maxScore + 1e-9, `${hit.score} <= ${score} <= ${maxScore}`);
          return { ...hit, score };
        });
        expectedHits.sort((a, b) => b.score - a.score || a.externalId - b.externalId);
        assert.deepEqual(boostedIndex.search(createBoostedQuery(hitLimit)).get(type), expectedHits.slice(0, hitLimit));
      }
    }),
    { numRuns: 300 },
  );
});

test("a boost orders similar documents and is explained; it cannot outweigh more words, and does not apply to a document that lacks a word", () => {
  const titles = ["snow boots", "snow boots", "boots of snow and rain and mud for the country", "snow shovel"];
  const builder = createSegmentBuilder(schema, "en");
  titles.forEach((title, number) => {
    const documentFields = { externalId: number, type: 0, available: true, popularity: 0, locale: "en" };
    builder.add({ ...documentFields, fields: [[0, title]] });
  });
  builder.add({
    ...{ externalId: 4, type: 0, available: true, popularity: 0, locale: "en" },
    fields: [
      [0, "socks"],
      [8, "worn in snow boots"],
    ],
  });
  const forQuery = () => [1, 3, 4].map((externalId) => ({ externalId, points: 1.8, reason: "clicks" }));
  const index = createSearcher(schema).open([builder.finish()], { boosts: { forQuery } });
  const query = {
    text: "snow boots",
    locale: "en",
    limits: new Map([[0, 10]]),
    typos: true,
    unavailable: "last",
  } as const;
  const hits = index.search(query).get(0) ?? [];
  assert.deepEqual(
    hits.map(({ externalId }) => externalId).filter((id) => id !== 3),
    [1, 0, 2, 4],
  );
  const clickPointsOf = (id: number) =>
    index.explain(query, id)?.parts.find(({ reason }) => reason === "clicks")?.score;
  assert.ok((clickPointsOf(1) ?? 0) > 0);
  assert.equal(clickPointsOf(0), undefined);
  assert.equal(clickPointsOf(3), undefined, "the document lacks a word");
});

test("boosts for all queries reorder the best 64 documents with all words, for any limit, and explanations add up", () => {
  const searcher = createSearcher(schema);
  const boostCases = fc.record({
    titles: fc.array(text, { minLength: 1, maxLength: 140 }),
    points: fc.dictionary(fc.nat({ max: 140 }).map(String), fc.double({ min: 0.01, max: 1, noNaN: true })),
    queryPoints: fc.dictionary(fc.nat({ max: 140 }).map(String), fc.double({ min: 0.01, max: 9, noNaN: true })),
    queryText: text,
    unavailable: fc.constantFrom("last" as const, "hide" as const),
  });
  fc.assert(
    fc.property(boostCases, ({ titles, points, queryPoints, queryText, unavailable }) => {
      const segments = segmentsOf(titles, (number) => {
        return { type: number % 9 === 4 ? 1 : 0, field: number % 11 === 2 ? 8 : 0 };
      });
      const pointsOf = (id: number): number => points[String(id)] ?? 0;
      const plainIndex = searcher.open(segments);
      const boostedIndex = searcher.open(segments, { boosts: { documents: { type: 0, reason: "sales", pointsOf } } });
      const newness = { type: 0, reason: "newness", pointsOf: (id: number): number => queryPoints[String(id)] ?? 0 };
      const query = (limit: number, documentBoosts: Query["documentBoosts"] = [newness]): Query => {
        const limits = new Map([0, 1].map((type) => [type, limit]));
        return { text: queryText, locale: "en", limits, typos: true, unavailable, documentBoosts };
      };
      const [plainHits, boostedHits] = [plainIndex.search(query(1_000, [])), boostedIndex.search(query(1_000))];
      assert.deepEqual(boostedHits.get(1), plainHits.get(1));
      const round = (value: number): number => Math.round(value * unitsPerPoint);
      const roundedPointsOf = (id: number) => (round(pointsOf(id)) + round(newness.pointsOf(id))) / unitsPerPoint;
      const expectedHits = (plainHits.get(0) ?? []).map((hit, index) =>
        index < 64 && hit.missing === 0 ? { ...hit, score: hit.score + roundedPointsOf(hit.externalId) } : hit,
      );
      expectedHits.sort((a, b) => b.score - a.score || a.externalId - b.externalId);
      assert.deepEqual(boostedHits.get(0), expectedHits);
      for (const hitLimit of [1, 10, 70])
        assert.deepEqual(boostedIndex.search(query(hitLimit)).get(0), expectedHits.slice(0, hitLimit));
      for (const { externalId, score } of expectedHits) {
        const explanation = boostedIndex.explain(query(1), externalId);
        assert.equal(explanation?.score, score);
        assert.equal(
          explanation?.parts.some(({ reason }) => reason === "sales" || reason === "newness"),
          score !== plainHits.get(0)?.find((hit) => hit.externalId === externalId)?.score,
        );
      }
    }),
    { numRuns: 60 },
  );
});
