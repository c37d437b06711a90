import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createSegmentBuilder } from "./index/leaf-builder.ts";
import { deleteDocuments, type Segment } from "./index/segment.ts";
import { schema } from "./schema.fixture.ts";
import type { Tier } from "./scoring/score.ts";
import type { Query, SearchDocument } from "./search-index.ts";
import { createSearcher } from "./searcher.ts";
import { slowSearch } from "./slow-search.fixture.ts";

const searcher = createSearcher(schema);

const vocabulary = [
  ..."red shoe shoes snow board snowboard snowbaord t-shirt tshirt t shirt berry berries nor.0707-60 070760 nor 60".split(
    " ",
  ),
  ..."☕ snowboards abcdefgh abcdefhg abcd abdc a b 東京 東京タワー 京 27 27inch inch sno s 1l 1000ml 1 l 1,5l deck for - board, (shoe".split(
    " ",
  ),
];
const vocabularyOfMeasures = [
  ..."5/8 1-1/2 1 1/2 ½ 6' 6'2\" 4x8 4 x 8 4ft ft 8ft. 4×8 2x4x8 1,000 1.250 #8 no. 6-pack of pack 10-12 kg 2001 200 iphone13 iphone 13".split(
    " ",
  ),
  ..."wh-1000xm4 wh1000 1000 xm4 12 90% 2 in 1 m² v1.5".split(" "),
];
const text = fc
  .array(fc.oneof(fc.constantFrom(...vocabulary), fc.constantFrom(...vocabularyOfMeasures)), {
    minLength: 1,
    maxLength: 5,
  })
  .map((words) => words.join(" "));
const shapeOf = (said: typeof text) =>
  fc.record({
    type: fc.constantFrom(0, 0, 0, 1, 4),
    available: fc.boolean(),
    popularity: fc.constantFrom(0, 0.25, 0.5),
    fields: fc.array(fc.tuple(fc.constantFrom(0, 0, 1, 2, 4, 5, 8), said), { minLength: 1, maxLength: 4 }),
  });
const shape = shapeOf(text);
const queryText = fc
  .tuple(
    fc.array(fc.constantFrom(...vocabulary, ...vocabularyOfMeasures, "snwo", "berri", "zz", "deckshoes", "snowbo"), {
      minLength: 1,
      maxLength: 4,
    }),
    fc.nat({ max: 30 }),
  )
  .map(([words, cut]) => {
    const joined = words.join(" ");
    return cut < 15 ? joined : joined.slice(0, Math.max(1, joined.length - (cut % 4)));
  });
/** Number of runs, which `npm run test:soak` increases. */
const rounds = Number(process.env.VITRINE_ROUNDS ?? 150);

/** Creates the documents and the query of a run. */
function worldOf(shapes: typeof shape, texts: typeof queryText, locale: string) {
  return fc.record({
    shapes: fc.array(shapes, { minLength: 1, maxLength: 14 }),
    // Documents that a second segment replaces. Unknown words are determined per segment.
    // segment.
    renewed: fc.array(shapes, { maxLength: locale === "en" ? 4 : 0 }),
    gone: fc.array(fc.nat({ max: 13 }), { maxLength: 3 }),
    text: texts,
    locale: fc.constant(locale),
    k: fc.constantFrom(1, 3, 100),
    fill: fc.constantFrom(undefined, 0, 2, 100),
    fields: fc.constantFrom(undefined, undefined, 1, 0x100, 0x110),
    typos: fc.boolean(),
    unavailable: fc.constantFrom("last" as const, "show" as const, "hide" as const),
    refused: fc.constantFrom(-1, -1, 2),
  });
}
type World = ReturnType<typeof worldOf> extends fc.Arbitrary<infer Given> ? Given : never;

