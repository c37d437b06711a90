import { execFileSync, spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { workFolder } from "../../../bench/catalogs.ts";

export const engineNames = [
  "vitrine",
  "lucene",
  "lucene-or",
  "flexsearch",
  "minisearch",
  "minisearch-or",
  "fts5",
] as const;
export type EngineName = (typeof engineNames)[number];

export const engineTitles: Readonly<Record<EngineName, string>> = {
  vitrine: "Vitrine",
  lucene: "Lucene 8",
  "lucene-or": "Lucene 8, any word",
  flexsearch: "FlexSearch 0.8",
  minisearch: "MiniSearch 7",
  "minisearch-or": "MiniSearch 7, any word",
  fts5: "SQLite FTS5",
};
/** Engines with measured times and misspelled queries. */
export const typingEngines: readonly EngineName[] = ["vitrine", "lucene", "flexsearch", "minisearch"];
/** Engines with judged queries. */
export const judgedEngines: readonly EngineName[] = ["vitrine", "lucene", "lucene-or", "minisearch-or", "fts5"];

/**
 * `exact`: exact words; `typo`: with typo tolerance; `whole`: with typo tolerance and a complete last word, which
 * Vitrine is not told.
 */
export interface Ask {
  readonly task: "exact" | "typo" | "whole";
  readonly text: string;
  /** Hits wanted at most; absent: ten. */
  readonly limit?: number;
}

export interface Answer {
  /** Document numbers, best first. */
  readonly hits: readonly number[];
  readonly ms: number;
}

/** Results of an engine with a catalog and queries. */
export interface EngineRun {
  /** From the first document read to the first query. */
  readonly buildSeconds: number;
  /** Resident bytes of the process after the index was built. */
  readonly residentBytes: number;
  /** Maximum resident bytes until then. */
  readonly peakBytes: number;
  /** Objects and arrays alive then, in bytes. */
  readonly liveBytes: number;
  /** Bytes of the index, if the engine reports them. */
  readonly indexBytes: number;
  /** In the order of the queries. */
  readonly answers: readonly Answer[];
}

export interface EngineTask {
  /** Flat documents. */
  readonly documents: string;
  readonly locale: string;
  readonly asks: readonly Ask[];
  /** Changed constants of Vitrine's source for this run (see `engines/override-constants.ts`). */
  readonly overrides?: readonly string[];
}

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const jars = globSync("/usr/share/java/lucene-{core,analyzers-common,queries,misc}-*.jar");

/** Returns why an engine cannot run here, or undefined. */
export function missing(name: EngineName): string | undefined {
  if (!isLucene(name)) return undefined;
  if (jars.length < 4) return "no Lucene here: install liblucene8-java";
  return spawnSync("java", ["-version"]).status === 0 ? undefined : "no java here: install a JDK of 11 or later";
}

/**
 * Runs one engine in a separate process. The process gets a file of documents and one of lines
 * `task<tab>limit<tab>text`; it writes a line of figures, then one per query: `nanoseconds<tab>numbers`.
 * @throws Error if it fails
 */
export function runEngine(name: EngineName, task: EngineTask): EngineRun {
  const folder = mkdtempSync(join(workFolder(), `${name}-`));
  try {
    const queries = join(folder, "queries.tsv");
    const out = join(folder, "answers.tsv");
    writeFileSync(queries, task.asks.map(lineOf).join(""));
    const parameters = [task.documents, queries, out, task.locale];
    const [command, ...args] = [...commandOf(name, task.overrides ?? []), ...parameters];
    execFileSync(command ?? "", args, { stdio: ["ignore", "inherit", "inherit"] });
    return readRun(readFileSync(out, "utf8"), task.asks.length);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Files that determine an engine's results: its source, and its version. */
export function engineFiles(name: EngineName): readonly string[] {
  if (isLucene(name)) return [here("./engines/LuceneBench.java"), ...jars];
  const own = name.replace(/-or$/, "");
  // SQLite comes with the runtime.
  const version = here(`../../../node_modules/${name === "fts5" ? "node" : own}/package.json`);
  return [here(`./engines/${own}.ts`), here("./engines/engine.ts"), here("../../../bench/flat-documents.ts"), version];
}

function lineOf({ task, text, limit = 10 }: Ask): string {
  return `${task}\t${limit}\t${text.replace(/\s/g, " ")}\n`;
}

function commandOf(name: EngineName, overrides: readonly string[]): readonly string[] {
  // One thread asks: the collector that stops the world is the quickest then.
  if (isLucene(name))
    return ["java", "-Xmx4g", "-XX:+UseSerialGC", "-cp", jars.join(":"), here("./engines/LuceneBench.java"), name];
  const file = here(`./engines/${name.replace(/-or$/, "")}.ts`);
  return [process.execPath, "--expose-gc", "--max-old-space-size=6000", ...importsFor(overrides), file, name];
}

/** Node arguments for a process with changed constants (see `engines/override-constants.ts`). */
export function importsFor(overrides: readonly string[]): readonly string[] {
  const patch = new URL("./engines/override-constants.ts", import.meta.url);
  patch.search = new URLSearchParams(overrides.map((one) => ["set", one])).toString();
  return overrides.length === 0 ? [] : ["--import", patch.href];
}

function isLucene(name: EngineName): boolean {
  return name.startsWith("lucene");
}

function readRun(text: string, asked: number): EngineRun {
  const [figures = "", ...lines] = text.trimEnd().split("\n");
  const [buildSeconds = 0, residentBytes = 0, peakBytes = 0, liveBytes = 0, indexBytes = 0] = figures
    .split("\t")
    .map(Number);
  if (lines.length !== asked) throw new Error(`${lines.length} answers to ${asked} queries`);
  const answers = lines.map((line) => {
    const [nanoseconds = "", numbers = ""] = line.split("\t");
    return { ms: Number(nanoseconds) / 1e6, hits: numbers === "" ? [] : numbers.split(",").map(Number) };
  });
  return { buildSeconds, residentBytes, peakBytes, liveBytes, indexBytes, answers };
}
