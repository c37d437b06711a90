import assert from "node:assert/strict";
import { test } from "node:test";
import { product, type RowJson } from "../support/catalog.ts";
import type { SuggestJson } from "../support/replies.ts";
import { searchPageOf } from "../support/search-page.ts";
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
/** Titles in the store's language, as [language, handle, title]. */
const native: readonly (readonly [string, string, string])[] = [
  ["de", "regenjacke", "Regenjacke gelb"],
  ["de", "jacke-fuer-regen", "Leichte Jacke für Regen und Wind"],
  ["de", "wollmuetze", "Wollmütze gestrickt"],
  ["de", "arbeitshose", "Arbeitshose blau"],
  ["de", "fischerstiefel", "Fischerstiefel"],
  ["fr", "bouee", "Bouée de mouillage"],
  ["fr", "chapeau", "Chapeau de pluie"],
  ["ar", "haqiba", "الحقيبة الجلدية"],
  ["ar", "mitaf", "معطف للمطر"],
  ["ar", "hidha", "حذاء وجوارب"],
  ["ar", "kub", "كوب ١٢ قطعة"],
  ["he", "meil", "המעיל האדום"],
  ["ru", "kurtka", "Куртка для дождя"],
  ["ru", "fonar", "Штормовой фонарь"],
  ["uk", "plashch", "Дощовик і чоботи"],
  ["el", "valitsa", "Βαλίτσα ταξιδιού"],
  ["tr", "isik", "IŞIK ve FENER"],
  ["tr", "mont", "Yağmur ceketi"],
  ["zh", "diannao", "笔记本电脑包"],
  ["zh", "yusan", "自動雨傘"],
  ["ja", "printer", "インクジェットプリンター"],
  ["ja", "violin", "ヴァイオリンケース"],
  ["ja", "mayonnaise", "キユーピー マヨネーズ"],
  ["ja", "sticky", "ポスト・イット 付箋"],
  ["ja", "honey", "蜂蜜（はちみつ）500g"],
  ["ja", "umbrella", "折りたたみ傘"],
  ["ko", "jacket", "방수 재킷"],
  ["ko", "apple", "사과 주스"],
  ["th", "umbrella-th", "ร่มพับได้"],
  ["en", "emoji", "Birthday 🎁 Box 🎉"],
  ["en", "astronaut", "Patch 👩🏽‍🚀 space"],
  ["en", "fullwidth", "Ｗａｔｅｒ　Ｂｏｔｔｌｅ　５００ｍｌ"],
];
const rows: readonly RowJson[] = [
  ...titles.map(([handle, title, more], index) =>
    product(index + 1, handle, title, one((index + 1) * 10, more) as never),
  ),
  ...translated,
  ...native.map(([locale, handle, title], index) => {
    const row = product(200 + index, handle, locale === "en" ? title : `Article ${index}`, one(2_000 + index) as never);
    const description = handle === "chapeau" ? "Pour ne pas perdre la bouée de vue." : "";
    return { ...row, translations: { [locale]: { title, description } } };
  }),
];
const others = ["de", "fr", "ar", "he", "ru", "uk", "el", "tr", "zh", "ja", "ko", "th"];
const themeFiles = searchPageOf("{% for one in search.results %}{{ one.handle }} {% endfor %}");
const shop = await startShop({ rows, themeFiles, config: { locales: { default: "en", others } } });
const client = shop.client();

async function handles(q: string, locale: string): Promise<readonly string[]> {
  const prefix = locale === "en" ? "" : `/${locale}`;
  const reply = await client.get(
    `${prefix}/search/suggest.json?q=${encodeURIComponent(q)}&resources[type]=product&resources[options][fields]=title,variants.sku,variants.barcode`,
  );
  assert.equal(reply.status, 200, reply.text);
  return reply.json<SuggestJson>().resources.results.products.map(({ handle }) => handle);
}

