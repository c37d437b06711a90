import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createSegmentBuilder } from "./index/leaf-builder.ts";
import { codes, other, same } from "./quantity-pairs.fixture.ts";
import { fields, schema } from "./schema.fixture.ts";
import type { Query, SearchIndex } from "./search-index.ts";
import { createSearcher } from "./searcher.ts";

const searcher = createSearcher(schema);

/** Creates an index of titles, with their indices as document ids.  @param code SKU of all documents */
function indexOf(titles: readonly string[], locale = "en", code?: string): SearchIndex {
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

function queryOf(text: string, locale: string): Query {
  return { text, locale, limits: new Map([[0, 10]]), typos: true, unavailable: "show" };
}

/**
 * Returns whether a document contains all words of a query. An additional word prevents the query's last number from
 * counting as incomplete.
 */
function meets(text: string, title: string, locale = "en", code?: string): boolean {
  return indexOf([`${title} thing`], locale, code).findsExactly(queryOf(`${text} thing`, locale));
}

test("a quantity in a query ranks before the same digits in another quantity, and its unit is no preposition", () => {
  const index = indexOf([
    "6.5 in. filter",
    "Cleaner in a bottle with filter",
    '5" filter',
    "5 inch filter",
    "4.5 in. filter",
    "Five filters",
  ]);
  const found = (text: string) =>
    index
      .search(queryOf(text, "en"))
      .get(0)
      ?.map(({ externalId }) => externalId);
  for (const text of ["5 in filter", "filter 5 in", '5" filter', "5 inch filter"])
    assert.deepEqual(found(text)?.slice(0, 2).sort(), [2, 3], text);
  assert.deepEqual(found("6.5 in filter")?.[0], 0);
});

for (const [locale, pairs] of Object.entries(same))
  test(`a quantity is found whatever way it is written: ${locale}`, () => {
    for (const [query, title] of pairs) assert.ok(meets(query, title, locale), `${query} finds ${title}`);
  });

test("another quantity is not found", () => {
  for (const [query, title] of other) assert.ok(!meets(query, title), `${query} finds ${title}`);
});

test("a code and a model number are found however they are spaced", () => {
  for (const [query, title, code] of codes) assert.ok(meets(query, title, "en", code), `${query} finds ${title}`);
});

test("a number goes on with digits only while it is typed, and those that do come behind", () => {
  const index = indexOf(["Lamp 2001", "Lamp 200", "Lamp 20", "Lamp 200ml"]);
  const found = (text: string) =>
    index
      .search(queryOf(text, "en"))
      .get(0)
      ?.map(({ externalId }) => externalId);
  assert.equal(found("lamp 200")?.[0], 1);
  assert.ok(found("lamp 200")?.includes(0));
  assert.ok(!found("200 lamp")?.slice(0, 2).includes(0));
  assert.equal(found("2001 lamp")?.[0], 0);
  assert.deepEqual(found("2002"), []);
});

test("what says the quantity comes before what holds its digits apart", () => {
  const index = indexOf(["Board 8 ft, 5 pcs, in white", "Board 5/8 in white", "Board, white, 0.625 in"]);
  for (const text of ["5/8 in board white", '5/8" white board', "board white ⅝ in"])
    assert.deepEqual(
      index
        .search(queryOf(text, "en"))
        .get(0)
        ?.slice(0, 2)
        .map(({ externalId }) => externalId)
        .sort(),
      [1, 2],
      text,
    );
});

/** Spellings of each unit. */
const spellings: Readonly<Record<string, readonly string[]>> = {
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

const glyphs: Readonly<Record<string, string>> = {
  "1/2": "½",
  "1/4": "¼",
  "3/4": "¾",
  "1/8": "⅛",
  "3/8": "⅜",
  "5/8": "⅝",
  "7/8": "⅞",
};

/** Returns all spellings of a value in sixteenths. */
function writtenNumbers(sixteenths: number): string[] {
  const whole = Math.floor(sixteenths / 16);
  let [numerator, denominator] = [sixteenths % 16, 16];
  while (numerator > 0 && numerator % 2 === 0) [numerator, denominator] = [numerator / 2, denominator / 2];
  if (numerator === 0) return [String(whole)];
  const decimal = String(sixteenths / 16);
  const fraction = `${numerator}/${denominator}`;
  const glyph = glyphs[fraction];
  const decimals = [decimal, decimal.replace(".", ",")];
  if (whole === 0) return [fraction, ...decimals, decimal.slice(1), ...(glyph === undefined ? [] : [glyph])];
  return [
    `${whole} ${fraction}`,
    `${whole}-${fraction}`,
    ...decimals,
    ...(glyph === undefined ? [] : [`${whole}${glyph}`, `${whole} ${glyph}`]),
  ];
}

function written(number: string, unit: string, isApart: boolean): string {
  return `${number}${/^[-'"″′]/.test(unit) || !isApart ? "" : " "}${unit}`;
}

const sizes = fc
  .record({
    unit: fc.constantFrom(...Object.keys(spellings)),
    sixteenths: fc.integer({ min: 17, max: 800 }),
    whole: fc.boolean(),
  })
  .map(({ unit, sixteenths, whole }) => ({
    unit,
    sixteenths: whole || unit === "pc" ? Math.ceil(sixteenths / 16) * 16 : sixteenths,
  }));
const rounds = Number(process.env.VITRINE_ROUNDS ?? 150);

test("any writing of any quantity finds any other, and none of a quantity half as large again", () => {
  const ways = fc.record({
    size: sizes,
    picks: fc.tuple(fc.nat(), fc.nat(), fc.nat(), fc.nat()),
    apart: fc.tuple(fc.boolean(), fc.boolean()),
  });
  fc.assert(
    fc.property(ways, ({ size: { unit, sixteenths }, picks, apart }) => {
      const pick = <Value>(list: readonly Value[], at: number) => list[at % list.length] as Value;
      const names = spellings[unit] ?? [];
      const write = (value: number, number: number, name: number, isApart: boolean) =>
        written(pick(writtenNumbers(value), number), pick(names, name), isApart);
      const query = write(sixteenths, picks[0], picks[1], apart[0]);
      const title = write(sixteenths, picks[2], picks[3], apart[1]);
      assert.ok(meets(query, title), `${query} finds ${title}`);
      const larger = write(Math.ceil((sixteenths * 3) / 32) * 16, picks[2], picks[3], apart[1]);
      assert.ok(!meets(query, larger), `${query} finds ${larger}`);
    }),
    { numRuns: rounds },
  );
});
