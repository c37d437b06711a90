import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { withDeletes } from "./index/segment.ts";
import { createSegmentBuilder } from "./index/segment-builder.ts";
import { type LearnedChoice, packLearned } from "./learned-choices.ts";
import { schema } from "./schema.fixture.ts";
import { boughtPoints, learnedPoints, pointUnit } from "./scoring/score.ts";
import type { Query, SearchDocument } from "./search-index.ts";
import { Searcher } from "./searcher.ts";

const chose = (text: string, id: number, weight: number): LearnedChoice<number> => ({ locale: "en", text, id, weight });

test("what was learned of just these words counts alone; a beginning counts all that it may become", () => {
  const learned = packLearned([
    chose("boots", 7, 80),
    chose("boot", 7, 30),
    chose("boot", 9, 55),
    chose("rain coat", 12, 200),
  ]);
  const found = (text: string, locale = "en") =>
    learned.find(text, locale).map(({ id, strength }) => `${id} ${strength.toFixed(2)}`);
  assert.deepEqual(found("boots"), ["7 0.67"]);
  assert.deepEqual(found("Boot"), ["9 0.58", "7 0.32"]);
  assert.deepEqual(found("boo"), ["7 0.73", "9 0.37"]);
  assert.deepEqual(found("  Rain-Coat "), ["12 0.83"], "spellings share a key");
  assert.deepEqual(found("bo"), [], "two letters say nothing yet");
  assert.deepEqual(found("boots red"), []);
  assert.deepEqual(found("oot"), []);
  assert.deepEqual(found(""), []);
  assert.deepEqual(found("boots", "fr"), []);
});

test("a beginning of very many learned queries finds nothing, and at most ten documents are found", () => {
  const many = Array.from({ length: 70 }, (_, n) => chose(`lamp ${n}`, n, 30));
  const learned = packLearned(many);
  assert.deepEqual(learned.find("lamp", "en"), []);
  assert.equal(learned.find("lamp 1", "en").length, 1);
  assert.equal(packLearned(many.map((one) => ({ ...one, text: "lamp" }))).find("lam", "en").length, 10);
});

const words = "red shoe shoes snow board boots wax deck".split(" ");
const text = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 }).map((some) => some.join(" "));

test("documents that shoppers chose are lifted as if all hits were sorted again, and no others come in", () => {
  const searcher = new Searcher(schema);
  const world = fc.record({
    titles: fc.array(text, { minLength: 1, maxLength: 20 }),
    choices: fc.array(fc.tuple(fc.nat({ max: 22 }), fc.integer({ min: 1, max: 200 })), { minLength: 1, maxLength: 6 }),
    asked: text,
    k: fc.constantFrom(1, 3, 100),
    unavailable: fc.constantFrom("last" as const, "show" as const, "hide" as const),
  });
  fc.assert(
    fc.property(world, ({ titles, choices, asked, k, unavailable }) => {
      const builder = createSegmentBuilder(schema, "en");
      titles.forEach((title, number) => {
        const field = number % 3 === 2 ? 8 : number % 3;
        const one = { type: number % 5 === 4 ? 1 : 0, available: number % 4 !== 3, popularity: (number % 7) / 7 };
        builder.add({ ...one, externalId: number, locale: "en", fields: [[field, title]] } satisfies SearchDocument);
      });
      const segments = [withDeletes(builder.finish(), [1])];
      const learned = packLearned(choices.map(([id, weight]) => chose(asked, id, weight)));
      const before = searcher.open(segments, { synonyms: [], popular: [] });
      const after = searcher.open(segments, { synonyms: [], popular: [], learned });
      const query = (limit: number): Query => {
        const limits = new Map([0, 1].map((type) => [type, limit]));
        return { text: asked, locale: "en", limits, typos: true, unavailable };
      };
      for (const [type, hits] of before.search(query(1_000))) {
        const again = hits.map((hit) => {
          const score = after.explain(query(1), hit.externalId)?.score ?? Number.NaN;
          const strength = learned.find(asked, "en").find(({ id }) => id === hit.externalId)?.strength ?? 0;
          assert.ok(score >= hit.score && score <= hit.score + Math.round(strength * learnedPoints) / pointUnit);
          return { ...hit, score };
        });
        again.sort((one, other) => other.score - one.score || one.externalId - other.externalId);
        assert.deepEqual(after.search(query(k)).get(type), again.slice(0, k));
      }
    }),
    { numRuns: 300 },
  );
});

