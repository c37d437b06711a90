import {
  emptyRules,
  type ParsedRules,
  parseRulesFile,
  type RuleLocales,
  type RulesName,
  rulesFileNames,
} from "./parse-search-rules.ts";
import { isRuleActive, type RuleDates, type RuleError } from "./rule-lines.ts";

/** Search rules by kind, as texts in the format of the files in `search/`. */
export type RuleTexts = Readonly<Record<RulesName, string>>;

export const emptyRuleTexts = Object.fromEntries(rulesFileNames.map((name) => [name, ""])) as RuleTexts;

/** Parses the rules that are stored in the database. Invalid lines are reported and skipped. */
export function parseRuleTexts(
  texts: RuleTexts,
  locales: RuleLocales,
  report: (error: RuleError) => void,
): ParsedRules {
  const parsedRules = rulesFileNames.map((name) => [
    name,
    // Explanations show names such as "console/pins" for rules in the database.
    parseRulesFile(name, texts[name], locales, report, `console/${name}`),
  ]);
  return { ...emptyRules, ...Object.fromEntries(parsedRules) };
}

/** Returns the rules that apply on a day.  @param today day such as "2026-11-27" */
export function selectActiveRules(parsedRules: ParsedRules, today: string): ParsedRules {
  // Return a list without dates as the same object, because synonyms are compiled again when their list changes.
  const selectRules = (rules: readonly DatedRule[]): readonly DatedRule[] =>
    rules.some(({ dates }) => dates !== undefined) ? rules.filter((rule) => isRuleActive(rule, today)) : rules;
  const activeRules = rulesFileNames.map((name) => [name, selectRules(parsedRules[name])]);
  return { ...parsedRules, ...Object.fromEntries(activeRules) };
}

/** Returns whether different rules may apply on another day. */
export function hasDates(parsedRules: ParsedRules): boolean {
  return rulesFileNames.some((name) => parsedRules[name].some(({ dates }: DatedRule) => dates !== undefined));
}

interface DatedRule {
  readonly dates?: RuleDates;
}
