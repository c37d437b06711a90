import type { AppliedRules } from "../../predictive-search/rules/applied-rules.ts";
import type { RankingFactor } from "../../predictive-search/rules/parse-search-rules.ts";
import type { ConsoleTexts } from "./console-texts.ts";
import { type Markup, markup } from "./markup.ts";

/** Renders the rules and synonyms that apply to a query, each with its location. */
export function renderAppliedRules(texts: ConsoleTexts, rules: AppliedRules): Markup | false {
  const { did_you_mean: correction, redirect, pins, boosts, ranking, hides, unknown = [], synonyms = [] } = rules;
  const boostedProducts = Object.entries(boosts?.products ?? {}).map(([handle, points]) => `${handle} (+${points})`);
  const sentences = [
    correction !== undefined && texts.get("try.didYouMean", { query: correction }),
    redirect !== undefined && texts.get("try.redirects", { path: redirect.to, location: redirect.at }),
    pins !== undefined && texts.get("try.pins", { products: pins.products.join(", "), location: pins.at }),
    boosts !== undefined &&
      texts.get("try.boosts", { products: boostedProducts.join(", "), location: boosts.at.join(", ") }),
    ranking !== undefined &&
      texts.get("try.ranking", {
        factors: ranking.factors.map((factor) => describeFactor(texts, factor)).join(", "),
        location: ranking.at.join(", "),
      }),
    hides !== undefined &&
      texts.get("try.hides", { products: hides.products.join(", "), location: hides.at.join(", ") }),
    ...unknown.map((handle) => texts.get("try.unknownHandle", { handle })),
    ...synonyms.map(({ words, also, at }) =>
      texts.get("try.synonyms", { words: formatPhrases(words), others: formatPhrases(also), location: at }),
    ),
  ].filter((sentence) => sentence !== false);
  return sentences.length > 0 && markup`<ul class="notes">${sentences.map((text) => markup`<li>${text}</li>`)}</ul>`;
}

function describeFactor(texts: ConsoleTexts, { name, amount, points }: RankingFactor): string {
  const description =
    name === "margin" || (name === "stock" && amount === 1)
      ? texts.get(`try.${name}Name`)
      : texts.get(`try.${name}`, { count: amount });
  return texts.get("try.factor", { factor: description, points });
}

function formatPhrases(phrases: readonly string[]): string {
  return phrases.map((phrase) => `"${phrase}"`).join(", ");
}
