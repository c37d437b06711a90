import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { characterClass, characterClasses, characterRules } from "./character-classes.ts";

test("each class has one rule, in the order of the classes, and the documentation lists all rules", () => {
  assert.deepEqual(
    characterRules.map(({ name }) => name),
    Object.keys(characterClass),
  );
  const rows = characterRules.map(
    ({ name, characterExamples: examples, effect: does, effectNextToDigits: digitEffect }) =>
      [name, examples, does, digitEffect].map((cell) => ` ${cell} `).join("|"),
  );
  const table = ["class | characters | in a text | next to digits", "---|---|---|---"].concat(
    rows.map((row) => row.trim()),
  );
  const document = readFileSync(new URL("../../../../docs/explanation/search-engine.md", import.meta.url), "utf8");
  const missingRows = table.filter((row) => !document.replaceAll(/^\| *| *\|$/gm, "").includes(row));
  assert.deepEqual(missingRows, []);
});

test("the example characters of each rule have its class", () => {
  const examples: readonly (readonly [keyof typeof characterClass, string])[] = [
    ["blank", " \t\u00a0\n"],
    ["other", "();:!|\u0000€"],
    ["comma", ","],
    ["inchMark", '"”'],
    ["prime", "′"],
    ["times", "×*"],
    ["hash", "#"],
    ["degree", "°"],
    ["percent", "%"],
    ["point", "."],
    ["hyphen", "-‐‒–"],
    ["slash", "/⁄∕"],
    ["apostrophe", "'’"],
    ["joiner", "_&+"],
    ["gram", "東カは한ก"],
    ["letter", "azßжאع\u0301"],
    ["digit", "09٣"],
  ];
  for (const [name, characters] of examples)
    for (const character of characters)
      assert.equal(characterClasses[character.charCodeAt(0)], characterClass[name], `${name} ${character}`);
});
