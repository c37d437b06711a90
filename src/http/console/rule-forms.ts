import {
  parseRulesFile,
  type RuleLocales,
  type RulesName,
  rulesFileNames,
} from "../../predictive-search/rules/parse-search-rules.ts";
import type { RuleTexts } from "../../predictive-search/rules/rule-texts.ts";
import { capitalize } from "../../runtime/capitalize.ts";
import { limitFieldText, parseNumber } from "./console-page.ts";

/** Search rule from a console form, in the syntax of the rule files. */
export interface FormRule {
  readonly name: RulesName;
  /** Text of the rule, on one line. */
  readonly line: string;
}

/** Maximum size in bytes and maximum number of lines, for each kind of rules, such as synonyms. */
const MAX_RULES_SIZE = 500_000;

/** Returns the kind of rules that a form changes, such as synonyms. */
export function parseRulesName(form: Readonly<Record<string, unknown>>): RulesName | undefined {
  return rulesFileNames.find((name) => name === form.name);
}

/** Parses the revision of the draft that a page showed; -1 if it is invalid. */
export function parseRevision(text: unknown): number {
  return parseNumber(text) ?? -1;
}

/** Formats form fields as a rule, for example "raincoat: storm-smock +3 @ 2026-11-27..2026-11-30". */
export function formatRule(name: RulesName, form: Readonly<Record<string, unknown>>): FormRule {
  const [query, value] = [limitFieldText(form.query), limitFieldText(form.value, 1_000)];
  const [firstDay, lastDay] = [limitFieldText(form.from, 10), limitFieldText(form.until, 10)];
  const boostText = limitFieldText(form.points, 3) === "" ? "" : ` +${limitFieldText(form.points, 3)}`;
  const amount = limitFieldText(form.amount, 6) === "" ? "" : ` ${limitFieldText(form.amount, 6)}`;
  const dateSuffix = firstDay + lastDay === "" ? "" : ` @ ${firstDay}..${lastDay}`;
  const lines = {
    synonyms: value === "" ? query : `${query} => ${value}`,
    pins: `${query}: ${value}`,
    boosts: `${query}: ${value}${boostText}`,
    ranking: `${query}: ${value}${amount}${boostText}`,
    hides: `${query}: ${value}`,
    redirects: `${query} -> ${value}`,
  };
  return { name, line: lines[name] + dateSuffix };
}

/**
 * Adds a rule to the search rules.
 * @param locale a language of the shop. Default: all languages
 * @returns the changed rules, or the error as a sentence
 */
export function addRule(
  texts: RuleTexts,
  { name, line }: FormRule,
  locale: string | undefined,
  locales: RuleLocales,
): RuleTexts | string {
  if (/(?:^|\s)#/.test(line)) return '"#" starts a comment. Remove it.';
  const lines = parseLines(texts, name);
  const section = locale === undefined || name === "synonyms" ? "[all]" : `[${locale}]`;
  const content = joinLines([...lines, { section, line }]);
  if (content.length > MAX_RULES_SIZE) return "Too many rules of this kind. Remove some first.";
  // Errors in existing rules, for example after a language was removed, must not prevent new rules.
  const existingErrors = new Set(findErrors(name, texts[name], locales));
  const errors = findErrors(name, content, locales).filter((error) => !existingErrors.has(error));
  return errors.length > 0 ? capitalize(errors[0] ?? "") : { ...texts, [name]: content };
}

function findErrors(name: RulesName, content: string, locales: RuleLocales): readonly string[] {
  const errors: string[] = [];
  parseRulesFile(name, content, locales, ({ message }) => errors.push(message));
  return errors;
}

/** Returns the search rules without the given rule. */
export function removeRule(texts: RuleTexts, name: RulesName, section: string, line: string): RuleTexts {
  const lines = parseLines(texts, name);
  const index = lines.findIndex((entry) => entry.line === line && entry.section === section);
  return index < 0 ? texts : { ...texts, [name]: joinLines(lines.toSpliced(index, 1)) };
}

/**
 * Merges the rules of the files with the rules in the database. If both have a rule for a query, the file's rule wins.
 */
export function mergeRules(files: RuleTexts, storedRules: RuleTexts, locales: RuleLocales): RuleTexts {
  const mergedRules = rulesFileNames.map((name) => {
    const lines = joinLines([...parseLines(files, name), ...parseLines(storedRules, name)]).split("\n");
    const invalidLines = new Set<number>();
    // The parser reports a second rule for the same query as an error, and lines with errors are left out.
    parseRulesFile(name, lines.join("\n"), locales, ({ line }) => invalidLines.add(line));
    return [name, lines.filter((line, index) => line.startsWith("[") || !invalidLines.has(index + 1)).join("\n")];
  });
  return Object.fromEntries(mergedRules) as RuleTexts;
}

export interface SectionLine {
  /** Heading of the language to which the rule applies: "[all]" or "[fr]". */
  readonly section: string;
  readonly line: string;
}

/** Returns the rules of one kind, each with its language. */
export function parseLines(texts: RuleTexts, name: RulesName): readonly SectionLine[] {
  let section = "[all]";
  return texts[name].split("\n").flatMap((line) => {
    if (/^\[.*\]$/.test(line)) {
      section = line;
      return [];
    }
    return line === "" ? [] : [{ section, line }];
  });
}

/** Formats rules as the text of a rule file, grouped by language. Rules for all languages come first. */
function joinLines(lines: readonly SectionLine[]): string {
  const sections = [...new Set(["[all]", ...lines.map(({ section }) => section)])];
  return sections
    .flatMap((section) => {
      const sectionLines = lines.filter((entry) => entry.section === section).map(({ line }) => line);
      return section === "[all]" || sectionLines.length === 0 ? sectionLines : [section, ...sectionLines];
    })
    .join("\n");
}
