import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { schema } from "../schema.fixture.ts";
import { createSearcher } from "../searcher.ts";
import { createSegmentBuilder } from "./leaf-builder.ts";
import { loadSegment, saveSegment } from "./save-segment.ts";
import { deleteDocuments, type Segment } from "./segment.ts";

const texts: Readonly<Record<string, readonly string[]>> = {
  en: ["Rain coat for men, 2 l", "Coats in the rain", "Café crème ½ kg", "LCD monitor 27 inch"],
  de: ["Regenmantel für Herren", "Sonnenschirmständer 40 mm"],
  fr: ["Crème brûlée", "L'imperméable rouge"],
  ja: ["レインコート", "防水ジャケット"],
};

function createSegment(): Segment {
  const builder = createSegmentBuilder(schema, "en");
  for (const [locale, titles] of Object.entries(texts))
    titles.forEach((title, number) => {
      const documentFields = {
        externalId: number,
        type: number % 2,
        available: number !== 1,
        popularity: number / 8,
        locale,
      };
      builder.add({
        ...documentFields,
        phrases: "runs",
        fields: [
          [0, title],
          [8, `${title} described`],
        ],
      });
    });
  return deleteDocuments(builder.finish(), [2]);
}

test("a loaded segment returns the results of the saved one, with its deletions", () => {
  const segment = createSegment();
  const loadedSegment = loadSegment(saveSegment(segment));
  assert.deepEqual(saveSegment(loadedSegment as Segment), saveSegment(segment));
  const [originalIndex, loadedIndex] = [segment, loadedSegment as Segment].map((copy) =>
    createSearcher(schema).open([copy]),
  );
  for (const text of ["rain", "coat", "creme", "レイン", "monit", "cafe", "mantel"])
    for (const locale of Object.keys(texts)) {
      const limits = new Map([0, 1].map((type) => [type, 10]));
      const query = { text, locale, limits, typos: true, unavailable: "last" } as const;
      assert.deepEqual(loadedIndex?.search(query), originalIndex?.search(query));
      assert.deepEqual(loadedIndex?.complete(text, locale, 5), originalIndex?.complete(text, locale, 5));
    }
});

test("damaged and truncated bytes are not loaded", () => {
  const builder = createSegmentBuilder(schema, "en");
  const documentFields = { externalId: 1, type: 0, available: true, popularity: 0, locale: "en" };
  builder.add({ ...documentFields, fields: [[0, "coat"]] });
  const bytes = saveSegment(builder.finish());
  for (let index = 0; index < bytes.length; index += 1) {
    const damagedBytes = bytes.slice();
    damagedBytes[index] = (damagedBytes[index] as number) ^ (1 << (index % 8));
    assert.equal(loadSegment(damagedBytes), undefined, `byte ${index}`);
  }
  for (let length = 0; length < bytes.length; length += 7)
    assert.equal(loadSegment(bytes.subarray(0, length)), undefined);
  assert.notEqual(loadSegment(bytes), undefined);
});

test("a changed segment content requires a new format version", () => {
  const hash = createHash("sha256").update(saveSegment(createSegment())).digest("hex").slice(0, 16);
  // If this fails, raise `segmentVersion` of save-segment.ts, then write the new hash here.
  assert.equal(hash, "eed9404bdb235ea7");
});
