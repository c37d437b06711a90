import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { anyText } from "../../../test/support/any-text.ts";
import { emptyRules, parseRulesFile, type RulesName } from "./parse-search-rules.ts";
import type { RuleError } from "./rule-lines.ts";
import { createSearchRules } from "./search-rules.ts";

function rulesOf(files: Partial<Readonly<Record<RulesName, string>>>) {
  const errors: RuleError[] = [];
  const parseTexts = <N extends RulesName>(name: N) =>
    parseRulesFile(name, files[name] ?? "", { default: "en", others: ["fr"] }, (fault) => errors.push(fault));
  const parsedRules = {
    synonyms: parseTexts("synonyms"),
    pins: parseTexts("pins"),
    boosts: parseTexts("boosts"),
    hides: parseTexts("hides"),
    redirects: parseTexts("redirects"),
    ranking: parseTexts("ranking"),
  };
  return { rules: createSearchRules(parsedRules, 1), errors };
}

test("a rule applies to its query in any spelling, and to no other query", () => {
  const { rules } = rulesOf({ pins: "T-Shirt, Café: a, b # ours\n\n# nothing\nship: c" });
  for (const query of ["t-shirt", "T SHIRT", " tshirt! ", "ｔｓｈｉｒｔ", "cafe", "CAFÉ"])
    assert.deepEqual(rules.getRulesForQuery(query, "en").pins, ["a", "b"], query);
  for (const query of ["t-shirts", "t-shir", "shirt", "", "!"])
    assert.deepEqual(rules.getRulesForQuery(query, "en").pins, []);
  assert.deepEqual(rules.getRulesForQuery("ship", "en").locations.pins, "search/pins.txt:4");
});

test("a query that ends with * matches as a prefix, and the longest match applies", () => {
  const { rules } = rulesOf({
    redirects: "rain* -> /a\nrainco* -> /b\nraincoat -> /c\n[fr]\nraincoat -> /d\n[all]\nzip -> /e",
  });
  const findRedirect = (query: string, locale = "en") => rules.getRulesForQuery(query, locale).redirect;
  assert.deepEqual(
    ["rain", "rain hat", "raincoats", "raincoat", "ra", "zip"].map((query) => findRedirect(query)),
    ["/a", "/a", "/b", "/c", undefined, "/e"],
  );
  assert.equal(findRedirect("raincoat", "fr"), "/d");
  assert.equal(findRedirect("rain", "fr"), "/a");
  const unknownLocaleRules = rulesOf({ redirects: "[de]\nrain -> /a" });
  assert.deepEqual(
    [unknownLocaleRules.errors.length, unknownLocaleRules.rules.getRulesForQuery("rain", "en").redirect],
    [1, undefined],
  );
});

test("all matching hide rules apply, * alone to every query; hidden products are not pinned", () => {
  const { rules } = rulesOf({ hides: "*: gift-wrap\nrain*: old-coat\nraincoat: cape", pins: "raincoat: cape, smock" });
  const { hides, pins, locations } = rules.getRulesForQuery("raincoat", "en");
  assert.deepEqual([...hides].sort(), ["cape", "gift-wrap", "old-coat"]);
  assert.deepEqual(pins, ["smock"]);
  assert.equal(locations.hides.length, 3);
  assert.deepEqual([...rules.getRulesForQuery("tea", "en").hides], ["gift-wrap"]);
});

test("each ranking factor applies once, by the most specific rule", () => {
  const { rules, errors } = rulesOf({
    ranking: "*: margin +2\n*: newness\n*: stock +1\nshoe*: margin +9\nshoes: stock 20\n[fr]\nshoes: newness 7 +4",
  });
  assert.deepEqual(errors, []);
  const rankingOf = (query: string, locale: string) =>
    rules.getRulesForQuery(query, locale).ranking.map(({ name, amount, points }) => `${name} ${amount} +${points}`);
  assert.deepEqual(rankingOf("tea", "en"), ["stock 1 +1", "newness 30 +3", "margin 100 +2"]);
  assert.deepEqual(rankingOf("shoes", "en"), ["stock 20 +3", "margin 100 +9", "newness 30 +3"]);
  assert.deepEqual(rankingOf("shoes", "fr"), ["newness 7 +4", "stock 20 +3", "margin 100 +9"]);
  assert.deepEqual(
    rules.getRulesForQuery("shoe", "en").locations.ranking,
    ["ranking", "ranking", "ranking"].map((name, n) => `search/${name}.txt:${[4, 3, 2][n]}`),
  );
});

