import type { BigIntStats } from "node:fs";
import { readdir, readFile, rename, stat } from "node:fs/promises";
import { join } from "node:path";
import type { SynonymGroup } from "@vitrine/search";
import { createLocalTimeFormat } from "../../catalog/rows/zoned-dates.ts";
import { getErrorCode, ignoreNotFound, isNotFound } from "../../not-found.ts";
import { type PollOptions, poll } from "../../runtime/poll.ts";
import {
  emptyRules,
  fileOf,
  type ParsedRules,
  parseRulesFile,
  type RuleLocales,
  type RulesName,
  rulesFileNames,
} from "./parse-search-rules.ts";
import { type RuleError, removeCommentLines } from "./rule-lines.ts";
import { emptyRuleTexts, hasDates, parseRuleTexts, type RuleTexts, selectActiveRules } from "./rule-texts.ts";
import { createSearchRules, type SearchRules } from "./search-rules.ts";

/**
 * The search rules of a store. They come from the files of the store's `search/` folder if there are any, otherwise
 * from the database.
 */
export interface RulesFolder {
  readonly currentRules: () => SearchRules;
  /** Returns the rules in the files, without their comments; undefined if there are no files. */
  readonly fileTexts: () => RuleTexts | undefined;
  /** Replaces the in-memory copy of the rules in the database. Called after the rules changed there. */
  setStoredRules(storedRules: RuleTexts): void;
  /** Returns the rules as they would apply if these texts were the rules in the database and there were no files. */
  preview(storedRules: RuleTexts): SearchRules;
  /** Reads changed files immediately. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

export interface RulesFolderOptions {
  /** Folder of the store. Its `search/` folder may be missing. */
  readonly storeDir: string;
  readonly locales: RuleLocales;
  /** Receives each error of a file when the file is read. */
  readonly report: (error: RuleError) => void;
  /** Returns the current day in the shop's time zone, such as "2026-11-27". */
  readonly getToday: () => string;
  /** Rules that are stored in the database. Default: none. */
  readonly storedTexts?: RuleTexts;
  readonly log: PollOptions["log"];
}

/**
 * Milliseconds between two checks of the files' times and sizes. Polling is used because change events are unreliable
 * on network disks, and when an editor replaces a file.
 */
const POLL_INTERVAL_MS = 400;
/** Maximum size of a rules file in bytes. */
const MAX_FILE_SIZE = 1_000_000;

/**
 * Opens the rules of a store and watches its files. If a changed file has errors, its previous rules stay active. If a
 * file has errors at the start, its valid lines apply.
 */
export async function openRulesFolder(options: RulesFolderOptions): Promise<RulesFolder> {
  const parseRules = (ruleTexts: RuleTexts): ParsedRules => parseRuleTexts(ruleTexts, options.locales, () => {});
  let rulesFromFiles: ParsedRules = emptyRules;
  let ruleTexts: RuleTexts = emptyRuleTexts;
  let storedRules = parseRules(options.storedTexts ?? emptyRuleTexts);
  let currentDay = options.getToday();
  let rules = createSearchRules(emptyRules, 0);
  const versionsByName = new Map<RulesName, string>();
  const existingFiles = new Set<RulesName>();
  const getActiveRules = (): ParsedRules => (existingFiles.size > 0 ? rulesFromFiles : storedRules);
  const updateRules = (): void => {
    rules = createSearchRules(selectActiveRules(getActiveRules(), currentDay), rules.revision + 1);
  };
  const reloadRules = async (): Promise<void> => {
    const isFirstRead = versionsByName.size === 0;
    let hasChanged = isFirstRead;
    // Most stores have no folder. Each check of a missing file creates an error.
    const hasFolder = (await stat(join(options.storeDir, "search")).catch(() => undefined)) !== undefined;
    for (const name of rulesFileNames) {
      const path = join(options.storeDir, fileOf(name));
      const versionKey = hasFolder ? computeVersionKey(await stat(path, { bigint: true }).catch(() => undefined)) : "";
      if (versionsByName.get(name) === versionKey) continue;
      versionsByName.set(name, versionKey);
      const { value, text, errors } = await readRulesFile(name, options);
      for (const error of errors) options.report(error);
      if (errors.length > 0 && !isFirstRead) continue;
      if (versionKey === "") existingFiles.delete(name);
      else existingFiles.add(name);
      rulesFromFiles = { ...rulesFromFiles, [name]: value };
      ruleTexts = { ...ruleTexts, [name]: text };
      hasChanged = true;
    }
    const today = options.getToday();
    if (!hasChanged && (today === currentDay || !hasDates(getActiveRules()))) return;
    currentDay = today;
    updateRules();
  };
  await reloadRules();
  const job = poll(
    { name: "reading the rules of search/", intervalMs: POLL_INTERVAL_MS, log: options.log },
    reloadRules,
  );
  return {
    currentRules: () => rules,
    fileTexts: () => (existingFiles.size > 0 ? ruleTexts : undefined),
    setStoredRules(newTexts) {
      storedRules = parseRules(newTexts);
      if (existingFiles.size === 0) updateRules();
    },
    preview: (newTexts) => createSearchRules(selectActiveRules(parseRules(newTexts), options.getToday()), 0),
    refresh: job.runNow,
    close: job.close,
  };
}

