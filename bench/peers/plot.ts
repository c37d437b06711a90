// Draws the rate and the p99 latency of keystrokes by catalog size to docs/figures/search-rate.svg and
// search-latency.svg. The values are the newest rows of libraries.ts in results.md.
//   node bench/peers/plot.ts
import { readFileSync, writeFileSync } from "node:fs";
import { drawPlot, formatCount, type PlotLabels, type Series } from "../../packages/search/bench/plot/draw.ts";
import { sizes } from "../sizes.ts";

/** Values of a row that are drawn. */
interface Point {
  readonly products: number;
  readonly rate: number;
  /** Milliseconds. */
  readonly p99: number;
}

/** Line style of each engine. The colors also differ in lightness, so that lines are distinguishable without color. */
const styles: readonly Omit<Series, "points">[] = [
  { name: "Vitrine", color: "#d55e00", mark: "circle", isOurs: true },
  { name: "Lucene 10", color: "#2b7bba", mark: "square", isOurs: false },
  { name: "tantivy 0.27", color: "#56b4e9", mark: "diamond", isOurs: false },
  { name: "FlexSearch 0.8", color: "#009e73", mark: "triangle", isOurs: false },
  { name: "MiniSearch 7", color: "#b66a9c", mark: "diamond", isOurs: false },
  { name: "Orama 3", color: "#8a6fd1", mark: "triangle", isOurs: false },
  { name: "SQLite FTS5", color: "#999933", mark: "square", isOurs: false },
];

const points = readPoints(readFileSync(new URL("../results.md", import.meta.url), "utf8"));
if (points.size === 0) throw new Error("results.md has no rows of libraries.ts: run it with --record first");
const x = "products in the catalog";
draw("search-rate.svg", { title: "Keystrokes per second on one core", x, formatY: formatCount }, ({ rate }) => rate);
const formatShort = (value: number): string => String(Number(value.toPrecision(3)));
const formatTime = (ms: number): string => (ms < 1_000 ? `${formatShort(ms)} ms` : `${formatShort(ms / 1_000)} s`);
draw("search-latency.svg", { title: "Time of a keystroke, p99", x, formatY: formatTime }, ({ p99 }) => p99);

function draw(name: string, labels: PlotLabels, pick: (point: Point) => number): void {
  const seriesOf = (task: string): readonly Series[] =>
    styles.flatMap((style) => {
      const enginePoints = points.get(`${style.name}, ${task}`) ?? [];
      const pairs = enginePoints.map((point) => [point.products, pick(point)] as const);
      return pairs.length === 0 ? [] : [{ ...style, points: pairs.toSorted(([one], [other]) => one - other) }];
    });
  const panels = [
    { title: "as typed", series: seriesOf("exact") },
    { title: "with one typing mistake", series: seriesOf("typo") },
  ];
  const url = new URL(`../../docs/figures/${name}`, import.meta.url);
  writeFileSync(url, drawPlot(labels, panels));
  process.stdout.write(`docs/figures/${name}\n`);
}

/** Reads the rows of libraries.ts, keyed by "engine, task". */
function readPoints(text: string): ReadonlyMap<string, readonly Point[]> {
  const pointsByKey = new Map<string, Point[]>();
  const section = text.split(/^## /m).find((part) => part.startsWith("libraries.ts")) ?? "";
  for (const line of section.split("\n")) {
    const [date = "", , size = "", engine, task, , rate, times = ""] = line
      .split("|")
      .slice(1)
      .map((cell) => cell.trim());
    if (!/^\d{4}-/.test(date)) continue;
    const products = sizes[size as keyof typeof sizes];
    const point = { products, rate: Number(rate), p99: Number(times.split("/")[1]) };
    pointsByKey.set(`${engine}, ${task}`, [...(pointsByKey.get(`${engine}, ${task}`) ?? []), point]);
  }
  return pointsByKey;
}