test("synonyms apply in both directions, or with => in one", () => {
  const { rules, errors } = rulesOf({ synonyms: "sofa, couch , settee\nring light => lamp, lantern" });
  assert.deepEqual(errors, []);
  assert.deepEqual(rules.synonyms, [
    { from: ["sofa", "couch", "settee"], location: "search/synonyms.txt:1" },
    { from: ["ring light"], to: ["lamp", "lantern"], location: "search/synonyms.txt:2" },
  ]);
});

const invalidExamples: readonly (readonly [RulesName, string, RegExp])[] = [
  ["pins", "raincoat storm-smock", /no ":".*raincoat: storm-smock/],
  ["pins", "raincoat:", /product is missing/],
  ["pins", ": smock", /query is missing/],
  ["pins", "!?: smock", /"!\?" has no letter/],
  ["pins", "ra*in: smock", /\* is only allowed at the end/],
  ["pins", "rain: Storm Smock", /"Storm Smock" is not a handle/],
  ["pins", "rain: a\nRAIN: b", /line 1 already has a rule for "rain"/],
  ["hides", "rain: /products/smock", /is not a handle/],
  ["hides", "[de]", /"de" is not a language of this shop\. Write \[en\] or \[fr\]/],
  ["ranking", "shoes margin", /query is missing/],
  ["ranking", "shoes:", /"" is not a ranking\. Write "margin \+3"/],
  ["ranking", "shoes: price +3", /"price \+3" is not a ranking/],
  ["ranking", "shoes: margin 5 +3", /is not a ranking/],
  ["ranking", "shoes: stock 0 +3", /is not a ranking/],
  ["ranking", "shoes: stock 5 +51", /whole number from 1 to 50/],
  ["ranking", "shoes: margin +1\nSHOES: margin +2", /line 1 already has a rule for "shoes"/],
  ["redirects", "returns /pages/returns", /no "->"/],
  ["redirects", "returns -> https://elsewhere.example/", /not a path of this shop/],
  ["redirects", "returns -> //elsewhere.example", /not a path of this shop/],
  ["redirects", "returns -> /pages/a b", /not a path of this shop/],
  ["redirects", "returns -> /search?q=return", /loop/],
  ["redirects", "returns -> /fr/search", /loop/],
  ["redirects", "* -> /", /every search/],
  ["synonyms", "sofa", /has no synonym/],
  ["synonyms", "a => b => c", /one "=>"/],
  ["synonyms", "sofa =>", /one "=>"/],
  ["synonyms", "sofa, ***", /"\*\*\*" has no letter/],
  ["synonyms", "[fr]\nsofa, couch", /all languages/],
];
for (const [name, text, message] of invalidExamples)
  test(`${name}.txt: ${JSON.stringify(text)} is reported with its line, and has no effect`, () => {
    const { errors, rules } = rulesOf({ [name]: text });
    assert.equal(errors.length, 1);
    assert.match(errors[0]?.message ?? "", message);
    assert.equal(errors[0]?.line, text.split("\n").length);
    assert.equal(errors[0]?.file, `search/${name}.txt`);
    assert.deepEqual(rules.synonyms, []);
    assert.equal(rules.getRulesForQuery("returns", "en").redirect, undefined);
  });

test("each line of any file is a rule, an error, or ignored; reading never throws", () => {
  const piece = fc.constantFrom(
    "rain",
    "*",
    ":",
    ",",
    "->",
    "=>",
    "#",
    "[fr]",
    "[x]",
    "\n",
    " ",
    "/a",
    "\u0000",
    "雨",
    "\ud800",
  );
  const text = fc.oneof(
    fc.array(piece).map((pieces) => pieces.join("")),
    anyText(),
  );
  fc.assert(
    fc.property(text, text, (content, query) => {
      const { rules } = rulesOf({
        synonyms: content,
        pins: content,
        ranking: content,
        hides: content,
        redirects: content,
      });
      rules.getRulesForQuery(query, "fr");
    }),
  );
  assert.deepEqual(createSearchRules(emptyRules, 0).getRulesForQuery("rain", "en").pins, []);
});
