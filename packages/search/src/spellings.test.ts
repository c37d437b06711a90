import assert from "node:assert/strict";
import { test } from "node:test";
import { createSegmentBuilder } from "./index/leaf-builder.ts";
import { fields, schema } from "./schema.fixture.ts";
import { createSearcher } from "./searcher.ts";

const searcher = createSearcher(schema);

function openIndex(locale: string, titles: readonly string[]) {
  const builder = createSegmentBuilder(schema, locale);
  titles.forEach((title, externalId) => {
    builder.add({ externalId, locale, phrases: "runs", fields: [[fields.title, title]] });
  });
  return searcher.open([builder.finish()], { synonyms: [], popular: [] });
}

/** Returns the titles that contain all words of a text in one of their spellings, so that no notice is needed. */
function findTitles(locale: string, titles: readonly string[], text: string): string[] {
  const hits = openIndex(locale, titles)
    .search({ text, locale, limits: new Map([[0, 10]]) })
    .get(0);
  return (hits ?? [])
    .filter(({ missing, words }) => missing === 0 && words === undefined)
    .map(({ externalId }) => titles[externalId] as string);
}

test("German and Nordic words are found by their ASCII spelling", () => {
  for (const [locale, title, texts] of [
    ["de", "Öl für den Motor", ["oel", "oel motor", "fuer motor"]],
    ["de", "Ölfilter", ["oelfilter", "oelfil", "oelfilt"]],
    ["de", "Oliven Öl kaltgepresst", ["olivenoel", "olivenoel kaltgepresst"]],
    ["de", "Überbrückungskabel", ["ueberbrueckungskabel", "ueberbrue"]],
    ["de", "Handmühle", ["muehle", "handmuehle"]],
    ["sv", "Långärmad tröja", ["laangaermad troeja"]],
    ["da", "Rød uldsok", ["roed"]],
    ["nb", "Blått sjøkart", ["blaatt sjoekart"]],
  ] as const)
    for (const text of texts) assert.deepEqual(findTitles(locale, [title], text), [title], text);
  assert.deepEqual(findTitles("de", ["Neue Steuer", "Nu"], "neue"), ["Neue Steuer"]);
  assert.deepEqual(openIndex("de", ["Ölfilter Golf"]).complete("oelf", "de", 3), ["ölfilter", "ölfilter golf"]);
});

test("a word of four letters is not a misspelling of a short function word", () => {
  for (const [locale, title, text] of [
    ["en", "Cover for Golf", "ford"],
    ["de", "Topf mit Deckel", "mitt"],
    ["fr", "Crème des Alpes", "dest"],
  ] as const)
    assert.deepEqual(
      openIndex(locale, [title])
        .search({ text, locale, limits: new Map([[0, 10]]) })
        .get(0) ?? [],
      [],
      text,
    );
  assert.equal(
    openIndex("en", ["Hat"])
      .search({ text: "hatt", locale: "en", limits: new Map([[0, 10]]) })
      .get(0)?.length,
    1,
  );
});

test("a misspelled plural finds the singular, and is a likely misspelling of it", () => {
  for (const [locale, title, texts] of [
    ["en", "Rain Jacket", ["jakets", "rain jakets", "jakets rain"]],
    ["en", "Toilet Brush", ["toitets"]],
    ["da", "Bamse", ["bamsre"]],
    ["it", "Scarpa rossa", ["scapre"]],
    ["pl", "Lampa biurkowa", ["lapmy"]],
    ["tr", "Ceket", ["cekteler"]],
  ] as const)
    for (const text of texts) {
      const [hit] =
        openIndex(locale, [title, "Kalk"])
          .search({ text, locale, limits: new Map([[0, 10]]) })
          .get(0) ?? [];
      assert.deepEqual([hit?.externalId, hit?.missing], [0, 0], text);
      assert.equal(hit?.words?.find(({ match }) => match === "corrected")?.isLikely, true, text);
    }
});

test("German adjectives in compounds are found as separate words with their endings, and the reverse", () => {
  for (const [title, text] of [
    ["Grüner Tee", "grüntee"],
    ["Roter Wein", "rotwein"],
    ["Weißer Tee", "weisstee"],
    ["Grüntee", "grüner tee"],
  ] as const)
    assert.deepEqual(findTitles("de", [title, "Schwarzbrot"], text), [title], text);
});

