import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createSegmentBuilder } from "./index/leaf-builder.ts";
import { codePairs, matchingPairs, nonMatchingPairs } from "./quantity-pairs.fixture.ts";
import { fields, schema } from "./schema.fixture.ts";
import type { Query, SearchIndex } from "./search-index.ts";
import { createSearcher } from "./searcher.ts";

const searcher = createSearcher(schema);

/** Creates an index of titles, with their indices as document ids.  @param code SKU of all documents */
function createIndex(titles: readonly string[], locale = "en", code?: string): SearchIndex {
  const builder = createSegmentBuilder(schema, locale);
  titles.forEach((title, externalId) => {
    builder.add({
      externalId,
      type: 0,
      available: true,
      popularity: 0,
      locale,
      fields: [[fields.title, title], ...(code === undefined ? [] : [[fields.sku, code] as const])],
    });
  });
  return searcher.open([builder.finish()], { synonyms: [], popular: [] });
}

function createQuery(text: string, locale: string): Query {
  return { text, locale, limits: new Map([[0, 10]]), typos: true, unavailable: "show" };
}

/**
 * Returns whether a document contains all words of a query. A word is added to the query, so that the last number does
 * not count as incomplete.
 */
function matchesAll(text: string, title: string, locale = "en", code?: string): boolean {
  return createIndex([`${title} thing`], locale, code).findsExactly(createQuery(`${text} thing`, locale));
}

test("a quantity in a query ranks before the same digits in another quantity, and its unit is not a preposition", () => {
  const index = createIndex([
    "6.5 in. filter",
    "Cleaner in a bottle with filter",
    '5" filter',
    "5 inch filter",
    "4.5 in. filter",
    "Five filters",
  ]);
  const searchIds = (text: string) =>
    index
      .search(createQuery(text, "en"))
      .get(0)
      ?.map(({ externalId }) => externalId);
  for (const text of ["5 in filter", "filter 5 in", '5" filter', "5 inch filter"])
    assert.deepEqual(searchIds(text)?.slice(0, 2).sort(), [2, 3], text);
  assert.deepEqual(searchIds("6.5 in filter")?.[0], 0);
});

test("a size ranks before another size and other numbers, however the word for it is written", () => {
  const index = createIndex(
    ["Windeln Größe 5, 4 St.", "Windeln, 4 St.", "Windeln Gr. 4 Maxi", "Windeln Gr.4", "Windeln Gr. 1, 3-4kg"],
    "de",
  );
  for (const text of ["windeln größe 4", "windeln gr. 4"]) {
    const ids = index
      .search(createQuery(text, "de"))
      .get(0)
      ?.map(({ externalId }) => externalId);
    assert.deepEqual(ids?.slice(0, 2).sort(), [2, 3], text);
  }
});

test("a size precedes two sizes and a range of sizes, which precede other sizes", () => {
  const index = createIndex(["Body Gr. 50/56", "Body Gr. 62/68", "Body Gr. 60-64", "Body Gr. 62 weiß"], "de");
  const ids = index
    .search(createQuery("body größe 62", "de"))
    .get(0)
    ?.map(({ externalId }) => externalId);
  assert.deepEqual([ids?.[0], ids?.slice(1, 3).sort()], [3, [1, 2]]);
});

test("a letter size is found without a word for size, and no word is missing", () => {
  const titles = ["Gloves S", "Gloves M", "Gloves XL", "Gloves size L"];
  for (const [text, id] of [
    ["gloves size m", 1],
    ["gloves size medium", 1],
    ["gloves size l", 3],
    ["gloves size large", 3],
  ] as const) {
    const hit = createIndex(titles).search(createQuery(text, "en")).get(0)?.[0];
    assert.deepEqual([hit?.externalId, hit?.missing], [id, 0], text);
  }
});

test("a quantity is found while its unit is typed", () => {
  const index = createIndex(["Oil 500 ml", "Oil 1 l", "Oil 2 l", "Lamp 8W", "Lamp 9W"]);
  for (const [text, id] of [
    ["oil 2 lit", 2],
    ["oil 0.5 lite", 0],
    ["lamp 9 wat", 4],
  ] as const) {
    const hit = index.search(createQuery(text, "en")).get(0)?.[0];
    assert.deepEqual([hit?.externalId, hit?.missing], [id, 0], text);
  }
});

