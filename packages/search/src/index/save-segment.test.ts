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

function build(): Segment {
  const builder = createSegmentBuilder(schema, "en");
  for (const [locale, titles] of Object.entries(texts))
    titles.forEach((title, number) => {
      const one = { externalId: number, type: number % 2, available: number !== 1, popularity: number / 8, locale };
      builder.add({
        ...one,
        phrases: "runs",
        fields: [
          [0, title],
          [8, `${title} described`],
        ],
      });
    });
  return deleteDocuments(builder.finish(), [2]);
}

test("a loaded segment answers as the one that was saved, with its deletes", () => {
  const segment = build();
  const loaded = loadSegment(saveSegment(segment));
  assert.deepEqual(saveSegment(loaded as Segment), saveSegment(segment));
  const [before, after] = [segment, loaded as Segment].map((one) => createSearcher(schema).open([one]));
  for (const text of ["rain", "coat", "creme", "レイン", "monit", "cafe", "mantel"])
    for (const locale of Object.keys(texts)) {
      const limits = new Map([0, 1].map((type) => [type, 10]));
      const query = { text, locale, limits, typos: true, unavailable: "last" } as const;
      assert.deepEqual(after?.search(query), before?.search(query));
      assert.deepEqual(after?.complete(text, locale, 5), before?.complete(text, locale, 5));
    }
});

test("bytes that are damaged, cut off, or of another version are not loaded", () => {
  const builder = createSegmentBuilder(schema, "en");
  const one = { externalId: 1, type: 0, available: true, popularity: 0, locale: "en" };
  builder.add({ ...one, fields: [[0, "coat"]] });
  const bytes = saveSegment(builder.finish());
  for (let at = 0; at < bytes.length; at += 1) {
    const damaged = bytes.slice();
    damaged[at] = (damaged[at] as number) ^ (1 << (at % 8));
    assert.equal(loadSegment(damaged), undefined, `byte ${at}`);
  }
  for (let length = 0; length < bytes.length; length += 7)
    assert.equal(loadSegment(bytes.subarray(0, length)), undefined);
  assert.notEqual(loadSegment(bytes), undefined);
});

test("a change of what a segment contains raises its format version", () => {
  const hash = createHash("sha256").update(saveSegment(build())).digest("hex").slice(0, 16);
  // If this fails, raise `formatVersion` of save-segment.ts, then write the new hash here.
  assert.equal(hash, "35fd87e71b9d5a49");
});
