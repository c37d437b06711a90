import assert from "node:assert/strict";
import { test } from "node:test";
import { createSegmentBuilder } from "./index/leaf-builder.ts";
import { fields, schema } from "./schema.fixture.ts";
import { createSearcher } from "./searcher.ts";

/** Searches products and returns the titles of the results. */
function search(text: string, products: readonly { readonly title: string; readonly vendor?: string }[]): string[] {
  const builder = createSegmentBuilder(schema, "en");
  products.forEach(({ title, vendor }, externalId) => {
    const texts = vendor === undefined ? [] : [[fields.vendor, vendor] as const];
    builder.add({ externalId, locale: "en", fields: [[fields.title, title], ...texts] });
  });
  const index = createSearcher(schema).open([builder.finish()], { synonyms: [], popular: [] });
  const hits = index.search({ text, locale: "en", limits: new Map([[0, 10]]), typos: false }).get(0) ?? [];
  return hits.map(({ externalId }) => products[externalId]?.title ?? "");
}

test("a product ranks before products with it as a part or an ingredient, in any language", () => {
  for (const [query, withPart, product] of [
    ["tuna", "Pizza with tuna", "Friendly Joe white tuna"],
    ["thunfisch", "Pizza mit Thunfisch", "Hey Joe weißer Thunfisch"],
    ["lid", "Pot with glass and steel lid", "Large round blue glass lid"],
    ["miel", "Galletas con miel", "Tarro grande de miel"],
  ] as const)
    assert.deepEqual(search(query, [{ title: withPart }, { title: product }]), [product, withPart]);
});

test("a title names its product again after a number or a separator", () => {
  for (const phone of ["Nova with 32GB cell phone", "Nova with charger, phone"])
    assert.deepEqual(search("phone", [{ title: "Arm phone holders" }, { title: phone }]), [phone, "Arm phone holders"]);
});

test("further words of a maker do not name the product", () => {
  const wallCharger = { title: "Just Wireless - Wall Charger", vendor: "Just Wireless" };
  const wirelessCharger = { title: "Mophie - Wireless Charger", vendor: "Mophie" };
  assert.deepEqual(search("wireless charger", [wallCharger, wirelessCharger])[0], wirelessCharger.title);
});

test("products of a maker rank before products for those of the maker", () => {
  const ownToner = { title: "Lexmark toner cartridge original", vendor: "Lexmark" };
  const otherToner = { title: "Xerox toner cartridge, equivalent to Lexmark 12A7315", vendor: "Xerox" };
  assert.deepEqual(search("lexmark toner", [otherToner, ownToner])[0], ownToner.title);
});

test("if no product has all words, other products of the named maker rank before those of other makers", () => {
  const others = Array.from({ length: 40 }, (_, number) => ({ title: `Cable ${number}`, vendor: `Maker${number}` }));
  const ownDrives = Array.from({ length: 6 }, (_, number) => ({
    title: `Kingston Traveler ${number} USB drive`,
    vendor: "Kingston",
  }));
  const otherStick = { title: "Verbatim USB memory stick", vendor: "Verbatim" };
  assert.equal(search("kingston usb stick", [otherStick, ...ownDrives, ...others])[0], ownDrives[0]?.title);
});