test("the number of a price is no evidence, and the price counts as missing", () => {
  for (const [locale, text] of [
    ["en", "lamp under 50"],
    ["en", "lamp $50"],
    ["de", "lamp unter 50 euro"],
    ["fr", "lamp moins de 50 €"],
  ] as const) {
    const hits = createIndex(["Oil 50 ml", "Lamp", "Table 50"], locale).search(createQuery(text, locale)).get(0);
    assert.deepEqual(
      hits?.map(({ externalId }) => externalId),
      [1],
      text,
    );
    assert.notEqual(hits?.[0]?.missing, 0, text);
  }
});

test("a range precedes ranges that share one of its ends", () => {
  const ids = createIndex(["Drops for dogs 5-10 kg", "Drops for dogs 20-40 kg", "Drops for dogs 10-20 kg"])
    .search(createQuery("drops dogs 10-20 kg", "en"))
    .get(0);
  assert.deepEqual([ids?.[0]?.externalId, ids?.[0]?.missing, ids?.[1]?.missing], [2, 0, 1]);
});

test("a quantity counts as one word in a title that joins its number and unit", () => {
  const phones = Array.from({ length: 24 }, (_, number) => `Pear phone 32GB model ${number}`);
  const cases = Array.from({ length: 6 }, (_, number) => `Armor case for pear phone, model ${number}`);
  const index = createIndex([...phones, ...cases]);
  const hits = index.search(createQuery("pear phone 32 gb armor", "en")).get(0) ?? [];
  assert.deepEqual(
    hits.slice(0, 6).map(({ externalId }) => externalId),
    [24, 25, 26, 27, 28, 29],
  );
});

for (const [locale, pairs] of Object.entries(matchingPairs))
  test(`a quantity matches in any notation: ${locale}`, () => {
    for (const [query, title] of pairs) assert.ok(matchesAll(query, title, locale), `${query} matches ${title}`);
  });

test("a product with the rarer word precedes many products that share only the quantity", () => {
  const jams = Array.from({ length: 70 }, (_, number) => `Jam ${number} kind 750 g jar`);
  const others = Array.from({ length: 4_000 }, (_, number) => `Thing ${number}`);
  const creams = Array.from({ length: 20 }, (_, number) => `Nutola cream ${number}`);
  const [hit] =
    createIndex([...jams, ...others, ...creams])
      .search(createQuery("nutola 750 g", "en"))
      .get(0) ?? [];
  assert.ok((hit?.externalId ?? 0) >= jams.length + others.length, `document ${hit?.externalId} is first`);
});

test("a quantity does not match a different one", () => {
  for (const [query, title] of nonMatchingPairs) assert.ok(!matchesAll(query, title), `${query} matches ${title}`);
});

test("a code and a model number match with any spacing", () => {
  for (const [query, title, code] of codePairs)
    assert.ok(matchesAll(query, title, "en", code), `${query} matches ${title}`);
});

test("a number matches as a prefix only while it is typed, and those matches come last", () => {
  const index = createIndex(["Lamp 2001", "Lamp 200", "Lamp 20", "Lamp 200ml"]);
  const searchIds = (text: string) =>
    index
      .search(createQuery(text, "en"))
      .get(0)
      ?.map(({ externalId }) => externalId);
  assert.equal(searchIds("lamp 200")?.[0], 1);
  assert.ok(searchIds("lamp 200")?.includes(0));
  assert.ok(!searchIds("200 lamp")?.slice(0, 2).includes(0));
  assert.equal(searchIds("2001 lamp")?.[0], 0);
  assert.deepEqual(searchIds("2002"), []);
});

test("a title with the quantity precedes one with its digits separate", () => {
  const index = createIndex(["Board 8 ft, 5 pcs, in white", "Board 5/8 in white", "Board, white, 0.625 in"]);
  for (const text of ["5/8 in board white", '5/8" white board', "board white ⅝ in"])
    assert.deepEqual(
      index
        .search(createQuery(text, "en"))
        .get(0)
        ?.slice(0, 2)
        .map(({ externalId }) => externalId)
        .sort(),
      [1, 2],
      text,
    );
});

test("a mixed number precedes its fraction alone", () => {
  const titles = ["1/2 in. PVC Tee Fitting", "1-1/2 in. x Long PVC Tee Fitting"];
  for (const text of ["1 1/2 pvc tee", "1-1/2 in tee"])
    assert.equal(createIndex(titles).search(createQuery(text, "en")).get(0)?.[0]?.externalId, 1, text);
});