/**
 * Renames the `search/` folder, so that the rules of the database apply.  @param now current time in milliseconds since
 * 1970
 * @returns false if the folder cannot be renamed
 */
export async function renameRulesFolder(storeDir: string, now: number): Promise<boolean> {
  const time = new Date(now).toISOString().replaceAll(/\D/g, "").slice(0, 14);
  try {
    await rename(join(storeDir, "search"), join(storeDir, `search-taken-over-${time}`));
    return true;
  } catch {
    return false;
  }
}

/** Returns all errors in the rules files of a store, such as "search/pins.txt:3: the query is missing. …". */
export async function checkRulesFolder(storeDir: string, locales: RuleLocales): Promise<readonly string[]> {
  const files = await Promise.all(rulesFileNames.map((name) => readRulesFile(name, { storeDir, locales })));
  const names = (await readdir(join(storeDir, "search")).catch(ignoreNotFound)) ?? [];
  const knownNames = new Set(rulesFileNames.map((name) => `${name}.txt`));
  const unknownNames = names.filter((name) => name.endsWith(".txt") && !knownNames.has(name) && !name.startsWith("."));
  return [
    ...files.flatMap(({ errors }) => errors).map(describeRuleError),
    ...unknownNames
      .sort()
      .map((name) => `search/${name}: is not a rules file. Use one of ${[...knownNames].join(", ")}.`),
  ];
}

/** Formats an error, such as "search/pins.txt:3: the query is missing. …". */
export function describeRuleError({ file, line, message }: RuleError): string {
  return `${line === 0 ? file : `${file}:${line}`}: ${message}`;
}

interface ParsedFile {
  readonly value: ParsedRules[RulesName];
  /** Content of the file without comments. */
  readonly text: string;
  readonly errors: readonly RuleError[];
}

async function readRulesFile(
  name: RulesName,
  { storeDir, locales }: Pick<RulesFolderOptions, "storeDir" | "locales">,
): Promise<ParsedFile> {
  const file = fileOf(name);
  const createParseFailure = (message: string): ParsedFile => ({
    value: [],
    text: "",
    errors: [{ file, line: 0, message }],
  });
  let content: string;
  try {
    const bytes = await readFile(join(storeDir, file));
    if (bytes.length > MAX_FILE_SIZE) return createParseFailure("is larger than 1 MB. Remove some rules.");
    content = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (isNotFound(error)) return { value: [], text: "", errors: [] };
    const errorCode = getErrorCode(error);
    return createParseFailure(
      errorCode === "ERR_ENCODING_INVALID_ENCODED_DATA"
        ? "is not UTF-8 text. Save it as UTF-8."
        : `cannot be read (${String(errorCode)}). Check its type and permissions.`,
    );
  }
  const errors: RuleError[] = [];
  const value = parseRulesFile(name, content, locales, (error) => errors.push(error));
  const text = removeCommentLines(content)
    .filter((line) => line !== "")
    .join("\n");
  return { value, text, errors: errors.sort((a, b) => a.line - b.line) };
}

function computeVersionKey(fileStats: BigIntStats | undefined): string {
  return fileStats === undefined ? "" : `${fileStats.mtimeNs} ${fileStats.size} ${fileStats.ino}`;
}

/**
 * Joins the synonyms in the settings with those in the search rules.
 * @returns a function that returns the same list until the rules change
 */
export function joinSynonyms(
  settings: readonly SynonymGroup[],
  rules: () => SearchRules,
): () => readonly SynonymGroup[] {
  let lastRuleSynonyms: SearchRules["synonyms"] | undefined;
  let joinedSynonyms: readonly SynonymGroup[] = settings;
  return () => {
    const { synonyms } = rules();
    if (synonyms !== lastRuleSynonyms) {
      joinedSynonyms = [...settings, ...synonyms.map(({ from, to }) => (to === undefined ? from : { from, to }))];
      lastRuleSynonyms = synonyms;
    }
    return joinedSynonyms;
  };
}

/** Returns a function that returns the current day in a time zone, such as "2026-11-27".  @param timezone IANA name */
export function createDayFormatter(timezone: string, now: () => number): () => string {
  const formatLocalTime = createLocalTimeFormat(timezone);
  return () => formatLocalTime(now()).slice(0, "2026-11-27".length);
}
