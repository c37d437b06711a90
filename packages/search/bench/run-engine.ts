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
/** Engines that are measured for speed and misspelled queries. */
export const typingEngines: readonly EngineName[] = ["vitrine", "lucene", "flexsearch", "minisearch"];
/** Engines that are measured with judged queries. */
export const judgedEngines: readonly EngineName[] = ["vitrine", "lucene", "lucene-or", "minisearch-or", "fts5"];

/**
 * A query to an engine. `exact` searches without typo tolerance, and `typo` with typo tolerance. `whole` has typo
 * tolerance and a complete last word. Vitrine treats the last word as a possible prefix in all three tasks.
 */
export interface EngineQuery {
  readonly task: "exact" | "typo" | "whole";
  readonly text: string;
  /** Maximum number of results. Default: 10. */
  readonly limit?: number;
}

export interface Answer {
  /** Document numbers, the best first. */
  readonly hits: readonly number[];
  readonly ms: number;
}

/** Results of an engine for a catalog and queries. */
export interface EngineRun {
  /** Time from reading the first document to the first query, in seconds. */
  readonly buildSeconds: number;
  /** Resident memory of the process after the index was built, in bytes. */
  readonly residentBytes: number;
  /** Maximum resident memory of the process until the index was built, in bytes. */
  readonly peakBytes: number;
  /** Size of live objects and arrays after the index was built, in bytes. */
  readonly liveBytes: number;
  /** Size of the index in bytes, or 0 if the engine does not report it. */
  readonly indexBytes: number;
  /** Results in the order of the queries. */
  readonly answers: readonly Answer[];
}

export interface EngineTask {
  /** Path of the documents file. */
  readonly documents: string;
  readonly locale: string;
  readonly engineQueries: readonly EngineQuery[];
  /** Constants of Vitrine's source to change for this run (see `engines/override-constants.ts`). */
  readonly overrides?: readonly string[];
}

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const jars = globSync("/usr/share/java/lucene-{core,analyzers-common,queries,misc}-*.jar");

/** Returns the reason why an engine cannot run on this machine, or undefined if it can. */
export function explainMissing(name: EngineName): string | undefined {
  if (!isLucene(name)) return undefined;
  if (jars.length < 4) return "no Lucene here: install liblucene8-java";
  return spawnSync("java", ["-version"]).status === 0 ? undefined : "no java here: install a JDK of 11 or later";
}

/**
 * Runs an engine in a separate process. Its input is a file of documents and a file of lines `task<tab>limit<tab>text`.
 * Its output is a line of figures, and then a line `nanoseconds<tab>numbers` per query.
 * @throws Error if the process fails
 */
export function runEngine(name: EngineName, task: EngineTask): EngineRun {
  const folder = mkdtempSync(join(workFolder(), `${name}-`));
  try {
    const queries = join(folder, "queries.tsv");
    const outputFile = join(folder, "answers.tsv");
    writeFileSync(queries, task.engineQueries.map(lineOf).join(""));
    const parameters = [task.documents, queries, outputFile, task.locale];
    const [command, ...args] = [...commandOf(name, task.overrides ?? []), ...parameters];
    execFileSync(command ?? "", args, { stdio: ["ignore", "inherit", "inherit"] });
    return parseRun(readFileSync(outputFile, "utf8"), task.engineQueries.length);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns the files that determine an engine's results: its source and its version. */
export function engineFiles(name: EngineName): readonly string[] {
  if (isLucene(name)) return [pathOf("./engines/LuceneBench.java"), ...jars];
  const engineName = name.replace(/-or$/, "");
  // SQLite is part of Node, so its version is that of Node.
  const version = pathOf(`../../../node_modules/${name === "fts5" ? "node" : engineName}/package.json`);
  return [
    pathOf(`./engines/${engineName}.ts`),
    pathOf("./engines/engine.ts"),
    pathOf("../../../bench/flat-documents.ts"),
    version,
  ];
}

function lineOf({ task, text, limit = 10 }: EngineQuery): string {
  return `${task}\t${limit}\t${text.replace(/\s/g, " ")}\n`;
}

function commandOf(name: EngineName, overrides: readonly string[]): readonly string[] {
  // Only one thread searches, so the serial garbage collector is the fastest.
  if (isLucene(name))
    return ["java", "-Xmx4g", "-XX:+UseSerialGC", "-cp", jars.join(":"), pathOf("./engines/LuceneBench.java"), name];
  const file = pathOf(`./engines/${name.replace(/-or$/, "")}.ts`);
  return [process.execPath, "--expose-gc", "--max-old-space-size=6000", ...overrideArguments(overrides), file, name];
}

/** Returns Node arguments for a process with changed constants (see `engines/override-constants.ts`). */
export function overrideArguments(overrides: readonly string[]): readonly string[] {
  const patchUrl = new URL("./engines/override-constants.ts", import.meta.url);
  patchUrl.search = new URLSearchParams(overrides.map((one) => ["set", one])).toString();
  return overrides.length === 0 ? [] : ["--import", patchUrl.href];
}

function isLucene(name: EngineName): boolean {
  return name.startsWith("lucene");
}

function parseRun(text: string, queryCount: number): EngineRun {
  const [figures = "", ...lines] = text.trimEnd().split("\n");
  const [buildSeconds = 0, residentBytes = 0, peakBytes = 0, liveBytes = 0, indexBytes = 0] = figures
    .split("\t")
    .map(Number);
  if (lines.length !== queryCount) throw new Error(`${lines.length} answers to ${queryCount} queries`);
  const answers = lines.map((line) => {
    const [nanoseconds = "", numbers = ""] = line.split("\t");
    return { ms: Number(nanoseconds) / 1e6, hits: numbers === "" ? [] : numbers.split(",").map(Number) };
  });
  return { buildSeconds, residentBytes, peakBytes, liveBytes, indexBytes, answers };
}
