import assert from "node:assert/strict";
import { test } from "node:test";
import { isRuleActive } from "./rule-lines.ts";
import { emptyRuleTexts, parseRuleTexts, selectActiveRules } from "./rule-texts.ts";
import { createSearchRules } from "./search-rules.ts";

function parseTexts(texts: Partial<typeof emptyRuleTexts>) {
  const errors: string[] = [];
  const parsedRules = parseRuleTexts(
    { ...emptyRuleTexts, ...texts },
    { default: "en", others: ["fr"] },
    ({ file, line, message }) => errors.push(`${file}:${line}: ${message}`),
  );
  return { parsedRules, errors };
}

test("a rule with dates applies on its days, both included, and one without dates always", () => {
  const { parsedRules, errors } = parseTexts({
    pins: "rain: a @ 2026-11-27..2026-11-30\nsnow: b @ ..2026-11-30\nsun: c @2026-11-27..\nfog: d",
    synonyms: "sofa, couch @ 2026-11-27..2026-11-27",
  });
  assert.deepEqual(errors, []);
  const pinsOn = (day: string) => {
    const rules = createSearchRules(selectActiveRules(parsedRules, day), 1);
    const pins = ["rain", "snow", "sun", "fog"].map((q) => rules.getRulesForQuery(q, "en").pins.join());
    return [...pins, String(rules.synonyms.length)].join(" ");
  };
  assert.equal(pinsOn("2026-11-26"), " b  d 0");
  assert.equal(pinsOn("2026-11-27"), "a b c d 1");
  assert.equal(pinsOn("2026-11-30"), "a b c d 0");
  assert.equal(pinsOn("2026-12-01"), "  c d 0");
  assert.ok(isRuleActive({}, "1970-01-01"));
});

test("invalid dates and points are errors with a remedy", () => {
  const { errors } = parseTexts({
    pins: "a: x @ 2026-02-30..2026-03-01\nb: x @ 2026-03-02..2026-03-01\nc: x @ 2026-03-01\nd: x @ ..",
    boosts: "a: x +0\nb: x +many\nc: x +51\nd: x, y +4\ne: z",
  });
  assert.deepEqual(
    errors.map((error) => error.replace(/:[^:]*(dates|points).*/, ": $1")),
    [1, 2, 3, 4]
      .map((line) => `console/pins:${line}: dates`)
      .concat([1, 2, 3].map((line) => `console/boosts:${line}: points`)),
  );
});

test("boosts of all rules for a query apply, the greatest one per product; a hidden product is not pinned", () => {
  const { parsedRules } = parseTexts({
    boosts: "rain*: a, b +2\nrain: a, d +5\n*: c +1",
    pins: "rain: b\nsnow: a",
    redirects: "rain -> /own",
    hides: "snow: a",
  });
  const rules = createSearchRules(selectActiveRules(parsedRules, "2026-01-01"), 1);
  assert.deepEqual(Object.fromEntries(rules.getRulesForQuery("rain", "en").boosts), { a: 5, b: 2, c: 1, d: 5 });
  assert.deepEqual(rules.getRulesForQuery("rain", "en").pins, ["b"]);
  assert.deepEqual(rules.getRulesForQuery("snow", "en").pins, [], "hidden");
  assert.equal(rules.getRulesForQuery("rain", "fr").redirect, "/own");
  assert.deepEqual(Object.fromEntries(rules.getRulesForQuery("raincoat", "en").boosts), { a: 2, b: 2, c: 1 });
});
