import { readFileSync, writeFileSync } from "node:fs";

/** A search engine under test, its index built. */
export interface Engine {
  /** Document numbers, best first, at most `limit`. @param typos false: words are taken as they are written
   *  @param isWhole whether the last word is whole; otherwise it may be the beginning of one */
  search(text: string, typos: boolean, limit: number, isWhole: boolean): readonly number[];
  /** Bytes of the index in shared memory, which no heap counts. */
  readonly indexBytes?: number;
}

/** Runs an engine in this process and writes down what it did; the protocol of `run-engine.ts`.
 *  Arguments: the engine's name, flat documents, queries, where the answers go, language.
 *  @param build reads flat documents; `name` tells which settings of the engine are meant */
export async function serve(
  build: (documents: string, locale: string, name: string) => Promise<Engine>,
): Promise<void> {
  const [name = "", documents = "", queries = "", answers = "", locale = "en"] = process.argv.slice(2);
  const start = performance.now();
  const engine = await build(documents, locale, name);
  const seconds = (performance.now() - start) / 1_000;
  globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  const peak = process.resourceUsage().maxRSS * 1_024;
  const lines = [
    [seconds, rss, peak, heapUsed + external + (engine.indexBytes ?? 0), engine.indexBytes ?? 0].join("\t"),
  ];
  for (const line of readFileSync(queries, "utf8").split("\n")) {
    if (line === "") continue;
    const [task, limit, text = ""] = line.split("\t");
    const before = process.hrtime.bigint();
    const hits = engine.search(text, task !== "exact", Number(limit), task === "whole");
    const nanoseconds = process.hrtime.bigint() - before;
    lines.push(`${nanoseconds}\t${hits.join(",")}`);
  }
  writeFileSync(answers, `${lines.join("\n")}\n`);
}
