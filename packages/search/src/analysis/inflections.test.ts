import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createSegmentBuilder } from "../index/leaf-builder.ts";
import { fields, schema } from "../schema.fixture.ts";
import type { Hit } from "../search-index.ts";
import { createSearcher } from "../searcher.ts";
import { areWordForms, listForms } from "./inflections.ts";
import { languages } from "./languages/registry.ts";

const searcher = createSearcher(schema);

/** Returns the titles that match all words of a search, best first. */
function searchTitles(locale: string, titles: readonly string[], text: string): string[] {
  return searchHits(locale, titles, text)
    .filter(({ missing }) => missing === 0)
    .map(({ externalId: number }) => titles[number] as string);
}

function searchHits(locale: string, titles: readonly string[], text: string): readonly Hit[] {
  const builder = createSegmentBuilder(schema, locale);
  titles.forEach((title, number) => {
    builder.add({
      externalId: number,
      type: 0,
      available: true,
      popularity: 0,
      locale,
      fields: [[fields.title, title]],
    });
  });
  const index = searcher.open([builder.finish()], { synonyms: [], popular: [] });
  return index.search({ text, locale, limits: new Map([[0, 10]]), typos: true, unavailable: "last" }).get(0) ?? [];
}

test("singular and plural match each other, by the rules of the shop's language", () => {
  assert.deepEqual(searchTitles("en", ["Berry jam"], "berries jam"), ["Berry jam"]);
  assert.deepEqual(searchTitles("de", ["Tage im Bad"], "tag bad"), ["Tage im Bad"]);
  assert.deepEqual(searchTitles("de", ["Tag am Meer"], "tage meer"), ["Tag am Meer"]);
  assert.deepEqual(searchTitles("fr", ["Manteaux de pluie"], "manteau pluie"), ["Manteaux de pluie"]);
  assert.deepEqual(searchTitles("es", ["Panes", "Pan de molde"], "panes"), ["Panes", "Pan de molde"]);
  assert.deepEqual(searchTitles("it", ["Cibo per conigli"], "cibo coniglio"), ["Cibo per conigli"]);
  for (const [title, text] of [
    ["Kosiarka elektryczna", "kosiarki elektryczne"],
    ["Wąż ogrodowy", "wąż ogrodowe"],
    ["Nasiona pomidora", "nasiona pomidorów"],
    ["Nasiona ogórka", "nasiona ogórków"],
    ["Cebule tulipanów", "cebule tulipany"],
    ["Nawóz do borówek", "nawóz borówki"],
    ["Nawóz do pelargonii", "nawóz pelargonia"],
  ] as const) {
    const [hit] = searchHits("pl", [title], text);
    assert.equal(hit?.words, undefined, `${text}: no notice`);
  }
  for (const [locale, title, text] of [
    ["bg", "Лампа за маса", "лампи"],
    ["cs", "Okurka salátová", "okurky"],
    ["cs", "Semena rajčat", "rajče"],
    ["cs", "Květináč hnědý", "hnědá"],
    ["cs", "Jídelní stůl", "stoly"],
    ["da", "Uldgarn rød", "rødt"],
    ["da", "Kasket sort", "kasketter"],
    ["da", "Cykler til børn", "cykel"],
    ["da", "Tallerken flad", "tallerkner"],
    ["da", "Uldne hatte", "hat"],
    ["de", "Album mit Foto", "alben"],
    ["de", "Bus rot", "busse"],
    ["de", "Kürbis bunt", "kürbisse"],
    ["el", "Ελληνικός καφές", "καφέδες"],
    ["el", "Ρολόι τοίχου", "ρολόγια"],
    ["el", "Τηλεοράσεις", "τηλεόραση"],
    ["el", "Ανεμιστήρας οροφής", "ανεμιστήρες"],
    ["he", "נעל ספורט", "נעליים"],
    ["he", "ביצה טרייה", "ביצים"],
    ["hi", "साड़ी सिल्क", "साड़ियाँ"],
    ["hi", "कुर्ता", "कुर्ते"],
    ["hr", "Lampa stolna", "lampe"],
    ["hr", "Jastuk bijeli", "jastuci"],
    ["hu", "Csiszolt kerék", "kerekek"],
    ["hu", "Gyerek kesztyű", "kesztyűt"],
    ["is", "Húfa svört", "húfur"],
    ["it", "Valigie rigide", "valige"],
    ["it", "Camice bianche", "camicie"],
    ["lt", "Batas juodas", "batai"],
    ["nb", "Støvler svarte", "støvel"],
    ["nl", "Doos wit", "dozen"],
    ["nl", "Laars zwart", "laarzen"],
    ["nn", "Kopp blå", "koppar"],
    ["no", "Lampe svart", "lamper"],
    ["pl", "Fotel szary", "fotele"],
    ["pl", "Kable czarne", "kabel"],
    ["pt", "Cama infantil", "infantis"],
    ["ro", "Cafea boabe", "cafele"],
    ["ro", "Covor rotund", "covoare"],
    ["ro", "Geantă neagră", "genți"],
    ["ro", "Culori de ulei", "culoare"],
    ["ru", "Кружка белая", "кружек"],
    ["ru", "Стул белый", "стулья"],
    ["sk", "Uhorka šalátová", "uhoriek"],
    ["sk", "Káble čierne", "kábel"],
    ["sl", "Čevelj črn", "čevlji"],
    ["sv", "Väska röd", "röda"],
    ["sv", "Ljudbok", "ljudböcker"],
    ["sv", "Kudde grå", "kuddar"],
    ["sv", "Nyckel vit", "nycklar"],
    ["sv", "Sko vit", "skor"],
    ["tr", "Boya kalemi", "kalemler"],
    ["tr", "Boyama kitabı", "kitaplar"],
    ["tr", "Kahve makinesi", "makineleri"],
    ["tr", "Bebek yatağı", "yatakları"],
    ["tr", "Saklama kutusu", "kutuları"],
    ["tr", "Çamaşır tozu", "tozları"],
    ["uk", "Стільці білі", "стілець"],
  ] as const) {
    const [hit] = searchHits(locale, [title], text);
    assert.deepEqual([hit?.externalId, hit?.words], [0, undefined], `${text}: no notice`);
  }
  assert.deepEqual(searchTitles("pt", ["Flores", "Flor de sal"], "flores"), ["Flores", "Flor de sal"]);
});

