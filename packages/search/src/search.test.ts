import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createSegmentBuilder } from "./index/leaf-builder.ts";
import { deleteDocuments, type Segment } from "./index/segment.ts";
import { schema } from "./schema.fixture.ts";
import type { MatchTier } from "./scoring/score.ts";
import type { Explanation, Hit, Query, SearchDocument } from "./search-index.ts";
import { createSearcher } from "./searcher.ts";
import { searchExhaustively } from "./slow-search.fixture.ts";

const searcher = createSearcher(schema);

const vocabulary = [
  ..."red shoe shoes snow board snowboard snowbaord t-shirt tshirt t shirt berry berries nor.0707-60 070760 nor 60 with".split(
    " ",
  ),
  ..."☕ snowboards abcdefgh abcdefhg abcd abdc a b 東京 東京タワー 京 27 27inch inch sno s 1l 1000ml 1 l 1,5l deck for - board, (shoe".split(
    " ",
  ),
];
const measureVocabulary = [
  ..."5/8 1-1/2 1 1/2 ½ 6' 6'2\" 4x8 4 x 8 4ft ft 8ft. 4×8 2x4x8 1,000 1.250 #8 no. 6-pack of pack 10-12 kg 2001 200 iphone13 iphone 13".split(
    " ",
  ),
  ..."wh-1000xm4 wh1000 1000 xm4 12 90% 2 in 1 m² v1.5".split(" "),
];
const text = fc
  .array(fc.oneof(fc.constantFrom(...vocabulary), fc.constantFrom(...measureVocabulary)), {
    minLength: 1,
    maxLength: 5,
  })
  .map((words) => words.join(" "));
const documentShapeOf = (phraseText: typeof text) =>
  fc.record({
    type: fc.constantFrom(0, 0, 0, 1, 4),
    available: fc.boolean(),
    popularity: fc.constantFrom(0, 0.25, 0.5),
    fields: fc.array(fc.tuple(fc.constantFrom(0, 0, 1, 2, 4, 5, 8), phraseText), { minLength: 1, maxLength: 4 }),
  });
const documentShape = documentShapeOf(text);
const queryText = fc
  .tuple(
    fc.array(fc.constantFrom(...vocabulary, ...measureVocabulary, "snwo", "berri", "zz", "deckshoes", "snowbo"), {
      minLength: 1,
      maxLength: 4,
    }),
    fc.nat({ max: 30 }),
  )
  .map(([words, cutLength]) => {
    const fullText = words.join(" ");
    return cutLength < 15 ? fullText : fullText.slice(0, Math.max(1, fullText.length - (cutLength % 4)));
  });
/** Number of runs, which `npm run test:soak` increases. */
const runCount = Number(process.env.VITRINE_ROUNDS ?? 80);

/** Creates the documents and the query of a run. */
function createCases(documentShapes: typeof documentShape, texts: typeof queryText, locale: string) {
  return fc.record({
    documentShapes: fc.array(documentShapes, { minLength: 1, maxLength: 14 }),
    // Documents of a second segment, which replace documents of the first. Other languages use a single segment,
    // because unknown words are determined per segment.
    replacedShapes: fc.array(documentShapes, { maxLength: locale === "en" ? 4 : 0 }),
    deletedNumbers: fc.array(fc.nat({ max: 13 }), { maxLength: 3 }),
    text: texts,
    locale: fc.constant(locale),
    k: fc.constantFrom(1, 3, 100),
    fill: fc.constantFrom(undefined, 0, 2, 100),
    fields: fc.constantFrom(undefined, undefined, 1, 0x100, 0x110),
    typos: fc.boolean(),
    unavailable: fc.constantFrom("last" as const, "show" as const, "hide" as const),
    rejectedId: fc.constantFrom(-1, -1, 2),
  });
}
type SearchCase = ReturnType<typeof createCases> extends fc.Arbitrary<infer Value> ? Value : never;

