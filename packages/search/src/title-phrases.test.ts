import assert from "node:assert/strict";
import { test } from "node:test";
import { createSegmentBuilder } from "./index/leaf-builder.ts";
import { fields, schema } from "./schema.fixture.ts";
import type { Query, SearchIndex } from "./search-index.ts";
import { createSearcher } from "./searcher.ts";

interface Product {
  readonly title: string;
  readonly vendor?: string;
}

/** Searches products and returns the titles of the results. */
function search(text: string, products: readonly Product[], locale = "en"): string[] {
  const hits = open(products, locale).search(createQuery(text, locale)).get(0) ?? [];
  return hits.map(({ externalId }) => products[externalId]?.title ?? "");
}

function createQuery(text: string, locale: string): Query {
  return { text, locale, limits: new Map([[0, 10]]), typos: false };
}

function open(products: readonly Product[], locale: string): SearchIndex {
  const builder = createSegmentBuilder(schema, locale);
  products.forEach(({ title, vendor }, externalId) => {
    const texts = vendor === undefined ? [] : [[fields.vendor, vendor] as const];
    builder.add({ externalId, locale, fields: [[fields.title, title], ...texts] });
  });
  return createSearcher(schema).open([builder.finish()], { synonyms: [], popular: [] });
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

test("a product ranks before products for it, by words that state a purpose in one language only", () => {
  for (const [locale, query, forIt, product] of [
    ["pl", "storczyk", "Ziemia do storczyka", "Storczyk biały w doniczce"],
    ["sv", "cykel", "Stort lås till cykel", "Röd cykel 28 tum"],
    ["hr", "bicikl", "Kaciga za bicikl", "Bicikl 28 cola"],
    ["sk", "bicykel", "Prilba pre bicykel", "Bicykel 28 palcov"],
  ] as const)
    assert.deepEqual(search(query, [{ title: forIt }, { title: product }], locale), [product, forIt]);
});

test("the first word of a title names the product in languages whose titles begin with the noun", () => {
  for (const [locale, query, withPart, product] of [
    ["es", "tubo", "Salida negra tubo", "Tubo PVC pesado"],
    ["pt", "garrafa", "Tampa azul garrafa", "Garrafa térmica azul"],
    ["it", "crema", "Biscotto ripieno crema", "Crema viso notte"],
    ["fr", "aspirateur", "Sac blanc aspirateur", "Aspirateur balai blanc"],
    ["ro", "miere", "Biscuiti fragezi miere", "Miere albine salcam"],
    ["pl", "żarówka", "Lampa loft żarówka", "Żarówka LED ciepła"],
    ["ru", "телефон", "Стекло прозрачное телефон", "Телефон Samsung черный"],
    ["uk", "лампа", "Абажур білий лампа", "Лампа настільна біла"],
    ["ar", "قميص", "زر أزرق قميص", "قميص قطن أزرق"],
    ["he", "חולצה", "כפתור כחול חולצה", "חולצה כחולה ארוכה"],
  ] as const)
    assert.deepEqual(search(query, [{ title: withPart }, { title: product }], locale), [product, withPart]);
  const names = [{ title: "Steel lamp notebook" }, { title: "Notebook sleeve black" }];
  assert.equal(search("notebook", names)[0], "Steel lamp notebook");
  // The number of a quantity does not name a product.
  const sizes = [{ title: "Tornillo acero 5" }, { title: "5 kg arroz blanco" }];
  assert.deepEqual(search("5", sizes, "es"), ["Tornillo acero 5", "5 kg arroz blanco"]);
});

test("a product ranks before products without it, in any language", () => {
  for (const [query, withoutPart, product] of [
    ["sugar", "Herbal tea without sugar", "Fine brown cane sugar"],
    ["zucker", "Milder Saft ohne Zucker", "Feiner großer brauner Zucker"],
    ["cukier", "Herbata ziołowa bez cukier", "Duży brązowy drobny cukier"],
    ["gluten", "Galletas sin gluten", "Harina blanca gluten"],
  ] as const)
    assert.deepEqual(search(query, [{ title: withoutPart }, { title: product }]), [product, withoutPart]);
});

test("a word before a conjunction does not name the product, in any language", () => {
  for (const [query, firstOfTwo, product] of [
    ["rice", "Baby porridge rice and veal", "Long grain basmati brown rice"],
    ["reis", "Babybrei Huhn Reis und Kalb", "Großer brauner loser Basmati Reis"],
    ["queso", "Pizza grande queso y tomate", "Crema pequeña blanca suave queso"],
    ["cookie", "Milk bar cookie & cream", "Dark sweet butter cookie"],
    ["calcium", "Tablets calcium + vitamin", "Strong mineral calcium"],
  ] as const)
    assert.deepEqual(search(query, [{ title: firstOfTwo }, { title: product }]), [product, firstOfTwo]);
});

test("a word before a contracted preposition names the product", () => {
  for (const [query, ingredient, product] of [
    ["merluza", "Crema suave merluza blanca Cabo", "Filetes grandes merluza del Cabo"],
    ["carte", "Boussole ancienne carte marine Bretagne", "Grande belle carte du monde"],
    ["salsa", "Pizza grande salsa rossa", "Ottima salsa della nonna"],
    ["queijo", "Torta grande queijo serra", "Ótimo queijo da serra"],
    ["honig", "Riegel mit Honig Nuss", "Echter Honig vom Imker"],
  ] as const)
    assert.deepEqual(search(query, [{ title: ingredient }, { title: product }])[0], product);
});

test("a purpose or an addition continues after a conjunction", () => {
  for (const [query, withPart, product] of [
    ["strainer", "Large steel pot with lid & strainer", "Large steel blue green round strainer"],
    ["tablet", "Stand for phone & tablet", "Big blue fast tablet"],
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

test("the code of a model follows the word that names the product, and a short code may be part of the name", () => {
  const blender = { title: "Pure collection blender HR2094/00" };
  assert.deepEqual(search("blender", [{ title: "Hand blender knife" }, blender])[0], blender.title);
  const music = { title: "Pocket music MP3 player" };
  assert.deepEqual(search("music", [music, { title: "Soft loud music" }])[0], "Soft loud music");
});

test("in English, the last word of a search, or the last one before a purpose, names the product", () => {
  const chocolate = { title: "Sweet cookie bar chocolate" };
  const cookie = { title: "Sweet chocolate bar cookie" };
  for (const products of [
    [chocolate, cookie],
    [cookie, chocolate],
  ]) {
    assert.equal(search("chocolate cookie", products)[0], cookie.title);
    assert.equal(search("cookie chocolate", products)[0], chocolate.title);
    assert.equal(search("cookie for chocolate", products)[0], cookie.title);
    assert.equal(search("chocolate for cookie", products)[0], chocolate.title);
    assert.equal(search("cookie chocolate", products, "es")[0], products[0]?.title);
  }
});

test("an explanation names the rules about words that name the product, the vendor, or the type", () => {
  const index = open([{ title: "Lexmark laser toner", vendor: "Lexmark" }], "en");
  const explain = (text: string) => index.explain(createQuery(text, "en"), 0)?.parts.map(({ reason }) => reason);
  const [vendor, product] = explain("lexmark toner") ?? [];
  assert.equal(vendor, '"lexmark" in title (at its start, as the vendor, of 3 words), vendor');
  assert.equal(
    product,
    '"toner" in title (as the last word of a phrase, of 3 words); names the product: the points for the last word of a phrase count twice',
  );
  assert.doesNotMatch(explain("toner lexmark")?.[0] ?? "", /names the product/);
  assert.match(explain("lexmark drum")?.[0] ?? "", /usually names the vendor or type: counts 150%$/);
});

test("letters of an unfinished word do not prefer short titles, nor titles that end with such a word", () => {
  const [long, short] = ["Sunscreen for sensitive skin, without perfume, 200 ml", "Sunbeam"];
  const products = [{ title: long }, { title: short }];
  assert.deepEqual(search("su", products), [long, short], "the first product is as likely");
  assert.deepEqual(search("sunbeam", products), [short]);
});
