import type { BigIntStats } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { isAbsence, unlessAbsent } from "../../absence.ts";
import { type PollOptions, poll } from "../../runtime/poll.ts";
import {
  fileOf,
  noRules,
  type ParsedRules,
  parseRulesFile,
  type RuleContext,
  type RulesName,
  rulesNames,
} from "./parse-search-rules.ts";
import type { RuleFault } from "./rule-lines.ts";
import { hasDates, joinRules, noTexts, parseRuleTexts, type RuleTexts } from "./rule-texts.ts";
import { createSearchRules, type SearchRules } from "./search-rules.ts";

/** The rules of a store's folder, kept up with its files, with those that were made in the console, and with the days for which they are. */
export interface RulesFolder {
  readonly current: () => SearchRules;
  /** Of the folder alone, whatever the day. */
  readonly files: () => ParsedRules;
  /** Takes what was made in the console and is to hold. */
  takeOwn(own: RuleTexts): void;
  /** What would hold with others of the console's. */
  preview(own: RuleTexts): SearchRules;
  /** Reads changes now. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

export interface RulesFolderOptions extends RuleContext {
  /** The store's folder; its `search/` may be missing. */
  readonly storeDir: string;
  /** Told each fault of a file when the file is read. */
  readonly report: (fault: RuleFault) => void;
  /** The day in the shop's time zone, "2026-11-27". */
  readonly today: () => string;
  /** What was made in the console by now; absent: nothing. */
  readonly own?: RuleTexts;
  readonly log: PollOptions["log"];
}

/** Milliseconds between two reads. The files' times and sizes are read: notices of changes get lost on network disks,
 *  and where an editor puts a new file in the place of the old one. */
const POLL_MS = 400;
/** Bytes of a rules file. */
const MAX_SIZE = 1_000_000;

/** Opens the rules of a store and follows their changes. A file with faults leaves its former rules in force; at the start, when
 *  there are none, its good lines count. */
export async function openRulesFolder(options: RulesFolderOptions): Promise<RulesFolder> {
  let files: ParsedRules = noRules;
  let own = parseRuleTexts(options.own ?? noTexts, options, () => {});
  let day = options.today();
  let rules = createSearchRules(noRules, 0);
  const joinAnew = (): void => {
    rules = createSearchRules(joinRules(own, files, day), rules.revision + 1);
  };
  const seen = new Map<RulesName, string>();
  const look = async (): Promise<void> => {
    const isStart = seen.size === 0;
    const next: Partial<ParsedRules> = {};
    for (const name of rulesNames) {
      const path = join(options.storeDir, fileOf(name));
      const stamp = stampOf(await stat(path, { bigint: true }).catch(() => undefined));
      if (seen.get(name) === stamp) continue;
      seen.set(name, stamp);
      const { value, faults } = await readRulesFile(name, options);
      for (const fault of faults) options.report(fault);
      if (faults.length === 0 || isStart) Object.assign(next, { [name]: value });
    }
    const today = options.today();
    if (Object.keys(next).length === 0 && (today === day || !hasDates(own, files))) return;
    files = { ...files, ...next };
    day = today;
    joinAnew();
  };
  await look();
  const job = poll({ name: "reading the rules of search/", everyMs: POLL_MS, log: options.log }, look);
  return {
    current: () => rules,
    files: () => files,
    takeOwn(texts) {
      own = parseRuleTexts(texts, options, () => {});
      joinAnew();
    },
    preview: (texts) =>
      createSearchRules(
        joinRules(
          parseRuleTexts(texts, options, () => {}),
          files,
          options.today(),
        ),
        0,
      ),
    refresh: job.now,
    close: job.close,
  };
}

/** Everything that is wrong with the rules files of a store. */
export async function checkRulesFolder(options: RuleContext & { readonly storeDir: string }): Promise<RuleFault[]> {
  const files = await Promise.all(rulesNames.map((name) => readRulesFile(name, options)));
  const names = (await readdir(join(options.storeDir, "search")).catch(unlessAbsent)) ?? [];
  const known = new Set(rulesNames.map((name) => `${name}.txt`));
  const strangers = names.filter((name) => name.endsWith(".txt") && !known.has(name) && !name.startsWith("."));
  return [
    ...files.flatMap(({ faults }) => faults),
    ...strangers.sort().map((name) => ({
      file: `search/${name}`,
      line: 0,
      message: `is not a rules file. Use one of ${[...known].join(", ")}.`,
    })),
  ];
}

/** "search/pins.txt:3: the query is missing. …" */
export function describeRuleFault({ file, line, message }: RuleFault): string {
  return `${line === 0 ? file : `${file}:${line}`}: ${message}`;
}

interface ReadFile {
  readonly value: ParsedRules[RulesName];
  readonly faults: readonly RuleFault[];
}

async function readRulesFile(name: RulesName, options: RuleContext & { readonly storeDir: string }): Promise<ReadFile> {
  const file = fileOf(name);
  const refused = (message: string): ReadFile => ({ value: [], faults: [{ file, line: 0, message }] });
  let content: string;
  try {
    const bytes = await readFile(join(options.storeDir, file));
    if (bytes.length > MAX_SIZE) return refused("is larger than 1 MB. Remove some rules.");
    content = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (isAbsence(error)) return { value: [], faults: [] };
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    return refused(
      code === "ERR_ENCODING_INVALID_ENCODED_DATA"
        ? "is not UTF-8 text. Save it as UTF-8."
        : `cannot be read (${String(code)}). Check its type and permissions.`,
    );
  }
  const faults: RuleFault[] = [];
  const value = parseRulesFile(name, content, options, (fault) => faults.push(fault));
  return { value, faults: faults.sort((one, other) => one.line - other.line) };
}

function stampOf(stats: BigIntStats | undefined): string {
  return stats === undefined ? "" : `${stats.mtimeNs} ${stats.size} ${stats.ino}`;
}
