import {
  noRules,
  type ParsedRules,
  parseRulesFile,
  type RuleContext,
  type RulesName,
  rulesNames,
} from "./parse-search-rules.ts";
import { holdsOn, type RuleDates, type RuleFault } from "./rule-lines.ts";

/** Rules that were made in the console, as the files of the folder `search/` would say them. */
export type RuleTexts = Readonly<Record<RulesName, string>>;

export const noTexts: RuleTexts = { synonyms: "", pins: "", boosts: "", hides: "", redirects: "" };

/** Reads rules of the console; what is wrong is reported and left out. */
export function parseRuleTexts(
  texts: RuleTexts,
  context: RuleContext,
  report: (fault: RuleFault & { readonly name: RulesName }) => void,
): ParsedRules {
  const parsed = rulesNames.map((name) => [
    name,
    parseRulesFile(name, texts[name], context, (fault) => report({ ...fault, name }), ownFileOf(name)),
  ]);
  return { ...noRules, ...Object.fromEntries(parsed) };
}

/** How explanations name them: "console/pins:3". */
function ownFileOf(name: RulesName): string {
  return `console/${name}`;
}

/** What holds on a day. Synonyms, hides and boosts of both hold; where both have a pin or redirect for a query, that of the files does.
 *  @param today "2026-11-27" */
export function joinRules(own: ParsedRules, files: ParsedRules, today: string): ParsedRules {
  // Lists without dates stay the same objects: synonyms are compiled where they change.
  const holding = <Rule extends Dated>(rules: readonly Rule[]): readonly Rule[] =>
    rules.some(({ dates }) => dates !== undefined) ? rules.filter((rule) => holdsOn(rule, today)) : rules;
  const both = <Rule extends Dated>(one: readonly Rule[], other: readonly Rule[]): readonly Rule[] =>
    one.length === 0 ? holding(other) : [...holding(one), ...holding(other)];
  return {
    synonyms: both(own.synonyms, files.synonyms),
    // Of several for one query the last holds.
    pins: both(own.pins, files.pins),
    boosts: both(own.boosts, files.boosts),
    hides: both(own.hides, files.hides),
    redirects: both(own.redirects, files.redirects),
  };
}

/** Whether other rules may hold on another day. */
export function hasDates(...all: readonly ParsedRules[]): boolean {
  return all.some((parsed) => rulesNames.some((name) => parsed[name].some(({ dates }: Dated) => dates !== undefined)));
}

interface Dated {
  readonly dates?: RuleDates;
}
