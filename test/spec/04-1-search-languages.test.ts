import assert from "node:assert/strict";
import { test } from "node:test";
import { product, type RowJson } from "../support/catalogue.ts";
import type { SuggestJson } from "../support/replies.ts";
import { startShop } from "../support/shop.ts";

const one = (id: number, more: object = {}): readonly object[] => [{ id, price: 100, ...more }];
const titles: readonly (readonly [string, string, object?])[] = [
  ["deck-shoes", "Deck Shoes"],
  ["rain-coat", "Raincoat"],
  ["t-shirt", "Striped T-Shirt"],
  ["monitor-27", 'Monitor 27" curved'],
  ["monitor-32", "Monitor 32 inch"],
  ["oil-1l", "Lamp Oil 1l"],
  ["oil-5l", "Lamp Oil 5 l"],
  ["flask", "Flask 750 ml"],
  ["drill", "Drill", { sku: "AB-1234/X.5", barcode: "4 006381 333931" }],
  ["berries", "Dried Berries"],
  ["knives", "Galley Knives"],
  ["glass", "Drinking Glass"],
  ["cafe", "Café Crème Mug"],
  ["angstrom", "Ångström Balance"],
  ["japanese", "港のレインコート 防水"],
  ["chinese", "防水外套和雨鞋"],
  ["korean", "방수 재킷 남성용"],
  ["thai", "เสื้อกันฝนกันลม"],
  ["arabic", "معطف المطر الأزرق"],
];
const translated: readonly RowJson[] = [
  {
    ...product(101, "wardrobe", "Wardrobe", [{ id: 1011, price: 100 }]),
    translations: { de: { title: "Kleiderschrank weiß" }, fr: { title: "Armoire à vêtements" } },
  },
  {
    ...product(102, "mattress", "Mattress", [{ id: 1021, price: 100 }]),
    translations: { de: { title: "Matratze für Kleider" }, fr: { title: "Matelas épais" } },
  },
  {
    ...product(103, "horses", "Toy", [{ id: 1031, price: 100 }]),
    translations: { de: { title: "Holzhäuser bunt" }, fr: { title: "Chevaux de bois" } },
  },
  {
    ...product(104, "cupboard", "Cupboard", [{ id: 1041, price: 100 }]),
    translations: { de: { title: "Schrank" }, fr: { title: "Bateaux et jouets" } },
  },
];
const rows: readonly RowJson[] = [
  ...titles.map(([handle, title, more], index) =>
    product(index + 1, handle, title, one((index + 1) * 10, more) as never),
  ),
  ...translated,
];
const shop = await startShop({ rows, config: { locales: { default: "en", others: ["de", "fr"] } } });
const client = shop.client();

async function handles(q: string, locale: string): Promise<readonly string[]> {
  const prefix = locale === "en" ? "" : `/${locale}`;
  const reply = await client.get(
    `${prefix}/search/suggest.json?q=${encodeURIComponent(q)}&resources[type]=product&resources[options][fields]=title,variants.sku,variants.barcode`,
  );
  assert.equal(reply.status, 200, reply.text);
  return reply.json<SuggestJson>().resources.results.products.map(({ handle }) => handle);
}

/** What is typed -> the product that comes first; in the shop's own language unless told. */
const first: readonly (readonly [string, string, string, string?])[] = [
  ["a compound in one word", "deckshoes", "deck-shoes"],
  ["a compound in two words", "deck shoes", "deck-shoes"],
  ["a compound with a hyphen", "deck-shoes", "deck-shoes"],
  ["a compound in two words where it is written in one", "rain coat", "rain-coat"],
  ["a compound that is not finished", "decksho", "deck-shoes"],
  ["a hyphen left out", "tshirt", "t-shirt"],
  ["a blank for a hyphen", "t shirt", "t-shirt"],
  ["inches by their sign", '27"', "monitor-27"],
  ["inches by their word", "27 inch", "monitor-27"],
  ["inches in one word", "27inch monitor", "monitor-27"],
  ["inches by their sign where they are written out", 'monitor 32"', "monitor-32"],
  ["litres", "oil 1l", "oil-1l"],
  ["litres apart from their number", "oil 1 l", "oil-1l"],
  ["litres in one word", "oil 5l", "oil-5l"],
  ["millilitres for a litre", "oil 1000ml", "oil-1l"],
  ["litres for millilitres", "flask 0.75l", "flask"],
  ["a SKU as it is written", "AB-1234/X.5", "drill"],
  ["a SKU without punctuation", "ab1234x5", "drill"],
  ["a SKU with blanks for it", "ab 1234 x 5", "drill"],
  ["a barcode with its blanks", "4 006381 333931", "drill"],
  ["a barcode without its blanks", "4006381333931", "drill"],
  ["a barcode by its beginning", "4006381", "drill"],
  ["the singular of -ies", "berry", "berries"],
  ["the singular of -ves", "knife", "knives"],
  ["the plural of -ss", "glasses", "glass"],
  ["accents left out", "cafe creme", "cafe"],
  ["accents where there are none", "dríed bérries", "berries"],
  ["a ring left out", "angstrom", "angstrom"],
  ["a ring as it is", "ÅNGSTRÖM", "angstrom"],
  ["Japanese, in the middle", "レイン", "japanese"],
  ["Japanese in half width", "ﾚｲﾝｺｰﾄ", "japanese"],
  ["Japanese in hiragana", "れいんこーと", "japanese"],
  ["Chinese, one character", "鞋", "chinese"],
  ["Chinese, words in another order", "雨鞋 外套", "chinese"],
  ["Korean without a blank", "방수재킷", "korean"],
  ["Korean, the beginning of a word", "남성", "korean"],
  ["Thai, the second word", "กันลม", "thai"],
  ["Arabic with its article", "المطر", "arabic"],
  ["Arabic with another alif", "الازرق", "arabic"],
  ["Arabic with vowel signs", "مِعْطَف", "arabic"],
  ["the parts of a German compound in another order", "schrank kleider", "wardrobe", "de"],
  ["the last part of a German compound", "weißer schrank", "wardrobe", "de"],
  ["ss for ß", "kleiderschrank weiss", "wardrobe", "de"],
  ["a German singular with its umlaut taken off", "holzhaus", "horses", "de"],
  ["a French plural", "matelas épaisses", "mattress", "fr"],
  ["a French singular of -aux", "cheval de bois", "horses", "fr"],
  ["a French singular of -eaux", "bateau", "cupboard", "fr"],
  ["a French plural of a singular", "armoires", "wardrobe", "fr"],
];
for (const [what, q, handle, locale = "en"] of first) {
  test(`4.1 search finds ${what}: "${q}"`, async () => {
    assert.equal((await handles(q, locale))[0], handle);
  });
}

test("4.1 search: a code is never another code", async () => {
  for (const q of ["4006381333932", "ab1235x5"]) assert.ok(!(await handles(q, "en")).includes("drill"), q);
});
