// How much is each constant of the score worth, and does its value hold for queries that it was not chosen by?
//   VITRINE_DATA=… node packages/search/bench/constants.ts [--constants packages/search/src/scoring/score.ts:closePoints,…] [--factors 0,0.5,2] [--sets phones,demo-en] [--record]
// Each constant is multiplied by each factor, the others left as they are, and the judged queries are asked. They are split in two halves, by a
// hash of the query: the value that is best on one half is tried on the other. The index is built once, as only its champion lists depend on the score. A constant whose best values gain on both other halves is set
// wrongly; one that gains on its own half alone would be fitted to it. Without --constants: the numbers that `score.ts` exports.
import { readFileSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type Cells, recordRows, today } from "../../../bench/results.ts";
import { numericConstants, readConstant } from "./engines/constant-source.ts";
import { askSets, type Halves, prepareSets } from "./relevance/halves.ts";
import { judgedSets } from "./relevance/sets.ts";

const { values: options } = parseArgs({
  options: {
    constants: { type: "string" },
    factors: { type: "string", default: "0,0.5,2" },
    sets: { type: "string", default: judgedSets.map(({ name }) => name).join() },
    record: { type: "boolean", default: false },
  },
});
const heading = "## constants.ts: the effect of each constant on nDCG@10";
const scoreFile = "packages/search/src/scoring/score.ts";

const factors = options.factors.split(",").map(Number);
const constants =
  options.constants?.split(",") ?? numericConstants(sourceOf(scoreFile)).map((name) => `${scoreFile}:${name}`);
const wanted = options.sets.split(",");
const sets = await prepareSets(judgedSets.filter(({ name }) => wanted.includes(name)));

interface Tried {
  readonly factor: number;
  readonly halves: Halves;
}

const now = askSets(sets, []);
process.stdout.write(`as it is: ${now.map((value) => value.toFixed(4)).join(" and ")}\n`);
const rows: Cells[] = [];
for (const constant of constants) {
  const [file = "", name = ""] = constant.split(":");
  const value = readConstant(sourceOf(file), name);
  const tried = factors.flatMap((factor): Tried[] => {
    const changed = `(${value}) * ${factor}`;
    // An integer stays an integer.
    const halves = measure([`${constant}=${value.includes(".") ? changed : `Math.round(${changed})`}`]);
    return halves === undefined ? [] : [{ factor, halves }];
  });
  const cells = tried.map(
    ({ factor, halves }) => `× ${factor}: ${halves.map((half, at) => signed(half - (now[at] ?? 0))).join(" / ")}`,
  );
  rows.push([
    ...today(),
    `${name} = ${value}`,
    cells.join("; "),
    carriedOver(now, tried, 0),
    carriedOver(now, tried, 1),
  ]);
  process.stdout.write(`${rows.at(-1)?.slice(2).join(" | ")}\n`);
}
if (options.record) recordRows(heading, rows, new URL("./results.md", import.meta.url));
rmSync(sets.folder, { recursive: true });

/** @returns undefined if the source rejects the value */
function measure(overrides: readonly string[]): Halves | undefined {
  try {
    return askSets(sets, overrides);
  } catch {
    process.stdout.write(`refused: ${overrides}\n`);
    return undefined;
  }
}

/** The best value on one half, and its result on both halves compared with the current value. */
function carriedOver(asItIs: Halves, tried: readonly Tried[], half: 0 | 1): string {
  const unchanged: Tried = { factor: 1, halves: asItIs };
  const best = tried.reduce((one, other) => (other.halves[half] > one.halves[half] ? other : one), unchanged);
  const change = (of: 0 | 1): string => signed(best.halves[of] - asItIs[of]);
  return `× ${best.factor}: ${change(half)}, then ${change(half === 0 ? 1 : 0)}`;
}

function sourceOf(file: string): string {
  return readFileSync(fileURLToPath(new URL(`../../../${file}`, import.meta.url)), "utf8");
}

function signed(value: number): string {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(4)}`;
}
