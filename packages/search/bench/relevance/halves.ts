import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { serialize } from "node:v8";
import { workFolder } from "../../../../bench/catalogs.ts";
import { readTitles } from "../../../../bench/flat-documents.ts";
import { buildAside } from "../engines/vitrine-index.ts";
import type { SetTask } from "../engines/vitrine-sets.ts";
import { importsFor } from "../run-engine.ts";
import type { JudgedQuery } from "./judged.ts";
import { ndcg10 } from "./metrics.ts";
import { documentsOf, type JudgedSet, localeOf } from "./sets.ts";
import { mean } from "./significance.ts";

/** nDCG@10 on one half of the queries and on the other: means over sets, so that large sets count no more than small ones. */
export type Halves = readonly [number, number];

/** Judged sets whose indexes are built. */
export interface BuiltSets {
  /** Where the segments are; whoever prepared them removes it. */
  readonly folder: string;
  readonly sets: readonly {
    readonly task: SetTask;
    readonly keys: readonly string[];
    readonly queries: readonly JudgedQuery[];
  }[];
}

export async function prepareSets(sets: readonly JudgedSet[]): Promise<BuiltSets> {
  const folder = mkdtempSync(join(workFolder(), "constants-"));
  const built: BuiltSets["sets"][number][] = [];
  const segments = new Map<string, string>();
  for (const set of sets) {
    const [documents, locale, queries] = [await documentsOf(set), localeOf(set), set.queries()];
    const segment = segments.get(documents) ?? join(folder, `${segments.size}.segment`);
    if (!segments.has(documents)) writeFileSync(segment, serialize(await buildAside(documents, locale)));
    segments.set(documents, segment);
    built.push({
      task: { segment, locale, queries: queries.map(({ query }) => query) },
      keys: readTitles(documents).keys,
      queries,
    });
  }
  return { folder, sets: built };
}

/** Asks all queries in one process. @param overrides constants of Vitrine (see `run-engine.ts`)  @throws Error where the source refuses them */
export function askSets({ folder, sets }: BuiltSets, overrides: readonly string[]): Halves {
  const [tasks, answers] = [join(folder, "tasks.json"), join(folder, "answers.json")];
  writeFileSync(tasks, JSON.stringify(sets.map(({ task }) => task)));
  const engine = fileURLToPath(new URL("../engines/vitrine-sets.ts", import.meta.url));
  execFileSync(process.execPath, [...importsFor(overrides), engine, tasks, answers], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const hits = JSON.parse(readFileSync(answers, "utf8")) as readonly (readonly (readonly number[])[])[];
  const bySet = sets.map(({ keys, queries }, set) => {
    const ofQueries = queries.map(({ query, grades }, at): readonly [number, number] => [
      halfOf(query),
      ndcg10(
        (hits[set]?.[at] ?? []).map((number) => keys[number] ?? ""),
        grades,
      ),
    ]);
    return [0, 1].map((half) => mean(ofQueries.filter(([one]) => one === half).map(([, ndcg]) => ndcg)));
  });
  return [mean(bySet.map(([one = 0]) => one)), mean(bySet.map(([, other = 0]) => other))];
}

/** FNV-1a, one of its bits: the same in all runs. */
function halfOf(query: string): number {
  let hash = 0x811c9dc5;
  for (const letter of query) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  return (hash >>> 7) & 1;
}
