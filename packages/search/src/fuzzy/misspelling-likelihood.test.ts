import assert from "node:assert/strict";
import { test } from "node:test";
import { countEdits } from "../suggest/corrections.ts";
import { computeMisspellingCost, isLikelyMisspelling } from "./misspelling-likelihood.ts";

const likelyPairs = [
  ["batery", "battery"],
  ["jakcet", "jacket"],
  ["rechargable", "rechargeable"],
  ["snikers", "snickers"],
  ["wirless", "wireless"],
  ["hamer", "hammer"],
  ["lantren", "lantern"],
  ["stainles", "stainless"],
  ["calender", "calendar"],
  ["bluetoth", "bluetooth"],
  ["accesories", "accessories"],
  ["sissors", "scissors"],
  ["kichen", "kitchen"],
  ["fridgerater", "fridgerator"],
  ["bluetoot", "bluetooth"],
] as const;
const unlikelyPairs = [
  ["wrench", "french"],
  ["passport", "assortment"],
  ["sneakers", "snakes"],
  ["golf", "gold"],
  ["lamp", "camp"],
  ["sofa", "soda"],
  ["mouse", "house"],
] as const;

test("edits that people make are likely misspellings, and other words are not", () => {
  for (const [word, term] of likelyPairs) assert.ok(isLikelyMisspelling(word, term), `${word} ${term}`);
  for (const [word, term] of unlikelyPairs) assert.ok(!isLikelyMisspelling(word, term), `${word} ${term}`);
});

test("the cost is zero for a prefix, and lies between 0.4 and 1.8 times the number of edits otherwise", () => {
  let randomState = 7;
  const nextRandom = (count: number): number => {
    randomState = (randomState * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((randomState / 2 ** 31) * count);
  };
  const randomWord = (): string => Array.from({ length: 1 + nextRandom(6) }, () => "abekc"[nextRandom(5)]).join("");
  for (let round = 0; round < 5_000; round += 1) {
    const [word, term] = [randomWord(), randomWord()];
    const prefixes = Array.from({ length: term.length + 1 }, (_, length) => term.slice(0, length));
    const edits = Math.min(...prefixes.map((prefix) => countEdits(word, prefix)));
    const cost = computeMisspellingCost(word, term);
    assert.equal(cost === 0, term.startsWith(word), `${word} ${term} ${cost}`);
    assert.ok(cost >= 0.4 * edits - 1e-9 && cost <= 1.8 * edits + 1e-9, `${word} ${term} ${cost} ${edits}`);
  }
});