/** Typed texts, each with the product that must rank first. By default, the language is that of the store. */
const first: readonly (readonly [string, string, string, string?])[] = [
  ["a compound in one word", "deckshoes", "deck-shoes"],
  ["a compound in two words", "deck shoes", "deck-shoes"],
  ["a compound with a hyphen", "deck-shoes", "deck-shoes"],
  ["two words for a compound that the title writes as one", "rain coat", "rain-coat"],
  ["a partly typed compound", "decksho", "deck-shoes"],
  ["a word without its hyphen", "tshirt", "t-shirt"],
  ["a space instead of a hyphen", "t shirt", "t-shirt"],
  ["inches with the sign", '27"', "monitor-27"],
  ["inches as a word", "27 inch", "monitor-27"],
  ["inches in one word", "27inch monitor", "monitor-27"],
  ["the inch sign for a title with the word", 'monitor 32"', "monitor-32"],
  ["liters", "oil 1l", "oil-1l"],
  ["a number and liters as two words", "oil 1 l", "oil-1l"],
  ["a number and liters as one word", "oil 5l", "oil-5l"],
  ["milliliters for one liter", "oil 1000ml", "oil-1l"],
  ["liters for milliliters", "flask 0.75l", "flask"],
  ["a SKU as stored", "AB-1234/X.5", "drill"],
  ["a SKU without punctuation", "ab1234x5", "drill"],
  ["a SKU with spaces for punctuation", "ab 1234 x 5", "drill"],
  ["a barcode with spaces", "4 006381 333931", "drill"],
  ["a barcode without spaces", "4006381333931", "drill"],
  ["a barcode by its prefix", "4006381", "drill"],
  ["the singular of -ies", "berry", "berries"],
  ["the singular of -ves", "knife", "knives"],
  ["the plural of -ss", "glasses", "glass"],
  ["words without their accents", "cafe creme", "cafe"],
  ["accents that the title lacks", "dríed bérries", "berries"],
  ["a letter without its ring", "angstrom", "angstrom"],
  ["a letter with its ring", "ÅNGSTRÖM", "angstrom"],
  ["Japanese, in the middle", "レイン", "japanese"],
  ["Japanese in half width", "ﾚｲﾝｺｰﾄ", "japanese"],
  ["Japanese in hiragana", "れいんこーと", "japanese"],
  ["Chinese, one character", "鞋", "chinese"],
  ["Chinese, words in another order", "雨鞋 外套", "chinese"],
  ["Korean without a space", "방수재킷", "korean"],
  ["Korean, the beginning of a word", "남성", "korean"],
  ["Thai, the second word", "กันลม", "thai"],
  ["Arabic with its article", "المطر", "arabic"],
  ["Arabic with another alif", "الازرق", "arabic"],
  ["Arabic with vowel signs", "مِعْطَف", "arabic"],
  ["the parts of a German compound in another order", "schrank kleider", "wardrobe", "de"],
  ["the last part of a German compound", "weißer schrank", "wardrobe", "de"],
  ["ss for ß", "kleiderschrank weiss", "wardrobe", "de"],
  ["a German singular of a plural with umlaut", "holzhaus", "horses", "de"],
  ["a French plural", "matelas épaisses", "mattress", "fr"],
  ["a French singular of -aux", "cheval de bois", "horses", "fr"],
  ["a French singular of -eaux", "bateau", "cupboard", "fr"],
  ["a French plural for a singular title", "armoires", "wardrobe", "fr"],
  ["a German compound", "regenjacke", "regenjacke", "de"],
  ["a German compound in two words", "regen jacke", "regenjacke", "de"],
  ["a German compound for a title with separate words", "leichte regenjacke", "jacke-fuer-regen", "de"],
  ["the plural of a German compound for a title with separate words", "leichte regenjacken", "jacke-fuer-regen", "de"],
  ["a German compound by its parts with a preposition", "gelbe jacke für regen", "regenjacke", "de"],
  ["the last part of a German compound that no title has as a word", "stiefel", "fischerstiefel", "de"],
  ["a prefix of the last part of a German compound", "stief", "fischerstiefel", "de"],
  ["the plural of the last part of a German compound", "mützen", "wollmuetze", "de"],
  ["the parts of a German compound with a linking letter", "arbeit hose", "arbeitshose", "de"],
  ["the parts of a German compound that shortens the first", "wolle mütze", "wollmuetze", "de"],
  ["a French word with its accent", "bouée", "bouee", "fr"],
  ["a French word without its accent", "bouee", "bouee", "fr"],
  ["Arabic without the article that the title has", "حقيبة", "haqiba", "ar"],
  ["Arabic with the article that the title lacks", "المعطف", "mitaf", "ar"],
  ["Arabic after “for” and the article", "المطر", "mitaf", "ar"],
  ["Arabic after “for” and the article, without either", "مطر", "mitaf", "ar"],
  ["Arabic after “and”", "جوارب", "hidha", "ar"],
  ["Arabic with “and” that the title lacks", "وحذاء", "hidha", "ar"],
  ["Arabic with “with” and the article", "بالحقيبة", "haqiba", "ar"],
  ["an Arabic prefix without its article", "حقي", "haqiba", "ar"],
  ["Arabic with another last letter", "حقيبه", "haqiba", "ar"],
  ["Arabic with vowel signs and elongation", "الحَقِيـــبَة", "haqiba", "ar"],
  ["European digits for Arabic ones", "12 قطعة", "kub", "ar"],
  ["Persian digits", "كوب ۱۲", "kub", "ar"],
  ["Arabic on a Latin keyboard", "lu't", "mitaf", "ar"],
  ["Hebrew without its article", "מעיל", "meil", "he"],
  ["Hebrew on a Latin keyboard", "nghk", "meil", "he"],
  ["a Russian plural", "куртки", "kurtka", "ru"],
  ["Russian on a Latin keyboard", "ajyfhm", "fonar", "ru"],
  ["Latin on a Russian keyboard", "кфштсщфе", "rain-coat"],
  ["Latin on a Russian keyboard, a prefix", "кфштс", "rain-coat"],
  ["Latin on a Ukrainian keyboard", "вусл іріушц вусл", "deck-shoes"],
  ["Latin on a Greek keyboard", "ραινψοατ", "rain-coat"],
  ["Latin on a Hebrew keyboard", "רשןמבםשא", "rain-coat"],
  ["Latin on an Arabic keyboard", "قشهىؤخشف", "rain-coat"],
  ["Latin on a Korean keyboard", "ㄱ먀ㅜ챔ㅅ", "rain-coat"],
  ["Ukrainian on a Latin keyboard", "ljojdbr", "plashch", "uk"],
  ["Greek on a Latin keyboard", "balitsa", "valitsa", "el"],
  ["Korean on a Latin keyboard", "tkrhk", "apple", "ko"],
  ["Turkish dotless lower case for upper case", "ışık", "isik", "tr"],
  ["Turkish in plain Latin letters", "isik", "isik", "tr"],
  ["Turkish with a dot on the capital", "İŞİK", "isik", "tr"],
  ["Turkish without the ending of its compound", "yağmur ceket", "mont", "tr"],
  ["traditional for simplified Chinese", "電腦", "diannao", "zh"],
  ["simplified for traditional Chinese", "雨伞", "yusan", "zh"],
  ["Chinese, one character of the other script", "伞", "yusan", "zh"],
  ["Japanese without its last long sound", "プリンタ", "printer", "ja"],
  ["Japanese with its last long sound, in half width", "ﾌﾟﾘﾝﾀｰ", "printer", "ja"],
  ["Japanese with b for v", "バイオリン", "violin", "ja"],
  ["Japanese with small kana for large ones of a brand", "キューピー", "mayonnaise", "ja"],
  ["Japanese without the point between two words", "ポストイット", "sticky", "ja"],
  ["Japanese kanji by the reading in parentheses", "ハチミツ", "honey", "ja"],
  ["Japanese, one kanji", "傘", "umbrella", "ja"],
  ["Korean without a space", "방수재킷", "jacket", "ko"],
  ["Korean while its last syllable is typed: its first consonant", "방수ㅈ", "jacket", "ko"],
  ["Korean while its last syllable is typed: no consonant at its end", "방수재키", "jacket", "ko"],
  ["Korean while its last syllable is typed: the next one's consonant", "방수잭", "jacket", "ko"],
  ["Thai, a word in the middle", "พับ", "umbrella-th", "th"],
  ["an emoji", "🎁", "emoji"],
  ["an emoji with a word", "🎁 box", "emoji"],
  ["a word with an emoji that no title has", "birthday 🌵", "emoji"],
  ["words with an emoji between them in the title", "birthday box", "emoji"],
  ["an emoji with another skin tone", "👩🏿‍🚀", "astronaut"],
  ["ASCII for full width", "water bottle 0.5l", "fullwidth"],
  ["full width for ASCII", "ｄｅｃｋ　ｓｈｏｅｓ", "deck-shoes"],
];
for (const [what, q, handle, locale = "en"] of first) {
  test(`4.1 search finds ${what}: "${q}"`, async () => {
    assert.equal((await handles(q, locale))[0], handle);
  });
}

test("4.1 search: title matches rank before description matches", async () => {
  const reply = await client.get("/fr/search/suggest.json?q=bou%C3%A9e&resources[type]=product,query");
  const { products, queries } = reply.json<SuggestJson>().resources.results;
  assert.deepEqual(
    products.map(({ title }) => title),
    ["Bouée de mouillage", "Chapeau de pluie"],
  );
  assert.ok(
    queries.every(({ text }) => text.startsWith("bouée")),
    JSON.stringify(queries),
  );
});

test("4.1 search: letters of another keyboard layout match only if the typed letters do not", async () => {
  const page = await client.get(`/search?q=${encodeURIComponent("кфштсщфе")}&section_id=main`);
  assert.match(page.text, /rain-coat/);
  assert.deepEqual(await handles("фонарь", "ru"), ["fonar"]);
  assert.deepEqual(await handles("йцйцйц", "en"), []);
});

test("4.1 search: a product code never matches a similar code", async () => {
  for (const q of ["4006381333932", "ab1235x5"]) assert.ok(!(await handles(q, "en")).includes("drill"), q);
});
