import {
  parseRulesFile,
  type RuleContext,
  type RulesName,
  rulesNames,
} from "../../predictive-search/rules/parse-search-rules.ts";
import type { RuleTexts } from "../../predictive-search/rules/rule-texts.ts";
import { textIn } from "./console-page.ts";

/** Rule from a form, in the format of the rule files. */
export interface WrittenRule {
  readonly name: RulesName;
  /** Text of the rule, on one line. */
  readonly line: string;
}

/** Maximum size of the rules of one kind, in bytes, and maximum number of lines. */
const MAX_SIZE = 500_000;

/** Returns the kind of rules that a form changes. */
export function rulesNameIn(form: Readonly<Record<string, unknown>>): RulesName | undefined {
  return rulesNames.find((name) => name === form.name);
}

/** Formats the fields of a form as a rule: "raincoat: storm-smock +3 @ 2026-11-27..2026-11-30". */
export function writeRule(name: RulesName, form: Readonly<Record<string, unknown>>): WrittenRule {
  const [query, value] = [textIn(form.query), textIn(form.value, 1_000)];
  const [from, until] = [textIn(form.from, 10), textIn(form.until, 10)];
  const points = name === "boosts" && textIn(form.points, 3) !== "" ? ` +${textIn(form.points, 3)}` : "";
  const dates = from + until === "" ? "" : ` @ ${from}..${until}`;
  const lines = {
    synonyms: value === "" ? query : `${query} => ${value}`,
    pins: `${query}: ${value}`,
    boosts: `${query}: ${value}${points}`,
    hides: `${query}: ${value}`,
    redirects: `${query} -> ${value}`,
  };
  return { name, line: lines[name] + dates };
}

/**
 * Adds a line to the rules.
 * @param locale a language of the shop. Default: all languages
 * @returns the rules, or the error as a sentence
 */
export function withRule(
  texts: RuleTexts,
  { name, line }: WrittenRule,
  locale: string | undefined,
  context: RuleContext,
): RuleTexts | string {
  if (/(?:^|\s)#/.test(line)) return '"#" starts a comment. Remove it.';
  const lines = linesOf(texts, name);
  const section = locale === undefined || name === "synonyms" ? "[all]" : `[${locale}]`;
  const content = joined([...lines, { section, line }]);
  if (content.length > MAX_SIZE) return "Too many rules of this kind. Remove some first.";
  // Existing errors, for example after a language was removed, must not prevent new rules.
  const known = new Set(errorsIn(name, texts[name], context));
  const errors = errorsIn(name, content, context).filter((fault) => !known.has(fault));
  return errors.length > 0 ? sentence(errors[0] ?? "") : { ...texts, [name]: content };
}

function errorsIn(name: RulesName, content: string, context: RuleContext): readonly string[] {
  const errors: string[] = [];
  parseRulesFile(name, content, context, ({ message }) => errors.push(message));
  return errors;
}

/** Returns the rules without a line. */
export function withoutRule(texts: RuleTexts, name: RulesName, section: string, line: string): RuleTexts {
  const lines = linesOf(texts, name);
  const at = lines.findIndex((one) => one.line === line && one.section === section);
  return at < 0 ? texts : { ...texts, [name]: joined(lines.toSpliced(at, 1)) };
}

/** Merges the rules of the files with the stored rules. For the same query, the rule of the files wins. */
export function mergeRules(files: RuleTexts, stored: RuleTexts, context: RuleContext): RuleTexts {
  const merged = rulesNames.map((name) => {
    const lines = joined([...linesOf(files, name), ...linesOf(stored, name)]).split("\n");
    const invalid = new Set<number>();
    // A second rule for the same query is reported as an error, which excludes it.
    parseRulesFile(name, lines.join("\n"), context, ({ line }) => invalid.add(line));
    return [name, lines.filter((line, index) => line.startsWith("[") || !invalid.has(index + 1)).join("\n")];
  });
  return Object.fromEntries(merged) as RuleTexts;
}

export interface ShownLine {
  /** Language section of the line: "[all]" or "[fr]". */
  readonly section: string;
  readonly line: string;
}

/** Returns the lines of one kind of rules, each with its language. */
export function linesOf(texts: RuleTexts, name: RulesName): readonly ShownLine[] {
  let section = "[all]";
  return texts[name].split("\n").flatMap((line) => {
    if (/^\[.*\]$/.test(line)) {
      section = line;
      return [];
    }
    return line === "" ? [] : [{ section, line }];
  });
}

/** Joins lines into the text of a file, grouped by language. Lines for all languages come first. */
function joined(lines: readonly ShownLine[]): string {
  const sections = [...new Set(["[all]", ...lines.map(({ section }) => section)])];
  return sections
    .flatMap((section) => {
      const ofSection = lines.filter((one) => one.section === section).map(({ line }) => line);
      return section === "[all]" || ofSection.length === 0 ? ofSection : [section, ...ofSection];
    })
    .join("\n");
}

function sentence(message: string): string {
  return message.charAt(0).toUpperCase() + message.slice(1);
}
