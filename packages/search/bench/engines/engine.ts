import { readFileSync, writeFileSync } from "node:fs";

/** A search engine with a complete index. */
export interface Engine {
  /**
   * Searches and returns document numbers, the best first.
   * @param typos whether misspellings are tolerated
   * @param limit maximum number of results
   * @param isWhole whether the last word is complete; otherwise it may be a prefix
   */
  search(text: string, typos: boolean, limit: number, isWhole: boolean): readonly number[];
  /** Size of the index in shared memory, outside the heap, in bytes. */
  readonly indexBytes?: number;
}

/**
 * Runs an engine in this process and writes its results to a file. The process arguments are the engine's name, the
 * documents file, the queries file, the output file and the language.
 * @param build builds the index from the documents file; `name` selects the engine's settings
 */
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
    const startNanoseconds = process.hrtime.bigint();
    const hits = engine.search(text, task !== "exact", Number(limit), task === "whole");
    const nanoseconds = process.hrtime.bigint() - startNanoseconds;
    lines.push(`${nanoseconds}\t${hits.join(",")}`);
  }
  writeFileSync(answers, `${lines.join("\n")}\n`);
}