function assertBestFound(world: World): void {
  const { shapes, renewed, gone, text, locale, k, fill, fields, typos, unavailable, refused } = world;
  const first = shapes.map((one, number): SearchDocument => ({ ...one, externalId: number, locale }));
  const second = renewed.map((one, index): SearchDocument => ({ ...one, externalId: index * 2, locale }));
  const removed = new Set([...gone, ...second.map((one) => one.externalId)]);
  const segments: Segment[] = [first, second].map((documents, segment) => {
    const builder = createSegmentBuilder(schema, locale);
    for (const document of documents) builder.add(document);
    return deleteDocuments(builder.finish(), segment === 0 ? [...removed].sort((a, b) => a - b) : []);
  });
  const index = searcher.open(segments, { synonyms: [], popular: [] });
  const living = [...first.filter((one) => !removed.has(one.externalId)), ...second];
  const limits = new Map([0, 1].map((type) => [type, k]));
  const accept = (externalId: number) => externalId !== refused;
  const query: Query = {
    text,
    locale,
    limits,
    typos,
    unavailable,
    accept,
    ...(fields && { fields }),
    ...(fill !== undefined && { fill }),
  };
  // Caches that earlier letters filled must not change the result.
  for (let end = 1; end < text.length; end += 1) index.search({ ...query, text: text.slice(0, end) });
  const found = index.search(query);
  const wanted = slowSearch([...first, ...second], living, query);
  for (const type of [0, 1]) {
    const mine = found.get(type) ?? [];
    for (const hit of mine) {
      const why = index.explain(query, hit.externalId);
      assert.equal(why?.score, hit.score);
      assert.ok(Math.abs((why?.parts ?? []).reduce((sum, leaf) => sum + leaf.score, 0) - hit.score) < 1e-6);
    }
    assert.deepEqual(
      mine,
      (wanted.get(type) ?? []).map(({ tier: _, ...hit }) => hit),
    );
  }
  // Expected are all results of the strictest step with results, unless its documents lack words.
  const all = { ...query, limits: new Map([0, 1].map((type) => [type, 100])), fill: 0 };
  for (const [type, hits] of slowSearch([...first, ...second], living, all)) {
    const strictest = hits[0]?.tier === "partial" ? [] : hits.map(({ externalId }) => externalId);
    assert.deepEqual([...index.matches(all, type)].sort(), strictest.sort());
  }
}

test("the best of any query over any catalogue are those a scorer that looks at everything finds", () => {
  fc.assert(fc.property(worldOf(shape, queryText, "en"), assertBestFound), { numRuns: rounds });
});

test("the same in languages that join words, write them together or in two scripts, and with emoji", () => {
  const vocabularies: Readonly<Record<string, string>> = {
    de: "regenjacke regen jacke jacken regenhut wollmütze wolle mütze mützen arbeitshose arbeit hose hosen für rot winterjacke regnerisch ☕ tasse",
    ar: "حقيبة الحقيبة والحقيبة للحقيبة حقيبات معطف المطر مطر بمطر ومعطف ١٢ 12 أزرق الازرق من",
    ko: "방수 자켓 재킷 자 잨 자ㅋ 방수자케 값 갑시 사과 ㅅ",
    zh: "电脑 電腦 防水 手机 手機 电 機 雨衣 防水手表 手錶 头发 髮 📱",
  };
  for (const [locale, vocabulary] of Object.entries(vocabularies)) {
    const known = fc.constantFrom(...vocabulary.split(" "));
    const said = fc.array(known, { minLength: 1, maxLength: 4 }).map((words) => words.join(" "));
    const cutOff = fc.tuple(said, fc.nat({ max: 6 })).map(([all, cut]) => all.slice(0, Math.max(1, all.length - cut)));
    const shapes = shapeOf(said);
    fc.assert(fc.property(worldOf(shapes, cutOff, locale), assertBestFound), { numRuns: Math.ceil(rounds / 8) });
  }
});