test("the last word of a compound is found from its fourth letter on", () => {
  for (const [locale, title, text] of [
    ["nl", "Bureaustoel", "stoe"],
    ["sv", "Vattenflaska", "flas"],
    ["fi", "Pikalaturi", "latu"],
  ] as const) {
    assert.deepEqual(findTitles(locale, [title], text), [title], text);
    assert.deepEqual(findTitles(locale, [title], text.slice(0, 3)), [], text);
  }
});

test("codes are found if they were typed with letters of another alphabet that look alike", () => {
  for (const [locale, title, text] of [
    ["uk", "Лампа E27 4000K", "лампа е27 4000к"],
    ["ru", "Болт М6х20", "m6x20"],
    ["el", "Λάμπα E27", "λαμπα ε27"],
    ["bg", "Лампа H7", "лампа н7"],
  ] as const)
    assert.deepEqual(findTitles(locale, [title], text), [title], text);
  assert.deepEqual(findTitles("uk", ["Лампа 10 Вт", "Лампа 10B"], "лампа 10 вт"), ["Лампа 10 Вт"]);
});

test("a part number without spaces finds the number in groups of three, counted from either side", () => {
  for (const [title, text] of [
    ["Control unit 5Q0 804 372 A", "5q0804372a"],
    ["Control unit 5Q0 804 372 A", "5q0804372"],
    ["Lambda sensor 0 258 986 507", "0258986507"],
  ] as const)
    assert.deepEqual(findTitles("en", [title, "Mirror 5Q0 857 409"], text), [title], text);
  assert.deepEqual(findTitles("en", ["Lambda sensor 0 258 986 508", "Bearing 0258 986 507"], "0258986507"), []);
});

test("Korean vowels that sound alike are interchangeable", () => {
  for (const [title, text] of [
    ["게이밍 헤드셋", "해드셋"],
    ["닌텐도 스위치", "닌탠도"],
    ["왜건", "웨건"],
    ["텀블러", "텀불러"],
  ] as const)
    assert.deepEqual(findTitles("ko", [title], text), [title], text);
});

test("Dutch, Finnish, Polish, Russian, and Ukrainian words are found in forms that change their letters", () => {
  for (const [locale, title, texts] of [
    ["nl", "Schaar", ["scharen"]],
    ["nl", "Verzenddoos", ["verzenddozen"]],
    ["nl", "Lamp", ["lampje"]],
    ["fi", "Sininen reppu", ["reput", "reppua"]],
    ["fi", "Kahvinkeitin", ["kahvinkeittimet"]],
    ["fi", "Kylpypyyhe", ["kylpypyyhkeet", "pyyhkeet"]],
    ["fi", "Naisten talvisaappaat", ["saapas"]],
    ["pl", "Widelce", ["widelec"]],
    ["ru", "Чехол для телефона", ["чехлы"]],
    ["uk", "Чохол для телефона", ["чохли"]],
  ] as const)
    for (const text of texts) assert.deepEqual(findTitles(locale, [title], text), [title], text);
});

test("short Hebrew words have plurals", () => {
  for (const [title, text] of [
    ["ספה לסלון", "ספות"],
    ["עט כחול", "עטים"],
  ] as const)
    assert.deepEqual(findTitles("he", [title], text), [title], text);
});

test("a text without spaces finds the same words with spaces, in scripts in which spaces are optional", () => {
  for (const [locale, title, text] of [
    ["ko", "무선 컨트롤러 블랙", "무선컨트롤러"],
    ["ko", "닌텐도 스위치 OLED", "닌텐도스위치"],
    ["th", "กระเป๋าเป้ สีดำ", "กระเป๋าเป้สีดำ"],
    ["ja", "ワイヤレス マウス", "ワイヤレスマウス"],
    ["zh", "无线 鼠标", "无线鼠标"],
  ] as const)
    assert.deepEqual(findTitles(locale, [title], text), [title], text);
  assert.deepEqual(findTitles("ko", ["사과 일 킬로", "과일"], "과일"), ["과일"]);
  assert.deepEqual(findTitles("ko", ["컨트롤러 무선"], "무선컨트롤러"), []);
});
