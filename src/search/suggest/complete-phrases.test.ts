import assert from "node:assert/strict";
import { test } from "node:test";
import { LevenshteinAutomaton } from "../fuzzy/levenshtein-automaton.ts";
import { completePhrases } from "./complete-phrases.ts";
import { createPhraseCounter, packPhrases, phraseKey } from "./phrases.ts";

const titles = [
  "Adidas Running Shoes",
  "Adidas Running Shoes Blue",
  "Adidas Football",
  "Alpine Snowboard",
  "Snowboard Wax",
  "Snow Boots",
  "Blue Snow Boots for Kids",
  "Extra Virgin Olive Oil 1l",
  "Extra Virgin Olive Oil 5l",
  "Extra Virgin Olive Oil, Greek",
  "Extra Virgin Olive Oil (Spain)",
  "Running Socks",
  "Galvanized Steel",
];
const descriptions = ["galvanised"];

/** Completes over these titles; a text finds something where one text holds all its words, the last as a beginning. */
function complete(typed: string, limit = 5, popular: Readonly<Record<string, number>> = {}): string[] {
  const counter = createPhraseCounter();
  for (const title of titles) counter.add("title", title, "runs");
  const words = [...titles, ...descriptions].map((title) => phraseKey(title).split(" "));
  const holds = (word: string, isPrefix: boolean, some: readonly string[]) =>
    some.some((one) => (isPrefix ? one.startsWith(word) : one === word));
  return completePhrases(phraseKey(typed), limit, {
    automaton: new LevenshteinAutomaton(),
    popular: { phrases: packPhrases(new Map(Object.entries(popular))), sureAbove: Number.POSITIVE_INFINITY },
    catalogue: [{ phrases: counter.finish(), sureAbove: 0 }],
    finds: (text) => {
      const asked = phraseKey(text).split(" ");
      return words.some((some) => asked.every((word, at) => holds(word, at === asked.length - 1, some)));
    },
    mayBeRefused: () => false,
    isWord: (word, isPrefix) => words.some((some) => holds(word, isPrefix, some)),
  });
}

test("a misspelt word is corrected wherever it stands, alone or with others", () => {
  for (const typed of ["adidsa runing sh", "adidas runing sh", "adidsa running sh", "adiddas running shoes", "adidsa"])
    assert.match(complete(typed)[0] ?? "", /^adidas/, typed);
  for (const typed of ["adidsa runing sh", "adidas runing shoess"])
    assert.equal(complete(typed)[0], "adidas running shoes", typed);
});

test("the words around it say what a misspelt word was meant to be", () => {
  assert.equal(complete("snow bots")[0], "snow boots");
  assert.equal(complete("running sjoes")[0], "running shoes");
});

test("what finds something is not corrected", () => {
  assert.deepEqual(complete("galvanised"), []);
  assert.deepEqual(complete("galvanissed"), ["galvanized", "galvanized steel"]);
  assert.deepEqual(complete("zzzz"), []);
});

test("the last words are completed where no phrase begins with all of them", () => {
  assert.deepEqual(complete("blue running sh", 1), ["blue running shoes"]);
  assert.deepEqual(complete("adidas adidas"), []);
});

test("what shoppers searched comes first where it finds something", () => {
  const popular = { "snow shovel": 90, "snow kids": 30 };
  assert.equal(complete("snow", 3, popular)[0], "snow kids");
  assert.ok(!complete("snow", 5, popular).includes("snow shovel"));
});