function assertSameHits(searchCase: SearchCase): void {
  const {
    documentShapes,
    replacedShapes,
    deletedNumbers,
    text,
    locale,
    k,
    fill,
    fields,
    typos,
    unavailable,
    rejectedId,
  } = searchCase;
  const firstDocuments = documentShapes.map(
    (document, number): SearchDocument => ({ ...document, externalId: number, locale }),
  );
  const secondDocuments = replacedShapes.map(
    (document, index): SearchDocument => ({ ...document, externalId: index * 2, locale }),
  );
  const removedIds = new Set([...deletedNumbers, ...secondDocuments.map((document) => document.externalId)]);
  const segments: Segment[] = [firstDocuments, secondDocuments].map((documents, segment) => {
    const builder = createSegmentBuilder(schema, locale);
    for (const document of documents) builder.add(document);
    return deleteDocuments(builder.finish(), segment === 0 ? [...removedIds].sort((a, b) => a - b) : []);
  });
  const index = searcher.open(segments, { synonyms: [], popular: [] });
  const currentDocuments = [
    ...firstDocuments.filter((document) => !removedIds.has(document.externalId)),
    ...secondDocuments,
  ];
  const limits = new Map([0, 1].map((type) => [type, k]));
  const accept = (externalId: number) => externalId !== rejectedId;
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
  // Search for each prefix of the text first. The caches that this fills must not change the result.
  for (let end = 1; end < text.length; end += 1) index.search({ ...query, text: text.slice(0, end) });
  const actualHits = index.search(query);
  const expectedHits = searchExhaustively([...firstDocuments, ...secondDocuments], currentDocuments, query);
  for (const type of [0, 1]) {
    const hits = actualHits.get(type) ?? [];
    for (const [rank, hit] of hits.entries()) {
      const explanation = index.explain(query, hit.externalId);
      const isCompared = rank === 0 && (type === 0 || actualHits.get(0)?.length === 0);
      assert.deepEqual(describeWords(hit), isCompared ? describeExplainedWords(explanation) : undefined);
      assert.equal(explanation?.score, hit.score);
      assert.ok(Math.abs((explanation?.parts ?? []).reduce((sum, leaf) => sum + leaf.score, 0) - hit.score) < 1e-6);
    }
    assert.deepEqual(
      hits.map(({ words: _, ...hit }) => hit),
      (expectedHits.get(type) ?? []).map(({ tier: _, ...hit }) => hit),
    );
  }
  // `matches` must return all results of the strictest step that has results. If these documents lack words, it must
  // return none.
  const unlimitedQuery = { ...query, limits: new Map([0, 1].map((type) => [type, 100])), fill: 0 };
  for (const [type, hits] of searchExhaustively(
    [...firstDocuments, ...secondDocuments],
    currentDocuments,
    unlimitedQuery,
  )) {
    const strictestIds = hits[0]?.tier === "partial" ? [] : hits.map(({ externalId }) => externalId);
    assert.deepEqual([...index.matches(unlimitedQuery, type)].sort(), strictestIds.sort());
  }
}

/** Returns the words of a hit that are not found as typed. */
function describeWords({ words }: Hit): readonly string[] | undefined {
  return words?.flatMap(({ word, match, term }) =>
    match === "found" ? [] : match === "missing" ? `"${word}" is missing` : `"${word}" corrected "${term}"`,
  );
}

