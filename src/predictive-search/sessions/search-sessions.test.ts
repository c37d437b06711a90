import assert from "node:assert/strict";
import { test } from "node:test";
import { createSearchSessions, type SearchOutcome } from "./search-sessions.ts";
import { createStepLog, goesOn, type SearchStep } from "./search-steps.ts";

/** What is told of what one visitor does: texts typed at seconds, products opened ("> socks") and taken ("+ socks"). */
function toldOf(...done: readonly (readonly [seconds: number, what: string])[]): readonly string[] {
  const told: SearchOutcome[] = [];
  let now = 0;
  const sessions = createSearchSessions(
    (outcome) => told.push(outcome),
    () => now,
  );
  for (const [seconds, what] of done) {
    now = seconds * 1_000;
    const step = { visitor: "v", page: "/", address: "198.51.100.7", at: now };
    const [, sign, product] = /^([>+]) (.*)$/.exec(what) ?? [];
    const made: SearchStep =
      product === undefined
        ? { ...step, kind: "searched", q: what, locale: "en", source: "suggestions", isFound: !what.startsWith("zz") }
        : { ...step, kind: sign === ">" ? "opened" : "added", product };
    sessions.take([made]);
  }
  sessions.close();
  return [...new Set(told.map(({ q, outcome }) => `${q} ${outcome}`))];
}

test("what is typed on is no search, what is begun anew is another, and so is what comes after a pause", () => {
  assert.deepEqual(toldOf([0, "ra"], [1, "rai"], [2, "raim"], [3, "rain"], [4, "rain coat"]), ["rain coat searched"]);
  assert.deepEqual(toldOf([0, "rain"], [1, "zzq"]), ["rain searched", "zzq searched", "zzq not_found"]);
  assert.deepEqual(toldOf([0, "rain"], [11, "rain coat"]), ["rain searched", "rain coat searched"]);
  assert.deepEqual(toldOf([0, "rain coat"], [1, "rain"], [2, "ra"], [3, "boots"]), [
    "rain coat searched",
    "boots searched",
  ]);
  assert.deepEqual(toldOf([0, "  "]), []);
});

test("what is opened or taken is told of the search that shows it, once it was", () => {
  assert.deepEqual(toldOf([0, "socks"], [1, "> boot-socks"], [60, "+ boot-socks"]), [
    "socks searched",
    "socks chosen",
    "socks added",
  ]);
  assert.deepEqual(toldOf([0, "socks"], [1, "+ boot-socks"]), ["socks searched", "socks chosen", "socks added"]);
  assert.deepEqual(toldOf([0, "> boot-socks"]), []);
  assert.deepEqual(toldOf([0, "socks"], [40 * 60, "> boot-socks"]), ["socks searched"], "half an hour explains");
});

test("of what one visitor types letter by letter the last is handed on, of others all, and of pages elsewhere nothing", () => {
  const taken: SearchStep[] = [];
  const log = createStepLog(
    (referer, origin) => (referer.startsWith(origin) ? referer.slice(origin.length) : undefined),
    (steps) => taken.push(...steps),
  );
  const common = { address: "", origin: "http://shop.test", locale: "en", isFound: true, at: 0 } as const;
  const type = (visitor: string, q: string, referer = "http://shop.test/a"): void =>
    log.add({ ...common, kind: "searched", source: "suggestions", visitor, q, referer });
  for (const q of ["r", "ra", "rai", "rain"]) for (const visitor of ["one", "two"]) type(visitor, q);
  for (const q of ["rai", "ra", "boots"]) type("one", q);
  type("three", "rain", "http://elsewhere.test/a");
  log.flush();
  const texts = taken.map((step) => `${step.visitor} ${step.kind === "searched" ? step.q : ""} ${step.page}`);
  assert.deepEqual(texts, ["one rain /a", "two rain /a", "one boots /a"]);
  assert.deepEqual([goesOn("rain", "raincoat"), goesOn("rain", "coat"), goesOn("", "a")], [true, false, false]);
});
