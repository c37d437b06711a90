import { readFileSync, writeFileSync } from "node:fs";
import { type Cells, today } from "../../../../bench/results.ts";
import { type EngineName, engineTitles, explainMissing } from "../run-engine.ts";
import { type Figures, type PreparedSet, prepareJudgedSet, runJudgedSet } from "./judged-run.ts";
import type { JudgedSet } from "./sets.ts";
import { estimate, formatPercent, mean, randomisationP } from "./significance.ts";

export const judgedHeading = "## relevance.ts: judged queries";

export interface JudgedOptions {
  readonly engines: readonly EngineName[];
  /** Whether queries are also typed letter by letter. */
  readonly isTyped: boolean;
  readonly printsQueries: boolean;
  /** File to which Vitrine's metrics of each query are saved. */
  readonly saveTo?: string;
  readonly against?: string;
}

type SavedFigures = Record<string, Record<string, Figures>>;

/** Creates one table row per query set and engine. */
export async function judgedRows(sets: readonly JudgedSet[], options: JudgedOptions): Promise<readonly Cells[]> {
  const rows: Cells[] = [];
  const savedFigures: SavedFigures = {};
  const bySet = new Map<string, ReadonlyMap<EngineName, readonly Figures[]>>();
  for (const set of sets) {
    const preparedSet = await prepareJudgedSet(set, options.isTyped);
    const results = new Map<EngineName, readonly Figures[]>();
    for (const name of options.engines)
      if (explainMissing(name) === undefined) results.set(name, runJudgedSet(preparedSet, name));
    bySet.set(set.name, results);
    for (const [name, figures] of results) {
      const row = [...today(), set.name, engineTitles[name], ...cellsOf(figures), compareWithBestPeer(name, results)];
      rows.push(row);
      process.stdout.write(`${row.slice(2).join(" | ")}\n`);
    }
    const vitrineFigures = results.get("vitrine");
    if (vitrineFigures !== undefined) {
      savedFigures[set.name] = Object.fromEntries(
        preparedSet.queries.map(({ query }, at) => [query, vitrineFigures[at] as Figures]),
      );
      if (options.printsQueries) printQueries(preparedSet, vitrineFigures);
    }
  }
  if (bySet.size > 1) {
    const summary = summaryRows(bySet);
    for (const row of summary) process.stdout.write(`${row.slice(2).join(" | ")}\n`);
    rows.push(...summary);
  }
  if (options.saveTo !== undefined) writeFileSync(options.saveTo, JSON.stringify(savedFigures));
  if (options.against !== undefined)
    compare(savedFigures, JSON.parse(readFileSync(options.against, "utf8")) as SavedFigures);
  return rows;
}

function cellsOf(figures: readonly Figures[]): readonly string[] {
  const { mean: ndcg, lowerBound: low, upperBound: high } = estimate(figures.map((one) => one.ndcg));
  const typedFigures = figures.filter(({ letters }) => letters !== undefined);
  return [
    String(figures.length),
    `${ndcg.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)})`,
    mean(figures.map((one) => one.condensed)).toFixed(3),
    mean(figures.map((one) => one.bpref)).toFixed(3),
    mean(figures.map((one) => one.recall)).toFixed(3),
    formatPercent(mean(figures.map((one) => one.short))),
    figures.reduce((sum, one) => sum + one.forbidden, 0).toString(),
    typedFigures.length === 0
      ? "-"
      : `${mean(typedFigures.map(({ letters = 0 }) => letters)).toFixed(1)}, ${formatPercent(mean(typedFigures.map(({ saved = 0 }) => saved)))}`,
  ];
}

/**
 * Creates one table row per engine with the means over all query sets, which have equal weight. The row of Vitrine also
 * has the ratio of its nDCG@10 to that of the best other engine: the mean and the minimum over all sets.
 */
function summaryRows(bySet: ReadonlyMap<string, ReadonlyMap<EngineName, readonly Figures[]>>): Cells[] {
  const engines = [...(bySet.values().next().value?.keys() ?? [])];
  const ndcgOf = (figures: readonly Figures[] = []): number => mean(figures.map(({ ndcg }) => ndcg));
  const ratios = [...bySet].map(([set, results]) => {
    const peers = [...results].filter(([name]) => name !== "vitrine").map(([, figures]) => ndcgOf(figures));
    return { set, ratio: ndcgOf(results.get("vitrine")) / Math.max(...peers) };
  });
  const lowest = ratios.reduce((one, other) => (other.ratio < one.ratio ? other : one));
  const comparison = `${mean(ratios.map(({ ratio }) => ratio)).toFixed(3)} times the best peer of each set, least ${lowest.ratio.toFixed(3)}: ${lowest.set}`;
  return engines.map((name) => {
    const figuresBySet = [...bySet.values()].map((results) => results.get(name) ?? []);
    const meanOverSets = (figure: (one: Figures) => number): number =>
      mean(figuresBySet.map((figures) => mean(figures.map(figure))));
    const typedFigures = figuresBySet.map((figures) => figures.filter(({ letters }) => letters !== undefined));
    const typedMean = (figure: (one: Figures) => number): number =>
      mean(typedFigures.map((figures) => mean(figures.map(figure))));
    return [
      ...today(),
      `mean of ${bySet.size} sets`,
      engineTitles[name],
      String(figuresBySet.reduce((sum, figures) => sum + figures.length, 0)),
      meanOverSets(({ ndcg }) => ndcg).toFixed(3),
      meanOverSets(({ condensed }) => condensed).toFixed(3),
      meanOverSets((one) => one.bpref).toFixed(3),
      meanOverSets((one) => one.recall).toFixed(3),
      formatPercent(meanOverSets(({ short }) => short)),
      String(figuresBySet.flat().reduce((sum, { forbidden }) => sum + forbidden, 0)),
      typedFigures.some((figures) => figures.length === 0)
        ? "-"
        : `${typedMean(({ letters = 0 }) => letters).toFixed(1)}, ${formatPercent(typedMean(({ saved = 0 }) => saved))}`,
      name === "vitrine" && engines.length > 1 ? comparison : "-",
    ];
  });
}