const unitSpellings: Readonly<Record<string, readonly string[]>> = {
  inch: ["in", "in.", "inch", "inches", "-inch", '"', "″", "''", "zoll", "pulgadas"],
  ft: ["ft", "ft.", "foot", "feet", "-ft", "'", "′"],
  l: ["l", "L", "liter", "litre", "ltr", "-liter", "litros"],
  ml: ["ml", "ML", "milliliter", "cc"],
  g: ["g", "gr", "gram", "grams", "gramm", "-gram"],
  kg: ["kg", "kilo", "kilogramm"],
  gal: ["gal", "gal.", "gallon", "gallons", "-gallon"],
  lb: ["lb", "lbs", "lbs.", "pound", "pounds", "-pound"],
  oz: ["oz", "oz.", "ounce", "ounces", "-ounce"],
  floz: ["fl oz", "fl. oz.", "fluid ounces"],
  sqft: ["sq ft", "sq. ft.", "sqft", "square feet", "ft²"],
  cuft: ["cu ft", "cu. ft.", "cubic feet", "ft³"],
  a: ["a", "amp", "amps", "-amp", "ampere"],
  v: ["v", "volt", "volts", "-volt"],
  w: ["w", "watt", "watts", "-watt"],
  pc: ["pack", "-pack", "pk", "pcs", "ct", "count", "stück"],
};

const fractionGlyphs: Readonly<Record<string, string>> = {
  "1/2": "½",
  "1/4": "¼",
  "3/4": "¾",
  "1/8": "⅛",
  "3/8": "⅜",
  "5/8": "⅝",
  "7/8": "⅞",
};

/** Returns all spellings of a number that is given in sixteenths. */
function listSpellings(sixteenths: number): string[] {
  const integerPart = Math.floor(sixteenths / 16);
  let [numerator, denominator] = [sixteenths % 16, 16];
  while (numerator > 0 && numerator % 2 === 0) [numerator, denominator] = [numerator / 2, denominator / 2];
  if (numerator === 0) return [String(integerPart)];
  const decimal = String(sixteenths / 16);
  const fraction = `${numerator}/${denominator}`;
  const glyph = fractionGlyphs[fraction];
  const decimals = [decimal, decimal.replace(".", ",")];
  if (integerPart === 0) return [fraction, ...decimals, decimal.slice(1), ...(glyph === undefined ? [] : [glyph])];
  return [
    `${integerPart} ${fraction}`,
    `${integerPart}-${fraction}`,
    ...decimals,
    ...(glyph === undefined ? [] : [`${integerPart}${glyph}`, `${integerPart} ${glyph}`]),
  ];
}

function spellQuantity(number: string, unit: string, isSeparate: boolean): string {
  return `${number}${/^[-'"″′]/.test(unit) || !isSeparate ? "" : " "}${unit}`;
}

const quantitySizes = fc
  .record({
    unit: fc.constantFrom(...Object.keys(unitSpellings)),
    sixteenths: fc.integer({ min: 17, max: 800 }),
    integerPart: fc.boolean(),
  })
  .map(({ unit, sixteenths, integerPart }) => ({
    unit,
    sixteenths: integerPart || unit === "pc" ? Math.ceil(sixteenths / 16) * 16 : sixteenths,
  }));
const runCount = Number(process.env.VITRINE_ROUNDS ?? 75);

test("a quantity in any notation matches its other notations, and not a quantity half as large again", () => {
  const spellingChoices = fc.record({
    size: quantitySizes,
    spellingIndices: fc.tuple(fc.nat(), fc.nat(), fc.nat(), fc.nat()),
    isSeparated: fc.tuple(fc.boolean(), fc.boolean()),
  });
  fc.assert(
    fc.property(spellingChoices, ({ size: { unit, sixteenths }, spellingIndices, isSeparated }) => {
      const pickItem = <Value>(list: readonly Value[], itemIndex: number) => list[itemIndex % list.length] as Value;
      const names = unitSpellings[unit] ?? [];
      const spell = (value: number, number: number, name: number, isSeparate: boolean) =>
        spellQuantity(pickItem(listSpellings(value), number), pickItem(names, name), isSeparate);
      const query = spell(sixteenths, spellingIndices[0], spellingIndices[1], isSeparated[0]);
      const title = spell(sixteenths, spellingIndices[2], spellingIndices[3], isSeparated[1]);
      assert.ok(matchesAll(query, title), `${query} matches ${title}`);
      const largerQuantity = spell(
        Math.ceil((sixteenths * 3) / 32) * 16,
        spellingIndices[2],
        spellingIndices[3],
        isSeparated[1],
      );
      assert.ok(!matchesAll(query, largerQuantity), `${query} matches ${largerQuantity}`);
    }),
    { numRuns: runCount },
  );
});
