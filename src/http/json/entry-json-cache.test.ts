import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { staticStock } from "../../catalog/live/live-stock.ts";
import { ByteWriter } from "../wire/byte-string.ts";
import { type EntryJson, EntryJsonCache } from "./entry-json-cache.ts";

/** A random entry from one of two catalogs, in one of two languages. */
const requestedEntry = fc.record({ catalogue: fc.nat(1), place: fc.nat(40), locale: fc.constantFrom("en", "fr") });

test("a response contains the JSON of its entries, with any number of them cached or evicted", () => {
  const texts = fc.array(fc.string({ unit: "grapheme", maxLength: 60 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(fc.array(fc.array(requestedEntry, { maxLength: 12 }), { maxLength: 20 }), texts, (answers, words) => {
      const entries = new EntryJsonCache(2_000);
      const rows = [{}, {}];
      const textOf = ({ catalogue, place, locale }: (typeof answers)[number][number]): string | undefined =>
        place % 7 === 6 ? undefined : `${locale}${catalogue}.${place}:${words[place % words.length]}`;
      const createEntry = (entry: (typeof answers)[number][number]): EntryJson | undefined => {
        const text = textOf(entry);
        return text === undefined ? undefined : { text };
      };
      const writer = new ByteWriter();
      const digests = new ByteWriter();
      for (const answer of answers) {
        let separator = "";
        for (const entry of answer) {
          const position = { rows: rows[entry.catalogue] ?? {}, position: entry.place };
          const exists = entries.append(
            { row: position, locale: entry.locale },
            staticStock,
            () => createEntry(entry),
            {
              textWriter: writer,
              digestWriter: digests,
              separator,
            },
          );
          assert.equal(exists, textOf(entry) !== undefined);
          if (exists) separator = ",";
        }
        const expected = answer.map(textOf).filter((text) => text !== undefined);
        assert.equal(readText(writer), expected.join(","));
        assert.equal(digests.take().bytes.length, 16 * expected.length);
      }
    }),
  );
});

test("a recently requested entry is not rendered again, and another text has another digest", () => {
  const entries = new EntryJsonCache(100_000);
  const rows = {};
  const appendEntry = (place: number, text: string): { readonly wasCreated: boolean; readonly digest: string } => {
    const [texts, digests] = [new ByteWriter(), new ByteWriter()];
    let wasCreated = false;
    const createJson = (): EntryJson => {
      wasCreated = true;
      return { text };
    };
    entries.append({ row: { rows, position: place }, locale: "en" }, staticStock, createJson, {
      textWriter: texts,
      digestWriter: digests,
      separator: "",
    });
    assert.equal(readText(texts), text);
    return { wasCreated, digest: digests.take().bytes };
  };
  const firstResult = appendEntry(1, "Café");
  assert.deepEqual([firstResult.wasCreated, appendEntry(1, "Café").wasCreated], [true, false]);
  assert.equal(appendEntry(1, "Café").digest, firstResult.digest);
  assert.equal(appendEntry(2, "Café").digest, firstResult.digest);
  assert.notEqual(appendEntry(3, "Cafe").digest, firstResult.digest);
});

test("a text larger than the entire cache is returned and not cached", () => {
  const entries = new EntryJsonCache(1_000);
  const [texts, digests] = [new ByteWriter(), new ByteWriter()];
  const longText = "ü".repeat(1_000_000);
  for (const _ of [1, 2])
    entries.append({ row: { rows: entries, position: 0 }, locale: "en" }, staticStock, () => ({ text: longText }), {
      textWriter: texts,
      digestWriter: digests,
      separator: "",
    });
  assert.equal(readText(texts), longText + longText);
});

test("further fields are appended to an object, and change its digest", () => {
  const entries = new EntryJsonCache(100_000);
  const append = (extraFields: string): [string, string] => {
    const [texts, digests] = [new ByteWriter(), new ByteWriter()];
    entries.append({ row: { rows: entries, position: 0 }, locale: "en" }, staticStock, () => ({ text: '{"id":1}' }), {
      textWriter: texts,
      digestWriter: digests,
      separator: "",
      extraFields,
    });
    return [readText(texts), Buffer.from(digests.take().bytes).toString("hex")];
  };
  const plain = append("");
  const extended = append(',"count":2');
  assert.deepEqual([plain[0], extended[0], append("")[0]], ['{"id":1}', '{"id":1,"count":2}', '{"id":1}']);
  assert.notEqual(plain[1], extended[1]);
});

test("the JSON of a product is rendered again when its stock changes", () => {
  const entries = new EntryJsonCache(100_000);
  const position = { rows: {}, position: 1 };
  let version = 1;
  const holds = (mark: { readonly version: number }): boolean => mark.version === version;
  const appendEntry = (left: string): string => {
    const [texts, digests] = [new ByteWriter(), new ByteWriter()];
    const createJson = (): EntryJson => ({ text: left, stock: { counterIndices: Int32Array.of(7), version } });
    entries.append({ row: position, locale: "en" }, { isCurrent: holds }, createJson, {
      textWriter: texts,
      digestWriter: digests,
      separator: "",
    });
    return readText(texts);
  };
  assert.deepEqual([appendEntry("3 left"), appendEntry("2 left")], ["3 left", "3 left"]);
  version = 2;
  assert.deepEqual([appendEntry("2 left"), appendEntry("1 left")], ["2 left", "2 left"]);
});

function readText(writer: ByteWriter): string {
  return Buffer.from(writer.take().bytes, "latin1").toString();
}
