import assert from "node:assert/strict";
import { test } from "node:test";
import { createEventLog, isContinuation } from "./event-log.ts";
import { findReformulation } from "./reformulations.ts";
import { type SearchOutcome, trackSessions } from "./sessions.ts";
import type { SearchClick, SignalEvent, TrackedEvent } from "./signals.ts";

type Step = readonly [seconds: number, what: string];

interface SessionReport {
  readonly outcomes: readonly string[];
  readonly clicks: readonly string[];
  readonly reformulations: readonly string[];
}

/**
 * Returns the reports of one visitor. A step is a time in seconds and a text: typed, searched on the results page ("?
 * socks"), clicked ("> socks"), or added to the cart ("+ socks"). Texts that start with "zz" are not found.
 */
function reportOf(...steps: readonly Step[]): SessionReport {
  const outcomes: SearchOutcome[] = [];
  const clicks: SearchClick[] = [];
  let now = 0;
  const sessions = trackSessions(
    { onOutcome: (outcome) => outcomes.push(outcome), onClick: (click) => clicks.push(click) },
    () => now,
  );
  for (const [seconds, action] of steps) {
    now = seconds * 1_000;
    const visit = { visitor: "v", page: "/", address: "198.51.100.7", at: now };
    const [, sign, text = ""] = /^([>+?]) (.*)$/.exec(action) ?? [];
    const q = sign === undefined ? action : text;
    const event: TrackedEvent =
      sign === ">" || sign === "+"
        ? { ...visit, kind: sign === ">" ? "clicked" : "added", product: text }
        : { ...visit, kind: sign === "?" ? "searched" : "typed", q, locale: "en", isFound: !q.startsWith("zz") };
    sessions.take([event]);
  }
  sessions.close();
  return {
    outcomes: [...new Set(outcomes.map(({ q, kind }) => `${q} ${kind}`))],
    clicks: clicks.map(({ search, action, product }) => `${search.q} ${action} ${product}`),
    reformulations: clicks.flatMap(({ failedQuery, search: { q } }) =>
      failedQuery === undefined ? [] : `${failedQuery} -> ${q}`,
    ),
  };
}

const outcomesOf = (...steps: readonly Step[]): readonly string[] => reportOf(...steps).outcomes;

test("continued typing is one search; other words, and words after a pause, are another", () => {
  assert.deepEqual(outcomesOf([0, "ra"], [1, "rai"], [2, "raim"], [3, "rain"], [4, "rain coat"]), [
    "rain coat searched",
  ]);
  assert.deepEqual(outcomesOf([0, "rain"], [1, "zzq"]), ["rain searched", "zzq searched", "zzq not_found"]);
  assert.deepEqual(outcomesOf([0, "rain"], [11, "rain coat"]), ["rain searched", "rain coat searched"]);
  assert.deepEqual(outcomesOf([0, "rain coat"], [1, "rain"], [2, "ra"], [3, "boots"]), [
    "rain coat searched",
    "boots searched",
  ]);
  assert.deepEqual(outcomesOf([0, "  "]), []);
});

test("a click or an add to cart is reported with the search that shows the product, if there is one", () => {
  const { outcomes, clicks } = reportOf([0, "socks"], [1, "> boot-socks"], [60, "+ boot-socks"]);
  assert.deepEqual(outcomes, ["socks searched", "socks clicked", "socks added"]);
  assert.deepEqual(clicks, ["socks clicked boot-socks", "socks added boot-socks"]);
  assert.deepEqual(outcomesOf([0, "socks"], [1, "+ boot-socks"]), ["socks searched", "socks clicked", "socks added"]);
  assert.deepEqual(outcomesOf([0, "> boot-socks"]), []);
  assert.deepEqual(outcomesOf([0, "socks"], [40 * 60, "> boot-socks"]), ["socks searched"], "half an hour explains");
  const noResults = reportOf([0, "? zz"], [1, "> boot-socks"]);
  assert.deepEqual(noResults, {
    outcomes: ["zz searched", "zz not_found", "zz clicked"],
    clicks: [],
    reformulations: [],
  });
});

test("a search without success before a click on a product of another search is a reformulation, once", () => {
  const reformulationsOf = (...steps: readonly Step[]): readonly string[] => reportOf(...steps).reformulations;
  const couch = [
    [0, "zz couch"],
    [5, "sofa"],
    [6, "> corner-sofa"],
    [9, "+ corner-sofa"],
  ] as const;
  assert.deepEqual(reformulationsOf(...couch), ["zz couch -> sofa"]);
  assert.deepEqual(reformulationsOf([0, "settee"], [5, "? sofa"], [6, "+ corner-sofa"]), ["settee -> sofa"]);
  assert.deepEqual(reformulationsOf([0, "couch"], [1, "? couch"], [5, "so"], [6, "sofa"], [9, "> a"]), [
    "couch -> sofa",
  ]);
  assert.deepEqual(reformulationsOf([0, "settee"], [2, "couch"], [5, "sofa"], [9, "> a"]), ["couch -> sofa"]);
  assert.deepEqual(reformulationsOf([0, "? settee"], [1, "> a"], [5, "sofa"], [9, "> b"]), [], "the first had success");
  assert.deepEqual(reformulationsOf([0, "? settee"], [20, "? settee"], [21, "> a"]), [], "the same search");
  assert.deepEqual(reformulationsOf([0, "settee"], [50, "? sofa"], [351, "> a"]), [], "too late");
  assert.deepEqual(reformulationsOf([0, "settee"], [5, "? zz"], [6, "> a"]), [], "no success");
});

test("reformulations are normalized, and searches that add or omit words, or look personal, are none", () => {
  assert.deepEqual(findReformulation("Café-Table", "BISTRO  table"), { from: "cafe table", to: "bistro table" });
  for (const [from, to] of [
    ["sofa", "Sofa!"],
    ["sofa", "sofa red"],
    ["corner sofa", "sofa"],
    ["sofa", "?!"],
    ["sofa", "call 0151 2345678"],
    ["one two three four five six seven", "sofa"],
  ] as const)
    assert.equal(findReformulation(from, to), undefined, `${from} ${to}`);
});

test("only the last of texts typed letter by letter is sent, and pages elsewhere send nothing", () => {
  const sentEvents: TrackedEvent[] = [];
  const log = createEventLog(
    (referer, origin) => (referer.startsWith(origin) ? referer.slice(origin.length) : undefined),
    (events) => sentEvents.push(...events),
  );
  const visit = { address: "", origin: "http://shop.test", locale: "en", isFound: true, at: 0 } as const;
  const typeText = (visitor: string, q: string, referer = "http://shop.test/a"): void => {
    const event: SignalEvent = { ...visit, kind: "typed", visitor, q, referer };
    log.add(event);
  };
  for (const q of ["r", "ra", "rai", "rain"]) for (const visitor of ["one", "two"]) typeText(visitor, q);
  for (const q of ["rai", "ra", "boots"]) typeText("one", q);
  typeText("three", "rain", "http://elsewhere.test/a");
  log.flush();
  const texts = sentEvents.map((event) => `${event.visitor} ${"q" in event ? event.q : ""} ${event.page}`);
  assert.deepEqual(texts, ["one rain /a", "two rain /a", "one boots /a"]);
  assert.deepEqual(
    [isContinuation("rain", "raincoat"), isContinuation("rain", "coat"), isContinuation("", "a")],
    [true, false, false],
  );
});
