import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { staticStock } from "../../catalog/live/live-stock.ts";
import { ByteWriter } from "../wire/byte-string.ts";
import { type EntryJson, EntryJsonCache } from "./entry-json-cache.ts";

/** Requested entry from one of two catalogs, in one of two languages. */
const asked = fc.record({ catalogue: fc.nat(1), place: fc.nat(40), locale: fc.constantFrom("en", "fr") });

test("a response contains the JSON of its entries, with any number of them cached or evicted", () => {
  const texts = fc.array(fc.string({ unit: "grapheme", maxLength: 60 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(fc.array(fc.array(asked, { maxLength: 12 }), { maxLength: 20 }), texts, (answers, words) => {
      const entries = new EntryJsonCache(2_000);
      const rows = [{}, {}];
      const textOf = ({ catalogue, place, locale }: (typeof answers)[number][number]): string | undefined =>
        place % 7 === 6 ? undefined : `${locale}${catalogue}.${place}:${words[place % words.length]}`;
      const made = (one: (typeof answers)[number][number]): EntryJson | undefined => {
        const text = textOf(one);
        return text === undefined ? undefined : { text };
      };
      const written = new ByteWriter();
      const digests = new ByteWriter();
      for (const answer of answers) {
        let separator = "";
        for (const one of answer) {
          const at = { rows: rows[one.catalogue] ?? {}, position: one.place };
          const isThere = entries.append({ at, locale: one.locale }, staticStock, () => made(one), {
            texts: written,
            digests,
            separator,
          });
          assert.equal(isThere, textOf(one) !== undefined);
          if (isThere) separator = ",";
        }
        const expected = answer.map(textOf).filter((text) => text !== undefined);
        assert.equal(textIn(written), expected.join(","));
        assert.equal(digests.take().bytes.length, 16 * expected.length);
      }
    }),
  );
});

test("a recently requested entry is not rendered again, and another text has another digest", () => {
  const entries = new EntryJsonCache(100_000);
  const rows = {};
  const ask = (place: number, text: string): { readonly made: boolean; readonly digest: string } => {
    const [texts, digests] = [new ByteWriter(), new ByteWriter()];
    let made = false;
    const make = (): EntryJson => {
      made = true;
      return { text };
    };
    entries.append({ at: { rows, position: place }, locale: "en" }, staticStock, make, {
      texts,
      digests,
      separator: "",
    });
    assert.equal(textIn(texts), text);
    return { made, digest: digests.take().bytes };
  };
  const first = ask(1, "Café");
  assert.deepEqual([first.made, ask(1, "Café").made], [true, false]);
  assert.equal(ask(1, "Café").digest, first.digest);
  assert.equal(ask(2, "Café").digest, first.digest);
  assert.notEqual(ask(3, "Cafe").digest, first.digest);
});

test("a text larger than the entire cache is returned and not cached", () => {
  const entries = new EntryJsonCache(1_000);
  const [texts, digests] = [new ByteWriter(), new ByteWriter()];
  const long = "ü".repeat(1_000_000);
  for (const _ of [1, 2])
    entries.append({ at: { rows: entries, position: 0 }, locale: "en" }, staticStock, () => ({ text: long }), {
      texts,
      digests,
      separator: "",
    });
  assert.equal(textIn(texts), long + long);
});

test("the JSON of a product is rendered again when its stock changes", () => {
  const entries = new EntryJsonCache(100_000);
  const at = { rows: {}, position: 1 };
  let version = 1;
  const holds = (mark: { readonly version: number }): boolean => mark.version === version;
  const ask = (left: string): string => {
    const [texts, digests] = [new ByteWriter(), new ByteWriter()];
    const make = (): EntryJson => ({ text: left, stock: { counterIndices: Int32Array.of(7), version } });
    entries.append({ at, locale: "en" }, { isCurrent: holds }, make, { texts, digests, separator: "" });
    return textIn(texts);
  };
  assert.deepEqual([ask("3 left"), ask("2 left")], ["3 left", "3 left"]);
  version = 2;
  assert.deepEqual([ask("2 left"), ask("1 left")], ["2 left", "2 left"]);
});

function textIn(writer: ByteWriter): string {
  return Buffer.from(writer.take().bytes, "latin1").toString();
}
