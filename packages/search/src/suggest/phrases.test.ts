import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { anyText } from "../../../../test/support/any-text.ts";
import { getText } from "../terms/dictionary.ts";
import { createTextCounter } from "./phrase-counter.ts";
import { computePhraseKey, createPhraseCounter } from "./phrases.ts";

/** Returns the weight of each phrase. */
function countPhrases(titles: readonly string[], vendors: readonly string[] = []): Record<string, number> {
  const counter = createPhraseCounter("en");
  for (const title of titles) counter.add("title", title, "runs");
  for (const vendor of vendors) counter.add("phrase", vendor, "runs");
  const { texts, weights } = counter.finish();
  return Object.fromEntries([...weights].map((weight, docId) => [getText(texts, docId), weight]));
}

test("phrases of a title are its words, the title if it is short, and runs that other titles share, in lower case with accents", () => {
  assert.deepEqual(countPhrases(["Crème Brûlée Set", "Vanilla Crème Brûlée"]), {
    crème: 2,
    "crème brûlée": 2,
    "crème brûlée set": 1,
    brûlée: 2,
    set: 1,
    vanilla: 1,
    "vanilla crème brûlée": 1,
  });
  assert.ok("the north face" in countPhrases(["The North Face"]));
});

test("vendors, types, and short titles are shown with & and +", () => {
  const phrases = countPhrases(["Toma + USB", "Bits & Pieces, Large"], ["Black & Decker", "Food | Drinks"]);
  for (const text of ["toma + usb", "bits & pieces large", "black & decker", "food drinks"])
    assert.ok(text in phrases, `${text}: ${Object.keys(phrases)}`);
  assert.ok(!("black decker" in phrases));
});

test("no phrase starts or ends with a filler word, a number or a single letter, or crosses a comma, bracket or dash", () => {
  assert.deepEqual(
    Object.keys(countPhrases(["Pot of 12 Tea for a Cup (x) and 3 - More, Salt & Wind | 24-70 mm II lens"])).sort(),
    ["cup", "lens", "more", "pot", "pot of 12 tea", "salt", "tea", "tea for a cup", "wind"],
  );
  assert.doesNotMatch(
    Object.keys(
      countPhrases([
        "Tas voor fiets met lamp",
        "Borsa per bici con luce",
        "Tee ohne Zucker",
        "Sauna ja kiulu",
        "شاحن من سامسونج",
      ]),
    ).join("\n"),
    / (?:voor|met|per|con|ohne|ja|من)$/m,
  );
  // Finnish "tai" is "or", and French "dans" is "in".
  assert.ok("tai chi" in countPhrases(["Tai chi shoes", "Tai chi suit"]));
  assert.ok("dans" in countPhrases(["Dans skor", "Dans dräkt"]));
});

test("brackets and commas of East Asian scripts separate words", () => {
  const phrases = Object.keys(countPhrases(["【Dyson】V8 Vacuum、Filter", "イヤホン『クリア』（黒）"]));
  assert.deepEqual(
    phrases.filter((phrase) => /[^\p{L}\p{M}\p{N} ]/u.test(phrase)),
    [],
  );
  for (const phrase of ["dyson", "vacuum", "filter", "イヤホン", "クリア"]) assert.ok(phrases.includes(phrase), phrase);
});

test("the Turkish capital İ becomes a plain i", () => {
  assert.ok("ceviz içi" in countPhrases(["Ceviz İçi"], ["İpek"]));
  assert.ok("ipek" in countPhrases([], ["İpek"]));
});

