import { execFileSync } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { workFolder } from "../../../bench/catalogs.ts";
import { explainMissingPeer, luceneCommand, type PeerName, peerFile, peers } from "../../../bench/peers/peers.ts";
import { onCore } from "../../../bench/store.ts";

export const engineNames = [
  "vitrine",
  "lucene",
  "lucene-or",
  "lucene-infix",
  "lucene-fuzzy",
  "tantivy",
  "tantivy-or",
  "flexsearch",
  "minisearch",
  "minisearch-or",
  "orama",
  "fts5",
] as const;
export type EngineName = (typeof engineNames)[number];

export const engineTitles: Readonly<Record<EngineName, string>> = {
  vitrine: "Vitrine",
  lucene: peers.lucene.title,
  "lucene-or": `${peers.lucene.title}, any word`,
  "lucene-infix": `${peers.lucene.title}, AnalyzingInfixSuggester`,
  "lucene-fuzzy": `${peers.lucene.title}, FuzzySuggester`,
  tantivy: peers.tantivy.title,
  "tantivy-or": `${peers.tantivy.title}, any word`,
  flexsearch: "FlexSearch 0.8",
  minisearch: "MiniSearch 7",
  "minisearch-or": "MiniSearch 7, any word",
  orama: peers.orama.title,
  fts5: "SQLite FTS5",
};
/** Engines that are measured for speed and misspelled queries. */
export const typingEngines: readonly EngineName[] = ["vitrine", "lucene", "flexsearch", "minisearch"];
/** Engines that are measured with judged queries. */
export const judgedEngines: readonly EngineName[] = [
  "vitrine",
  "lucene",
  "lucene-or",
  "tantivy-or",
  "minisearch-or",
  "fts5",
];

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
  /** Time to build the index, or to open a saved one, in seconds. */
  readonly buildSeconds: number;
  /** Time from the start of the process to the first query, in seconds. */
  readonly startSeconds: number;
  /** Resident memory of the process before the first query, in bytes. */
  readonly residentBytes: number;
  /** Maximum resident memory of the process until the index was built, in bytes. */
  readonly peakBytes: number;
  /** Size of live objects and arrays after the index was built, in bytes. */
  readonly liveBytes: number;
  /** Resident memory of the process after the last query, in bytes. */
  readonly endBytes: number;
  /** Size of the index on disk in bytes, or 0 if it cannot be saved. */
  readonly indexBytes: number;
  /** Results in the order of the queries. */
  readonly answers: readonly Answer[];
}

export interface EngineTask {
  /** Path of the documents file. */
  readonly documents: string;
  readonly locale: string;
  readonly engineQueries: readonly EngineQuery[];
  /** Folder of the index. An empty folder is filled, and another one opened. Default: a temporary folder. */
  readonly folder?: string;
  /** The only core that the process may use. Default: all. */
  readonly core?: number;
}

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Returns the reason why an engine cannot run on this machine, or undefined if it can. */
export function explainMissing(name: EngineName): string | undefined {
  const peer = peerOf(name);
  return peer === undefined ? undefined : explainMissingPeer(peer);
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
    const indexFolder = task.folder ?? join(folder, "index");
    mkdirSync(indexFolder, { recursive: true });
    writeFileSync(queries, task.engineQueries.map(lineOf).join(""));
    const parameters = [task.documents, queries, outputFile, task.locale, indexFolder];
    const [command, ...args] = onCore(task.core, [...commandOf(name), ...parameters]);
    const startedAt = Date.now();
    execFileSync(command, args, { stdio: ["ignore", "inherit", "inherit"] });
    const run = parseRun(readFileSync(outputFile, "utf8"), task.engineQueries.length, startedAt);
    return { ...run, indexBytes: sizeOf(indexFolder) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function sizeOf(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

/** Returns the files that determine an engine's results: its source and its version. */
export function engineFiles(name: EngineName): readonly string[] {
  const peer = peerOf(name);
  if (peer !== undefined)
    return globSync("{src/**/*.*,*.{toml,lock,xml,ts}}", { cwd: peerFile(peer, ".") })
      .toSorted()
      .map((file) => peerFile(peer, file));
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

function commandOf(name: EngineName): readonly string[] {
  const peer = peerOf(name);
  if (peer === "lucene") return [...luceneCommand("peers.RunQueries"), name];
  if (peer === "tantivy") return [peers.tantivy.installedFile, name];
  const file = peer === "orama" ? peerFile("orama", "orama.ts") : pathOf(`./engines/${name.replace(/-or$/, "")}.ts`);
  return [process.execPath, "--expose-gc", "--max-old-space-size=6000", file, name];
}

/** Returns the peer that is installed separately, or undefined for an engine of this package. */
function peerOf(name: EngineName): PeerName | undefined {
  const [peer = ""] = name.split("-");
  return Object.hasOwn(peers, peer) ? (peer as PeerName) : undefined;
}

function parseRun(text: string, queryCount: number, startedAt: number): Omit<EngineRun, "indexBytes"> {
  const [figures = "", ...lines] = text.trimEnd().split("\n");
  const [buildSeconds = 0, residentBytes = 0, peakBytes = 0, liveBytes = 0, endBytes = 0, readyAt = 0] = figures
    .split("\t")
    .map(Number);
  if (lines.length !== queryCount) throw new Error(`${lines.length} answers to ${queryCount} queries`);
  const answers = lines.map((line) => {
    const [nanoseconds = "", numbers = ""] = line.split("\t");
    return { ms: Number(nanoseconds) / 1e6, hits: numbers === "" ? [] : numbers.split(",").map(Number) };
  });
  const startSeconds = (readyAt - startedAt) / 1_000;
  return { buildSeconds, startSeconds, residentBytes, peakBytes, liveBytes, endBytes, answers };
}
