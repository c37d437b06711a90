import { readFileSync, writeFileSync } from "node:fs";
import { type Cells, today } from "../../../../bench/results.ts";
import { type EngineName, engineTitles, missing } from "../run-engine.ts";
import { type Figures, type PreparedSet, prepareSet, runSet } from "./judged-run.ts";
import type { JudgedSet } from "./sets.ts";
import { estimate, mean, randomisationP } from "./significance.ts";

export const judgedHeading = "## relevance.ts: judged queries";

export interface JudgedOptions {
  readonly engines: readonly EngineName[];
  /** Constants of Vitrine to change (see `run-engine.ts`). */
  readonly overrides: readonly string[];
  /** Whether queries are also typed letter by letter. */
  readonly isTyped: boolean;
  readonly printsQueries: boolean;
  /** Output file of Vitrine's metrics by query, and the file of an earlier run for comparison. */
  readonly saveTo?: string;
  readonly against?: string;
}

type Saved = Record<string, Record<string, Figures>>;

/** Creates one row per set and engine. */
export async function judgedRows(sets: readonly JudgedSet[], options: JudgedOptions): Promise<readonly Cells[]> {
  const rows: Cells[] = [];
  const saved: Saved = {};
  const bySet = new Map<string, ReadonlyMap<EngineName, readonly Figures[]>>();
  for (const set of sets) {
    const prepared = await prepareSet(set, options.isTyped);
    const results = new Map<EngineName, readonly Figures[]>();
    for (const name of options.engines)
      if (missing(name) === undefined) results.set(name, runSet(prepared, name, options.overrides));
    bySet.set(set.name, results);
    for (const [name, figures] of results) {
      const row = [...today(), set.name, engineTitles[name], ...cellsOf(figures), comparedWithBestPeer(name, results)];
      rows.push(row);
      process.stdout.write(`${row.slice(2).join(" | ")}\n`);
    }
    const own = results.get("vitrine");
    if (own !== undefined) {
      saved[set.name] = Object.fromEntries(prepared.queries.map(({ query }, at) => [query, own[at] as Figures]));
      if (options.printsQueries) printQueries(prepared, own);
    }
  }
  if (bySet.size > 1) {
    const summary = summaryRows(bySet);
    for (const row of summary) process.stdout.write(`${row.slice(2).join(" | ")}\n`);
    rows.push(...summary);
  }
  if (options.saveTo !== undefined) writeFileSync(options.saveTo, JSON.stringify(saved));
  if (options.against !== undefined) compare(saved, JSON.parse(readFileSync(options.against, "utf8")) as Saved);
  return rows;
}

function cellsOf(figures: readonly Figures[]): readonly string[] {
  const { mean: ndcg, low, high } = estimate(figures.map((one) => one.ndcg));
  const typed = figures.filter(({ letters }) => letters !== undefined);
  return [
    String(figures.length),
    `${ndcg.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)})`,
    mean(figures.map((one) => one.condensed)).toFixed(3),
    mean(figures.map((one) => one.bpref)).toFixed(3),
    mean(figures.map((one) => one.recall)).toFixed(3),
    percent(mean(figures.map((one) => one.short))),
    figures.reduce((sum, one) => sum + one.forbidden, 0).toString(),
    typed.length === 0
      ? "-"
      : `${mean(typed.map(({ letters = 0 }) => letters)).toFixed(1)}, ${percent(mean(typed.map(({ saved = 0 }) => saved)))}`,
  ];
}

/**
 * Creates one row per engine: means over all sets with equal weight. For Vitrine, also its nDCG@10 divided by that of
 * the best other engine, as the mean and the minimum over sets.
 */