test("punctuation at the ends of words is removed and inside them preserved; no phrase contains markup", () => {
  const actualWeights = countPhrases(['"T-Shirt" <b>Men’s</b> *new* L\'Oréal® 📷'], ["Jean&Len <i>"]);
  for (const phrase of ["t-shirt", "men’s", "l'oréal", "jean&len i"])
    assert.ok(phrase in actualWeights, Object.keys(actualWeights).join("|"));
  assert.ok(Object.keys(actualWeights).every((phrase) => !/[<>"*®]/.test(phrase)));
});

test("a vendor has the weight of twenty titles", () => {
  assert.deepEqual(countPhrases(["Acme Kettle", "Acme Pot"], ["Acme", "Acme"]).acme, 42);
});

test("the weight of a run equals its number of occurrences in the titles", () => {
  const word = fc.constantFrom("snow", "boots", "wax", "kids", "of", "the", "blue", "ärmel", "7up");
  fc.assert(
    fc.property(fc.array(fc.array(word, { minLength: 1, maxLength: 9 }), { maxLength: 3 }), (titles) => {
      const expectedWeights = new Map<string, number>();
      const isEdge = (text = "") => !["of", "the", "7up"].includes(text);
      for (const words of titles) {
        const countedPhrases = new Set<string>();
        for (let from = 0; from < words.length; from += 1)
          for (let to = from + 1; to <= Math.min(words.length, from + 4); to += 1) {
            if (!isEdge(words[from]) || !isEdge(words[to - 1])) continue;
            const phrase = words.slice(from, to).join(" ");
            countedPhrases.add(phrase);
            expectedWeights.set(phrase, (expectedWeights.get(phrase) ?? 0) + 1);
          }
        const fullText = words.join(" ");
        if (words.length <= 5 && !countedPhrases.has(fullText))
          expectedWeights.set(fullText, (expectedWeights.get(fullText) ?? 0) + 1);
      }
      const actualWeights = countPhrases(titles.map((words) => words.join(" ")));
      for (const [phrase, weight] of Object.entries(actualWeights))
        assert.equal(weight, expectedWeights.get(phrase), phrase);
      // Each phrase that is not counted is part of a longer phrase.
      for (const phrase of expectedWeights.keys())
        assert.ok(
          phrase in actualWeights || Object.keys(actualWeights).some((otherPhrase) => otherPhrase.includes(phrase)),
          phrase,
        );
    }),
  );
});

test("keys are sorted and are the folded texts, for any titles", () => {
  fc.assert(
    fc.property(fc.array(anyText({ maxLength: 60 }), { maxLength: 8 }), (titles) => {
      const counter = createPhraseCounter("en");
      for (const title of titles) counter.add("title", title, "runs");
      const { keys, texts, weights } = counter.finish();
      const allKeys = [...weights.keys()].map((docId) => getText(keys, docId));
      assert.deepEqual(allKeys, [...allKeys].sort());
      for (const docId of weights.keys()) {
        assert.equal(getText(keys, docId), computePhraseKey(getText(texts, docId)));
        assert.doesNotMatch(getText(texts, docId), /[<>"\p{Cc}]/u);
      }
    }),
    { numRuns: 40 },
  );
});

test("a run that occurs mostly within a longer one is not a phrase", () => {
  const actualWeights = countPhrases(
    ["", "1l", "5l", ", Greek", "(Spain)"].map((suffix) => `Extra Virgin Olive Oil ${suffix}`),
  );
  assert.ok("extra virgin olive oil" in actualWeights);
  for (const piece of ["extra virgin", "virgin olive", "extra virgin olive", "virgin olive oil", "olive oil"])
    assert.ok(!(piece in actualWeights), piece);
});

test("above the limit of runs, rare ones are dropped, and common ones are counted completely", () => {
  const counter = createTextCounter("en", 1_000);
  let nextNumber = 0;
  const createRareWord = () =>
    String.fromCharCode(
      ...[...(nextNumber++).toString(26).padStart(4, "0")].map((digit) => 97 + Number.parseInt(digit, 26)),
    );
  for (let index = 0; index < 3_000; index += 1)
    counter.addTitle(`${index % 3 === 0 ? "Storm Lantern Oil" : ""} ${createRareWord()} ${createRareWord()}`);
  const actualWeights = new Map<string, number>();
  counter.forEachPhrase(50, (phrase, weight) => actualWeights.set(phrase, weight));
  assert.deepEqual(
    [...actualWeights],
    [
      ["storm", 1_000],
      ["lantern", 1_000],
      ["oil", 1_000],
      ["storm lantern oil", 1_000],
    ],
  );
});
