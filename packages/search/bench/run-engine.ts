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
/** Those whose time is measured, and who are asked misspelt words. */
export const typingEngines: readonly EngineName[] = ["vitrine", "lucene", "flexsearch", "minisearch"];
/** Those who are asked judged queries. */
export const judgedEngines: readonly EngineName[] = ["vitrine", "lucene", "lucene-or", "minisearch-or", "fts5"];

/** `exact`: words are taken as they are written; `typo`: spelling mistakes are allowed for; `whole`: the same, and the last word is whole, which
 *  Vitrine is never told. */
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

/** What an engine did with a catalogue and some queries. */
export interface EngineRun {
  /** From the first document read to the first query. */
  readonly buildSeconds: number;
  /** Resident memory of the process once the index is built, in bytes. */
  readonly residentBytes: number;
  /** The most memory it held at once until then, in bytes. */
  readonly peakBytes: number;
  /** Objects and arrays alive then, in bytes. */
  readonly liveBytes: number;
  /** The index alone, where the engine can tell. */
  readonly indexBytes: number;
  /** In the order of the asks. */
  readonly answers: readonly Answer[];
}

export interface EngineTask {
  /** Flat documents. */
  readonly documents: string;
  readonly locale: string;
  readonly asks: readonly Ask[];
  /** Constants of the source that are changed for this run (see `engines/override-constants.ts`); of Vitrine alone. */
  readonly overrides?: readonly string[];
}

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const jars = globSync("/usr/share/java/lucene-{core,analyzers-common,queries,misc}-*.jar");

/** Why an engine cannot run here; undefined where it can. */
export function missing(name: EngineName): string | undefined {
  if (!isLucene(name)) return undefined;
  if (jars.length < 4) return "no Lucene here: install liblucene8-java";
  return spawnSync("java", ["-version"]).status === 0 ? undefined : "no java here: install a JDK of 11 or later";
}

/** Runs one engine in a process of its own.
 *  The process gets a file of documents and one of lines `task<tab>limit<tab>text`; it writes a line of figures, then one a query:
 *  `nanoseconds<tab>numbers`.
 *  @throws Error where it fails */
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

/** The files on which an engine's answers depend: its own source, and what tells its version. */
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

/** What a process is started with in which constants are to be changed (see `engines/override-constants.ts`). */
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