/** Returns the words of an explanation that are not found as typed, in the form of {@link describeWords}. */
function describeExplainedWords(explanation: Explanation | undefined): readonly string[] | undefined {
  const descriptions = (explanation?.parts ?? []).flatMap(({ kind, reason }) => {
    if (kind !== "word") return [];
    if (reason.endsWith("is missing")) return reason;
    const match = /^(".*") corrected[^"]* (".*?") in /.exec(reason);
    return match === null ? [] : `${match[1]} corrected ${match[2]}`;
  });
  return descriptions.length === 0 ? undefined : descriptions;
}

test("the best hits of any query over any catalog equal those of a scorer that scores every document", () => {
  fc.assert(fc.property(createCases(documentShape, queryText, "en"), assertSameHits), { numRuns: runCount });
});

test("the best hits equal those of a full scan in languages with compounds, without spaces or with two scripts, with nouns first, with emoji, and with negations", () => {
  const vocabularies: Readonly<Record<string, string>> = {
    de: "regenjacke regen jacke jacken regenhut wollmütze wolle mütze mützen arbeitshose arbeit hose hosen für rot winterjacke regnerisch ☕ tasse teetasse tee winter hut jackenhut",
    nl: "thee suiker suikers suikersvrij suikervrij zonder vrij melk melkthee geen met zoete 0 5",
    ar: "حقيبة الحقيبة والحقيبة للحقيبة حقيبات معطف المطر مطر بمطر ومعطف ١٢ 12 أزرق الازرق من",
    es: "tubo tubos salida pvc 5 kg para con porta-tubo negro, placa placas",
    ko: "방수 자켓 재킷 자 잨 자ㅋ 방수자케 값 갑시 사과 ㅅ",
    zh: "电脑 電腦 防水 手机 手機 电 機 雨衣 防水手表 手錶 头发 髮 📱",
  };
  for (const [locale, vocabulary] of Object.entries(vocabularies)) {
    const vocabularyWord = fc.constantFrom(...vocabulary.split(" "));
    const phraseText = fc.array(vocabularyWord, { minLength: 1, maxLength: 4 }).map((words) => words.join(" "));
    const truncatedText = fc
      .tuple(phraseText, fc.nat({ max: 6 }))
      .map(([fullText, cutLength]) => fullText.slice(0, Math.max(1, fullText.length - cutLength)));
    const documentShapes = documentShapeOf(phraseText);
    fc.assert(fc.property(createCases(documentShapes, truncatedText, locale), assertSameHits), {
      numRuns: Math.ceil(runCount / 8),
    });
  }
});

test("frequent words and prefixes return the hits of a full scan", () => {
  const stems = "sable salt sand scarf silk slate smoke snow soap spoon stone straw amber birch cedar".split(" ");
  const words = stems.flatMap((stem) => [stem, `${stem}s`, `${stem}board`]);
  const currentDocuments = Array.from({ length: 800 }, (_, number): SearchDocument => {
    const pickWord = (nth: number) => words[(number * (nth * 17 + 7) + nth * nth * 5) % words.length] as string;
    return {
      externalId: number,
      type: 0,
      available: number % 4 !== 0,
      popularity: ((number * 7919) % 997) / 997,
      locale: "en",
      fields: [
        [0, `${pickWord(0)} ${pickWord(1)} for ${pickWord(2)}`],
        [8, `${pickWord(3)} ${pickWord(4)}`],
      ],
    };
  });
  const builder = createSegmentBuilder(schema, "en");
  for (const document of currentDocuments) builder.add(document);
  const removedIds = new Set(
    currentDocuments.filter(({ externalId }) => externalId % 9 === 0).map(({ externalId }) => externalId),
  );
  const index = searcher.open([deleteDocuments(builder.finish(), [...removedIds])], { synonyms: [], popular: [] });
  const queryTexts = [
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
  for (const text of [...queryTexts, "smoek sil", "cedars for sno", "salt soap straw birch amber"])
    for (const unavailable of ["last", "hide"] as const) {
      const query: Query = { text, locale: "en", limits: new Map([[0, 10]]), typos: true, unavailable };
      const remainingDocuments = currentDocuments.filter(({ externalId }) => !removedIds.has(externalId));
      const unlimitedCounts = new Map([[0, currentDocuments.length]]);
      const expectedHits =
        searchExhaustively(currentDocuments, remainingDocuments, { ...query, limits: unlimitedCounts }).get(0) ?? [];
      const actualHits = index.search(query).get(0) ?? [];
      const tiers = new Map(expectedHits.map(({ externalId, tier }) => [externalId, tier]));
      const tierSizes = Map.groupBy(tiers.values(), (tier) => tier);
      // If more than 64 documents contain several words, only some are scored: those with the best static rank, or
      // those with the rarest words.
      const isSampled = (tier: MatchTier) => text.includes(" ") && (tierSizes.get(tier)?.length ?? 0) > 64;
      assert.equal(actualHits.length, Math.min(10, expectedHits.length), text);
      actualHits.forEach(({ words: _, ...hit }, rank) => {
        const { tier, ...other } = expectedHits[rank] as (typeof expectedHits)[number];
        assert.equal(tiers.get(hit.externalId), tier, text);
        if (!isSampled(tier)) assert.deepEqual(hit, other, text);
        else assert.equal(hit.score, expectedHits.find(({ externalId }) => externalId === hit.externalId)?.score, text);
      });
    }
});

test("after each letter, no document that lacks a word precedes one with all words", () => {
  const vocabularyWords = "red shoe shoes snow board boards berry berries snowy lamp tea teapot pot 27 27b".split(" ");
  const phraseText = fc
    .array(fc.constantFrom(...vocabularyWords), { minLength: 1, maxLength: 4 })
    .map((words) => words.join(" "));
  const searchCase = fc.record({
    texts: fc.array(fc.tuple(fc.constantFrom(0, 1, 8), phraseText, fc.boolean()), { minLength: 1, maxLength: 12 }),
    text: fc
      .array(fc.constantFrom(...vocabularyWords, "zz", "for"), { minLength: 1, maxLength: 4 })
      .map((words) => words.join(" ")),
    k: fc.constantFrom(1, 2, 4, 20),
    typos: fc.boolean(),
    unavailable: fc.constantFrom("last" as const, "show" as const),
  });
  fc.assert(
    fc.property(searchCase, ({ texts, text, k, typos, unavailable }) => {
      const builder = createSegmentBuilder(schema, "en");
      texts.forEach(([field, phraseText, available], externalId) => {
        builder.add({ externalId, type: 0, available, popularity: 0, locale: "en", fields: [[field, phraseText]] });
      });
      const index = searcher.open([builder.finish()], { synonyms: [], popular: [] });
      for (let end = 1; end <= text.length; end += 1) {
        const words = text.slice(0, end).trim().split(" ");
        const containsAll = ([, phraseText]: (typeof texts)[number]) => {
          const documentWords = phraseText.split(" ");
          return words.every((word, wordIndex) =>
            wordIndex === words.length - 1
              ? documentWords.some((documentWord) => documentWord.startsWith(word))
              : documentWords.includes(word),
          );
        };
        const query: Query = { text: words.join(" "), locale: "en", limits: new Map([[0, k]]), typos, unavailable };
        const hits = index.search(query).get(0) ?? [];
        const isFullMatch = hits.map(({ externalId }) => containsAll(texts[externalId] as (typeof texts)[number]));
        const fullMatchCount = isFullMatch.filter(Boolean).length;
        // A document with another form of a word ("shoe", "shoes") or another spelling also contains the word.
        const isPartialMatch = (rank: number) => !isFullMatch[rank] && (hits[rank]?.missing ?? 0) > 0;
        const firstPartialMatch = hits.findIndex((_, rank) => isPartialMatch(rank));
        assert.ok(firstPartialMatch < 0 || !isFullMatch.includes(true, firstPartialMatch), text);
        const expectedCount = texts.filter(containsAll).length;
        assert.ok(fullMatchCount === expectedCount || (hits.length === k && firstPartialMatch < 0), text);
      }
    }),
    { numRuns: runCount },
  );
});