/**
 * Returns the differences between Vitrine and the best other engine, with confidence intervals: of nDCG@10, and of the
 * letters until a relevant product is visible.
 */
function compareWithBestPeer(name: EngineName, results: ReadonlyMap<EngineName, readonly Figures[]>): string {
  const vitrineFigures = results.get("vitrine");
  const peers = [...results].filter(([peer]) => peer !== "vitrine");
  if (name !== "vitrine" || vitrineFigures === undefined || peers.length === 0) return "-";
  const ndcgText = describe(vitrineFigures, peers, ({ ndcg }) => ndcg);
  const isTyped = vitrineFigures.some(({ letters }) => letters !== undefined);
  return isTyped ? `${ndcgText}; letters ${describe(vitrineFigures, peers, ({ letters }) => letters, -1)}` : ndcgText;
}

/** Compares a metric with the peer that has the best mean.  @param sign 1 if a higher value is better, otherwise -1 */
function describe(
  vitrineFigures: readonly Figures[],
  peers: readonly (readonly [EngineName, readonly Figures[]])[],
  metric: (figures: Figures) => number | undefined,
  sign = 1,
): string {
  const comparisons = peers.map(([peer, peerFigures]) => {
    const differences = vitrineFigures.flatMap((figures, at) => {
      const [value, peerValue] = [figures, peerFigures[at]].map((one) => (one === undefined ? undefined : metric(one)));
      return value === undefined || peerValue === undefined ? [] : [value - peerValue];
    });
    return { peer, differences, advantage: sign * mean(differences) };
  });
  const best = comparisons.reduce((one, other) => (other.advantage < one.advantage ? other : one));
  return `${differenceText(best.differences)}: ${engineTitles[best.peer]}`;
}

function differenceText(differences: readonly number[]): string {
  const { mean: meanDifference, lowerBound: low, upperBound: high } = estimate(differences);
  const p = randomisationP(differences);
  return `${formatSigned(meanDifference)} (${formatSigned(low)} to ${formatSigned(high)}), p ${p < 0.001 ? "below 0.001" : p.toFixed(3)}`;
}

function compare(newFigures: SavedFigures, oldFigures: SavedFigures): void {
  const allDifferences: number[] = [];
  process.stdout.write("\nset: nDCG@10 | condensed | R@100 | letters | short, less those of before\n");
  for (const [name, figures] of Object.entries(newFigures)) {
    const earlier = oldFigures[name];
    if (earlier === undefined) continue;
    const pairs = Object.entries(figures).flatMap(([query, one]) => {
      const other = earlier[query];
      return other === undefined ? [] : [[one, other] as const];
    });
    if (pairs.length === 0) continue;
    const differences = pairs.map(([one, other]) => one.ndcg - other.ndcg);
    allDifferences.push(mean(differences));
    const describeChange = (figure: (one: Figures) => number | undefined): string => {
      const comparablePairs = pairs.flatMap(([one, other]) => {
        const [after, earlier] = [figure(one), figure(other)];
        return after === undefined || earlier === undefined ? [] : [after - earlier];
      });
      return comparablePairs.length === 0 ? "-" : formatSigned(mean(comparablePairs));
    };
    const changeTexts = [
      describeChange((one) => one.condensed),
      describeChange((one) => one.recall),
      describeChange((one) => one.letters),
      describeChange((one) => one.short),
    ];
    const improvedCount = differences.filter((difference) => difference > 0.001).length;
    const worsenedCount = differences.filter((difference) => difference < -0.001).length;
    process.stdout.write(
      `${name}: ${differenceText(differences)}, ${improvedCount} up ${worsenedCount} down | ${changeTexts.join(" | ")}\n`,
    );
  }
  process.stdout.write(`mean of ${allDifferences.length} sets: ${formatSigned(mean(allDifferences))}\n`);
}

function printQueries({ queries }: PreparedSet, figures: readonly Figures[]): void {
  queries.forEach(({ query }, at) => {
    const { ndcg = 0, recall = 0, short = 0 } = figures[at] ?? {};
    process.stdout.write(`  ${ndcg.toFixed(3)}  R ${recall.toFixed(3)}${short > 0 ? "  short" : ""}  ${query}\n`);
  });
}

function formatSigned(value: number): string {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`;
}
