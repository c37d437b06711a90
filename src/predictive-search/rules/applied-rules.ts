import { normalize } from "@vitrine/search";
import type { SearchContext } from "../search-context.ts";
import type { RankingFactor } from "./parse-search-rules.ts";

/** The rules and synonyms that apply to a query. */
export interface AppliedRules {
  readonly kind: "query";
  readonly text: string;
  readonly locale: string;
  /** Likely intended query if the query is misspelled. */
  readonly did_you_mean?: string;
  /** Path to which the results page redirects (`to`), and the location of the redirect rule (`at`). */
  readonly redirect?: { readonly to: string; readonly at: string };
  readonly pins?: { readonly products: readonly string[]; readonly at: string };
  readonly boosts?: { readonly products: Readonly<Record<string, number>>; readonly at: readonly string[] };
  readonly ranking?: { readonly factors: readonly RankingFactor[]; readonly at: readonly string[] };
  readonly hides?: { readonly products: readonly string[]; readonly at: readonly string[] };
  /** Handles that the rules contain, but that no product has. */
  readonly unknown?: readonly string[];
  readonly synonyms?: readonly {
    readonly words: readonly string[];
    readonly also: readonly string[];
    readonly at: string;
  }[];
}

/**
 * Finds the rules that apply to a query, each with its file and line.
 * @param settings synonym groups of `vitrine.config.ts`
 */
export function findAppliedRules(
  words: string,
  context: SearchContext,
  settings: readonly (readonly string[])[],
): AppliedRules {
  const { catalog, locale, rules } = context;
  const queryRules = rules?.getRulesForQuery(words, locale);
  const correction = suggestSpelling(words, context);
  const unknownReferences = [
    ...(queryRules?.pins ?? []),
    ...(queryRules?.boosts.keys() ?? []),
    ...(queryRules?.hides ?? []),
  ].filter((handle) => catalog.product(handle) === undefined);
  const groups = [
    ...settings.map((from) => ({ from, to: undefined, location: "vitrine.config.ts" })),
    ...(rules?.synonyms ?? []),
  ];
  const synonyms = groups.flatMap(({ from, to, location }) => {
    const matchedPhrases = from.filter((phrase) => containsPhrase(words, phrase));
    const otherPhrases = (to ?? from).filter((phrase) => !matchedPhrases.includes(phrase));
    return matchedPhrases.length > 0 && otherPhrases.length > 0
      ? [{ words: matchedPhrases, also: otherPhrases, at: location }]
      : [];
  });
  return {
    kind: "query",
    text: words,
    locale,
    ...(correction === undefined ? {} : { did_you_mean: correction }),
    ...(queryRules?.redirect === undefined
      ? {}
      : { redirect: { to: queryRules.redirect, at: queryRules.locations.redirect ?? "" } }),
    ...(queryRules === undefined || queryRules.pins.length === 0
      ? {}
      : { pins: { products: queryRules.pins, at: queryRules.locations.pins ?? "" } }),
    ...(queryRules === undefined || queryRules.boosts.size === 0
      ? {}
      : { boosts: { products: Object.fromEntries(queryRules.boosts), at: queryRules.locations.boosts } }),
    ...(queryRules === undefined || queryRules.ranking.length === 0
      ? {}
      : { ranking: { factors: queryRules.ranking, at: queryRules.locations.ranking } }),
    ...(queryRules === undefined || queryRules.hides.size === 0
      ? {}
      : { hides: { products: [...queryRules.hides], at: queryRules.locations.hides } }),
    ...(unknownReferences.length === 0 ? {} : { unknown: unknownReferences }),
    ...(synonyms.length === 0 ? {} : { synonyms }),
  };
}

/** Describes the applied rules in sentences. */
export function describeRules({
  did_you_mean,
  redirect,
  pins,
  boosts,
  ranking,
  hides,
  unknown,
  synonyms,
}: AppliedRules): string[] {
  return [
    ...(did_you_mean === undefined ? [] : [`Did you mean "${did_you_mean}"? Nothing matches the words as spelled.`]),
    ...(redirect === undefined ? [] : [`Redirects to ${redirect.to} (${redirect.at}).`]),
    ...(pins === undefined ? [] : [`Pinned: ${pins.products.join(", ")} (${pins.at}).`]),
    ...(boosts === undefined
      ? []
      : [
          `Boosted: ${Object.entries(boosts.products)
            .map(([handle, boostPoints]) => `${handle} (+${boostPoints})`)
            .join(", ")} (${boosts.at.join(", ")}).`,
        ]),
    ...(ranking === undefined
      ? []
      : [`Ranked by ${ranking.factors.map(describeRankFactor).join(", ")} (${ranking.at.join(", ")}).`]),
    ...(hides === undefined ? [] : [`Hidden: ${hides.products.join(", ")} (${hides.at.join(", ")}).`]),
    ...(unknown ?? []).map((handle) => `No product has the handle "${handle}".`),
    ...(synonyms ?? []).map(
      ({ words, also, at }) => `${formatPhrases(words)} also finds ${formatPhrases(also)} (${at}).`,
    ),
  ];
}

function describeRankFactor({ name, amount, points }: RankingFactor): string {
  const details = {
    margin: "",
    stock: amount === 1 ? "" : ` up to ${amount} units`,
    newness: ` within ${amount} days`,
  };
  return `${name}${details[name]} (up to +${points})`;
}

/**
 * Returns a correction of the query: a completion that does not start with the typed words. The search offers
 * corrections only if the words match nothing.
 */
function suggestSpelling(words: string, { index, locale }: SearchContext): string | undefined {
  const typedText = normalize(words);
  return index.complete(words, locale, 1).find((text) => !normalize(text).startsWith(typedText));
}

function containsPhrase(words: string, phrase: string): boolean {
  return ` ${normalize(words)} `.includes(` ${normalize(phrase)} `);
}

export function formatPhrases(phrases: readonly string[]): string {
  return phrases.map((phrase) => `"${phrase}"`).join(", ");
}