test("what shoppers chose decides among like documents, says so, and lifts nothing over what says more, nor what lacks a word", () => {
  const titles = ["snow boots", "snow boots", "boots of snow and rain and mud for the country", "snow shovel"];
  const builder = createSegmentBuilder(schema, "en");
  titles.forEach((title, number) => {
    const one = { externalId: number, type: 0, available: true, popularity: 0, locale: "en" };
    builder.add({ ...one, fields: [[0, title]] });
  });
  builder.add({
    ...{ externalId: 4, type: 0, available: true, popularity: 0, locale: "en" },
    fields: [
      [0, "socks"],
      [8, "worn in snow boots"],
    ],
  });
  const learned = packLearned([chose("snow boots", 1, 300), chose("snow boots", 3, 300), chose("snow boots", 4, 300)]);
  const index = new Searcher(schema).open([{ segment: builder.finish() }], {
    ...{ synonyms: [], popular: [] },
    learned,
  });
  const query = {
    text: "snow boots",
    locale: "en",
    limits: new Map([[0, 10]]),
    typos: true,
    unavailable: "last",
  } as const;
  const found = index.search(query).get(0) ?? [];
  assert.deepEqual(
    found.map(({ externalId }) => externalId).filter((id) => id !== 3),
    [1, 0, 2, 4],
  );
  const because = (id: number) => index.explain(query, id)?.parts.find(({ reason }) => /shoppers/.test(reason))?.score;
  assert.ok((because(1) ?? 0) > 0);
  assert.equal(because(0), undefined);
  assert.equal(because(3), undefined, "it lacks a word");
});

test("of the best 64 by words those that are bought more come earlier, however many are asked for, and explanations add up", () => {
  const searcher = new Searcher(schema);
  const world = fc.record({
    titles: fc.array(text, { minLength: 1, maxLength: 140 }),
    bought: fc.dictionary(fc.nat({ max: 140 }).map(String), fc.double({ min: 0.01, max: 1, noNaN: true })),
    asked: text,
    unavailable: fc.constantFrom("last" as const, "hide" as const),
  });
  fc.assert(
    fc.property(world, ({ titles, bought, asked, unavailable }) => {
      const builder = createSegmentBuilder(schema, "en");
      titles.forEach((title, number) => {
        const one = { type: number % 9 === 4 ? 1 : 0, available: number % 4 !== 3, popularity: (number % 7) / 7 };
        builder.add({ ...one, externalId: number, locale: "en", fields: [[number % 11 === 2 ? 8 : 0, title]] });
      });
      const segments = [withDeletes(builder.finish(), [1])];
      const strengthOf = (id: number): number => bought[String(id)] ?? 0;
      const purchases = { type: 0, strengthOf };
      const before = searcher.open(segments, { synonyms: [], popular: [] });
      const after = searcher.open(segments, { synonyms: [], popular: [], bought: purchases });
      const query = (limit: number): Query => {
        const limits = new Map([0, 1].map((type) => [type, limit]));
        return { text: asked, locale: "en", limits, typos: true, unavailable };
      };
      const [plain, lifted] = [before.search(query(1_000)), after.search(query(1_000))];
      assert.deepEqual(lifted.get(1), plain.get(1));
      const lift = (id: number) => Math.round(strengthOf(id) * boughtPoints) / pointUnit;
      const again = (plain.get(0) ?? []).map((hit, at) =>
        at < 64 && hit.missing === 0 ? { ...hit, score: hit.score + lift(hit.externalId) } : hit,
      );
      again.sort((one, other) => other.score - one.score || one.externalId - other.externalId);
      assert.deepEqual(lifted.get(0), again);
      for (const k of [1, 10, 70]) assert.deepEqual(after.search(query(k)).get(0), again.slice(0, k));
      for (const { externalId, score } of again) {
        const why = after.explain(query(1), externalId);
        assert.equal(why?.score, score);
        assert.equal(
          why?.parts.some(({ reason }) => /bought/.test(reason)),
          score !== plain.get(0)?.find((hit) => hit.externalId === externalId)?.score,
        );
      }
    }),
    { numRuns: 60 },
  );
});
