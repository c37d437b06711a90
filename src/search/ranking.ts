import { allFields, fieldCount, positionOf } from "./postings.ts";

/** Field numbers, in falling weight; names are those of `resources[options][fields]`. */
export const fields = {
  title: 0,
  vendor: 1,
  productType: 2,
  author: 3,
  tag: 4,
  sku: 5,
  barcode: 6,
  variantTitle: 7,
  body: 8,
} as const;

export const fieldNames = [
  "title",
  "vendor",
  "type",
  "author",
  "tags",
  "SKU",
  "barcode",
  "options",
  "description",
  "other",
] as const;

/** Points of a whole word found in a field, in field order. */
export const fieldWeights = [100, 60, 60, 50, 40, 30, 30, 20, 8, 4] as const;
/** What each further field adds to the best one: that a word stands in title and type says more than title alone. */
export const furtherFieldShare = 0.25;

/** How a word of the query met a word of a document, and the share of the points it then gets. */
export const ways = [
  "exact",
  "form",
  "joined",
  "split",
  "prefix",
  "synonym",
  "typo",
  "twoTypos",
  "nearSynonym",
] as const;
export type Way = (typeof ways)[number];
export const wayShares: Readonly<Record<Way, number>> = {
  exact: 1,
  form: 0.95,
  joined: 0.95,
  split: 0.9,
  prefix: 0.8,
  synonym: 0.75,
  typo: 0.5,
  twoTypos: 0.3,
  nearSynonym: 0.25,
};

/** Points for two neighbouring words of the query that stand in that order at most `closeDistance` apart. */
export const closePoints = 8;
export const closeDistance = 2;
/** Points where the title begins with the query's first word. */
export const startPoints = 6;
/** Points where the query says the whole title. */
export const wholeTitlePoints = 25;
/** Points of a word per halving of the documents that hold it; counts only where words had to be dropped. */
export const rarityPoints = 10;
/** Takes what is out of stock behind everything else. */
export const unavailablePoints = -100_000;

/** Points by field mask, one table a way. Popularity (below 1) decides among equals, so points are integers. */
export type PointTables = Readonly<Record<Way, Uint8Array>>;

/** @param counted fields that count (bit n: field n) */
export function pointTables(counted: number): PointTables {
  if (counted === allFields) return allFieldTables;
  return makeTables(counted);
}

/** Points of a word found in the fields of `mask` in some way; 0 where none of them counts. */
export function wordPoints(mask: number, way: Way): number {
  let best = 0;
  let sum = 0;
  for (let field = 0; field < fieldCount; field += 1) {
    if ((mask & (1 << field)) === 0) continue;
    const weight = fieldWeights[field] as number;
    if (weight > best) best = weight;
    sum += weight;
  }
  return Math.round((best + (sum - best) * furtherFieldShare) * wayShares[way]);
}

const allFieldTables = makeTables(allFields);

function makeTables(counted: number): PointTables {
  const tables = {} as Record<Way, Uint8Array>;
  for (const way of ways) {
    const table = new Uint8Array(1 << fieldCount);
    for (let mask = 1; mask <= allFields; mask += 1) table[mask] = wordPoints(mask & counted, way);
    tables[way] = table;
  }
  return tables;
}

/** A word's best match in a document as one comparable number: more points, then an earlier position. 0: none. */
export function cell(points: number, payload: number): number {
  return points === 0 ? 0 : (points << 16) | (0xffff - positionOf(payload));
}

export function cellPoints(value: number): number {
  return value >>> 16;
}

export function cellPosition(value: number): number {
  return 0xffff - (value & 0xffff);
}

/** Points beside those of single words: order, nearness and the title.
 *  @param cells by word in the query's order, by document; 0 where a document lacks the word
 *  @param titleLength in words */
export function placePoints(cells: readonly Int32Array[], document: number, titleLength: number): number {
  let points = 0;
  let inTitle = 0;
  let before = Number.NEGATIVE_INFINITY;
  for (let word = 0; word < cells.length; word += 1) {
    const value = cells[word]?.[document] as number;
    if (value === 0) {
      before = Number.NEGATIVE_INFINITY;
      continue;
    }
    const position = cellPosition(value);
    if (position < titleLength) inTitle += 1;
    if (word === 0 && position === 0 && titleLength > 0) points += startPoints;
    const distance = position - before;
    if (distance >= 0 && distance <= closeDistance) points += closePoints;
    before = position;
  }
  if (titleLength > 0 && inTitle === cells.length && inTitle >= titleLength) points += wholeTitlePoints;
  return points;
}

/** What `placePoints` and popularity give at most. */
export function mostPlacePoints(words: number): number {
  return startPoints + wholeTitlePoints + closePoints * (words - 1) + 1;
}

/** @param entries postings that match a word  @param documents how many there are in all */
export function rarity(entries: number, documents: number): number {
  return Math.max(0, Math.round(rarityPoints * Math.log2((documents + 1) / (entries + 1))));
}