test("words and beginnings that many documents hold are found as all others are", () => {
  const stems = "sable salt sand scarf silk slate smoke snow soap spoon stone straw amber birch cedar".split(" ");
  const words = stems.flatMap((stem) => [stem, `${stem}s`, `${stem}board`]);
  const living = Array.from({ length: 800 }, (_, number): SearchDocument => {
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
  const index = searcher.open([deleteDocuments(builder.finish(), [...removed])], { synonyms: [], popular: [] });
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
      const everything = new Map([[0, living.length]]);
      const wanted = slowSearch(living, left, { ...query, limits: everything }).get(0) ?? [];
      const found = index.search(query).get(0) ?? [];
      const tiers = new Map(wanted.map(({ externalId, tier }) => [externalId, tier]));
      const sizes = Map.groupBy(tiers.values(), (tier) => tier);
      // If very many documents contain several words, only some are scored: the first by static rank, or those with the
      // heaviest words.
      // heaviest words.
      const isSampled = (tier: Tier) => text.includes(" ") && (sizes.get(tier)?.length ?? 0) > 64;
      assert.equal(found.length, Math.min(10, wanted.length), text);
      found.forEach((hit, place) => {
        const { tier, ...other } = wanted[place] as (typeof wanted)[number];
        assert.equal(tiers.get(hit.externalId), tier, text);
        if (!isSampled(tier)) assert.deepEqual(hit, other, text);
        else assert.equal(hit.score, wanted.find(({ externalId }) => externalId === hit.externalId)?.score, text);
      });
    }
});

test("from letter to letter, what holds all words gives way to nothing that does not", () => {
  const known = "red shoe shoes snow board boards berry berries snowy lamp tea teapot pot 27 27b".split(" ");
  const said = fc.array(fc.constantFrom(...known), { minLength: 1, maxLength: 4 }).map((words) => words.join(" "));
  const world = fc.record({
    texts: fc.array(fc.tuple(fc.constantFrom(0, 1, 8), said, fc.boolean()), { minLength: 1, maxLength: 12 }),
    text: fc
      .array(fc.constantFrom(...known, "zz", "for"), { minLength: 1, maxLength: 4 })
      .map((words) => words.join(" ")),
    k: fc.constantFrom(1, 2, 4, 20),
    typos: fc.boolean(),
    unavailable: fc.constantFrom("last" as const, "show" as const),
  });
  fc.assert(
    fc.property(world, ({ texts, text, k, typos, unavailable }) => {
      const builder = createSegmentBuilder(schema, "en");
      texts.forEach(([field, said, available], externalId) => {
        builder.add({ externalId, type: 0, available, popularity: 0, locale: "en", fields: [[field, said]] });
      });
      const index = searcher.open([builder.finish()], { synonyms: [], popular: [] });
      for (let end = 1; end <= text.length; end += 1) {
        const words = text.slice(0, end).trim().split(" ");
        const holdsAll = ([, said]: (typeof texts)[number]) => {
          const own = said.split(" ");
          return words.every((word, at) =>
            at === words.length - 1 ? own.some((one) => one.startsWith(word)) : own.includes(word),
          );
        };
        const query: Query = { text: words.join(" "), locale: "en", limits: new Map([[0, k]]), typos, unavailable };
        const hits = index.search(query).get(0) ?? [];
        const fits = hits.map(({ externalId }) => holdsAll(texts[externalId] as (typeof texts)[number]));
        const fitting = fits.filter(Boolean).length;
        // Other forms of the words ("shoe", "shoes") and other spellings are equally good.
        const isOther = (place: number) => !fits[place] && (hits[place]?.missing ?? 0) > 0;
        const firstOther = hits.findIndex((_, place) => isOther(place));
        assert.ok(firstOther < 0 || !fits.includes(true, firstOther), text);
        const all = texts.filter(holdsAll).length;
        assert.ok(fitting === all || (hits.length === k && firstOther < 0), text);
      }
    }),
    { numRuns: rounds },
  );
});
