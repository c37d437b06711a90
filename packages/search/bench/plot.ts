// Plots the p99 latency of a keystroke by catalog size to docs/figures/search-latency.svg. The values are the newest
// rows of keystroke-latency.ts in results.md.
//   node packages/search/bench/plot.ts [out.svg]
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { drawPlot, type Series } from "./plot/draw.ts";

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const sizes: ReadonlyMap<string, number> = new Map([
  ["10k", 10_000],
  ["100k", 100_000],
  ["1m", 1_000_000],
  ["10m", 10_000_000],
]);
/**
 * Line style of each engine. The colors also differ in lightness, so that the lines are distinguishable without color.
 */
const styles: readonly Omit<Series, "points">[] = [
  { name: "Vitrine", colour: "#d55e00", mark: "circle", isOurs: true },
  { name: "Lucene 8", colour: "#2b7bba", mark: "square", isOurs: false },
  { name: "FlexSearch 0.8", colour: "#009e73", mark: "triangle", isOurs: false },
  { name: "MiniSearch 7", colour: "#b66a9c", mark: "diamond", isOurs: false },
];

const outputPath = process.argv[2] ?? pathOf("../../../docs/figures/search-latency.svg");
const newestTimes = readRows(readFileSync(pathOf("./results.md"), "utf8"));
const panels = [
  { title: "as typed", series: seriesOf("exact") },
  { title: "with one typing mistake", series: seriesOf("typo") },
];
if (panels.every(({ series }) => series.length === 0))
  throw new Error("results.md has no rows of keystroke-latency.ts: run it with --record first");
writeFileSync(
  outputPath,
  drawPlot("Time a keystroke takes, 99 of 100 are quicker", "products in the catalogue", panels),
);
process.stdout.write(`${outputPath}\n`);

/** Reads the p99 latencies, keyed by "size, engine, task". A later row replaces an earlier one. */
function readRows(text: string): ReadonlyMap<string, number> {
  const timesByKey = new Map<string, number>();
  const section = text.split(/^## /m).find((part) => part.startsWith("keystroke-latency.ts")) ?? "";
  for (const line of section.split("\n")) {
    const [date = "", , size, engine, task, , , times = ""] = line
      .split("|")
      .slice(1)
      .map((cell) => cell.trim());
    if (/^\d{4}-/.test(date)) timesByKey.set(`${size}, ${engine}, ${task}`, Number(times.split("/")[1]));
  }
  return timesByKey;
}

function seriesOf(task: string): readonly Series[] {
  return styles
    .map((look) => ({
      ...look,
      points: [...sizes].flatMap(([size, products]) => {
        const p99 = newestTimes.get(`${size}, ${look.name}, ${task}`);
        return p99 === undefined || !(p99 > 0) ? [] : [[products, p99] as const];
      }),
    }))
    .filter(({ points }) => points.length > 0);
}
