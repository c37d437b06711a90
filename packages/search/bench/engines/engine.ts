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

export interface EngineSource {
  /** Path of the documents file. */
  readonly documents: string;
  readonly locale: string;
  /** Name that selects the engine's settings. */
  readonly name: string;
  /** Folder of the saved index, empty before the first run. */
  readonly folder: string;
}

/**
 * Runs an engine in this process and writes its results to a file. The process arguments are the engine's name, the
 * documents file, the queries file, the output file, the language and the index folder.
 * @param open opens the index of the folder, or builds and saves it
 */
export async function serve(open: (source: EngineSource) => Promise<Engine>): Promise<void> {
  const [name = "", documents = "", queries = "", answers = "", locale = "en", folder = ""] = process.argv.slice(2);
  const start = performance.now();
  const engine = await open({ documents, locale, name, folder });
  const seconds = (performance.now() - start) / 1_000;
  const readyAt = Date.now();
  globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  const peak = process.resourceUsage().maxRSS * 1_024;
  const lines: string[] = [];
  for (const line of readFileSync(queries, "utf8").split("\n")) {
    if (line === "") continue;
    const [task, limit, text = ""] = line.split("\t");
    const startNanoseconds = process.hrtime.bigint();
    const hits = engine.search(text, task !== "exact", Number(limit), task === "whole");
    const nanoseconds = process.hrtime.bigint() - startNanoseconds;
    lines.push(`${nanoseconds}\t${hits.join(",")}`);
  }
  const liveBytes = heapUsed + external + (engine.indexBytes ?? 0);
  const figures = [seconds, rss, peak, liveBytes, process.memoryUsage().rss, readyAt].join("\t");
  writeFileSync(answers, `${[figures, ...lines].join("\n")}\n`);
}

/**
 * Saves an index as text, unless it is longer than the longest string of the runtime. The index is then built again by
 * the next process.
 */
export function saveText(file: string, serialize: () => string): void {
  try {
    writeFileSync(file, serialize());
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    process.stderr.write(`${file} is not saved: ${error.message}\n`);
  }
}