function summaryRows(bySet: ReadonlyMap<string, ReadonlyMap<EngineName, readonly Figures[]>>): Cells[] {
  const engines = [...(bySet.values().next().value?.keys() ?? [])];
  const ndcgOf = (figures: readonly Figures[] = []): number => mean(figures.map(({ ndcg }) => ndcg));
  const ratios = [...bySet].map(([set, results]) => {
    const peers = [...results].filter(([name]) => name !== "vitrine").map(([, figures]) => ndcgOf(figures));
    return { set, ratio: ndcgOf(results.get("vitrine")) / Math.max(...peers) };
  });
  const least = ratios.reduce((one, other) => (other.ratio < one.ratio ? other : one));
  const comparison = `${mean(ratios.map(({ ratio }) => ratio)).toFixed(3)} times the best peer of each set, least ${least.ratio.toFixed(3)}: ${least.set}`;
  return engines.map((name) => {
    const all = [...bySet.values()].map((results) => results.get(name) ?? []);
    const over = (figure: (one: Figures) => number): number => mean(all.map((figures) => mean(figures.map(figure))));
    const typed = all.map((figures) => figures.filter(({ letters }) => letters !== undefined));
    const typedMean = (figure: (one: Figures) => number): number =>
      mean(typed.map((figures) => mean(figures.map(figure))));
    return [
      ...today(),
      `mean of ${bySet.size} sets`,
      engineTitles[name],
      String(all.reduce((sum, figures) => sum + figures.length, 0)),
      over(({ ndcg }) => ndcg).toFixed(3),
      over(({ condensed }) => condensed).toFixed(3),
      over((one) => one.bpref).toFixed(3),
      over((one) => one.recall).toFixed(3),
      percent(over(({ short }) => short)),
      String(all.flat().reduce((sum, { forbidden }) => sum + forbidden, 0)),
      typed.some((figures) => figures.length === 0)
        ? "-"
        : `${typedMean(({ letters = 0 }) => letters).toFixed(1)}, ${percent(typedMean(({ saved = 0 }) => saved))}`,
      name === "vitrine" && engines.length > 1 ? comparison : "-",
    ];
  });
}

/** Returns the difference of nDCG@10 to the best other engine, with its confidence interval. */
function comparedWithBestPeer(name: EngineName, results: ReadonlyMap<EngineName, readonly Figures[]>): string {
  const own = results.get("vitrine");
  const peers = [...results].filter(([peer]) => peer !== "vitrine");
  if (name !== "vitrine" || own === undefined || peers.length === 0) return "-";
  const ndcgOf = ([, figures]: (typeof peers)[number]): number => mean(figures.map(({ ndcg }) => ndcg));
  const [best, figures] = peers.reduce((one, other) => (ndcgOf(other) > ndcgOf(one) ? other : one));
  const differences = own.map(({ ndcg }, at) => ndcg - (figures[at]?.ndcg ?? 0));
  return `${differenceText(differences)}: ${engineTitles[best]}`;
}

function differenceText(differences: readonly number[]): string {
  const { mean: middle, low, high } = estimate(differences);
  const p = randomisationP(differences);
  return `${signed(middle)} (${signed(low)} to ${signed(high)}), p ${p < 0.001 ? "below 0.001" : p.toFixed(3)}`;
}

function compare(now: Saved, before: Saved): void {
  const all: number[] = [];
  process.stdout.write("\nset: nDCG@10 | condensed | R@100 | letters | short, less those of before\n");
  for (const [name, figures] of Object.entries(now)) {
    const earlier = before[name];
    if (earlier === undefined) continue;
    const pairs = Object.entries(figures).flatMap(([query, one]) => {
      const other = earlier[query];
      return other === undefined ? [] : [[one, other] as const];
    });
    if (pairs.length === 0) continue;
    const differences = pairs.map(([one, other]) => one.ndcg - other.ndcg);
    all.push(mean(differences));
    const change = (figure: (one: Figures) => number | undefined): string => {
      const known = pairs.flatMap(([one, other]) => {
        const [after, earlier] = [figure(one), figure(other)];
        return after === undefined || earlier === undefined ? [] : [after - earlier];
      });
      return known.length === 0 ? "-" : signed(mean(known));
    };
    const others = [
      change((one) => one.condensed),
      change((one) => one.recall),
      change((one) => one.letters),
      change((one) => one.short),
    ];
    const ups = differences.filter((difference) => difference > 0.001).length;
    const downs = differences.filter((difference) => difference < -0.001).length;
    process.stdout.write(`${name}: ${differenceText(differences)}, ${ups} up ${downs} down | ${others.join(" | ")}\n`);
  }
  process.stdout.write(`mean of ${all.length} sets: ${signed(mean(all))}\n`);
}

function printQueries({ queries }: PreparedSet, figures: readonly Figures[]): void {
  queries.forEach(({ query }, at) => {
    const { ndcg = 0, recall = 0, short = 0 } = figures[at] ?? {};
    process.stdout.write(`  ${ndcg.toFixed(3)}  R ${recall.toFixed(3)}${short > 0 ? "  short" : ""}  ${query}\n`);
  });
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function signed(value: number): string {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`;
}