test("an ending applies only to words that take it", () => {
  assert.deepEqual(searchTitles("sv", ["Brott och straff", "Bröd"], "bröd"), ["Bröd"]);
  const browTitle = "Brow pencil, for who has no use for mascara";
  assert.deepEqual(searchTitles("de", ["Brown mascara", browTitle], "brow mascara"), [browTitle, "Brown mascara"]);
  assert.deepEqual(searchTitles("de", ["Tafel und Gabeln"], "gabel tafel"), ["Tafel und Gabeln"]);
  assert.deepEqual(searchTitles("de", ["Wie neu", "Wiese"], "wiese"), ["Wiese"]);
  assert.deepEqual(searchTitles("de", ["Venus Rasierer", "Venen Gel"], "venen"), ["Venen Gel"]);
  assert.deepEqual(searchTitles("da", ["Kjole til damer"], "dame kjole"), ["Kjole til damer"]);
});

test("an article has no plural: a similar form counts as a misspelling", () => {
  assert.ok(searchTitles("de", ["Der Handschuh", "Deer Handschuh"], "dere handschuh").includes("Deer Handschuh"));
  assert.ok(searchTitles("fr", ["Les gants", "Lens gants"], "less gants").includes("Lens gants"));
});

test("Arabic words in -un are no plurals: olives are not oil", () => {
  assert.deepEqual(searchTitles("ar", ["زيت عباد الشمس", "زيتون اخضر"], "زيتون"), ["زيتون اخضر"]);
});

test("two words are forms of each other if either lists the other, in each language", () => {
  for (const { code, plurals = [] } of languages) {
    const ending = fc.constantFrom("", "s", "es", "e", "y", "i", "ie", "ies", "x", "sh", "d", ...plurals.flat());
    const stem = fc.constantFrom("", "b", "ba", "bad", "lamp", "bus", "fox", "berr", "handschuh", "cas");
    const word = fc.tuple(stem, ending).map((parts) => parts.join(""));
    fc.assert(
      fc.property(word, word, (first, second) => {
        const isFormOf = (form: string, text: string) => listForms({ text, isGram: false }, code).includes(form);
        assert.equal(
          areWordForms(first, second, code),
          isFormOf(first, second) || isFormOf(second, first),
          `${first} ${second}`,
        );
      }),
      { numRuns: 2_000 },
    );
  }
});
