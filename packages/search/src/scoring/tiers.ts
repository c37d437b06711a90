import { pointUnit } from "./score.ts";

/** How a document answers a query, the best first. Every document of a tier stands before all of the next one, whatever their scores: what
 *  holds all words as they were typed never gives way to what does not. */
export const tiers = [
  "typed",
  "prefixes",
  "unknownFuzzy",
  "withoutFunctionWords",
  "allFuzzy",
  "onlyWord",
  "partial",
] as const;
export type Tier = (typeof tiers)[number];

/** What explanations say of documents of a tier. */
export const tierReasons: Readonly<Record<Tier, string>> = {
  typed: "holds all words as typed",
  prefixes: "some word is not there whole, as it was typed: after all that hold it so",
  unknownFuzzy: "some word is taken as misspelt: after all that hold it as typed",
  withoutFunctionWords: 'words like "for" were left out: after all that hold all words',
  allFuzzy: "all words are taken as misspelt, since nothing holds them as typed",
  onlyWord: 'holds the one word beside words like "for", which were left out: after all that hold all words',
  partial: "lacks a word: after all that hold all words",
};

/** Between two tiers: more than any document differs from another of its tier. */
const pointsPerTier = 10_000 * pointUnit;

/** Points of every document of a tier. */
export function tierPoints(tier: Tier): number {
  return tier === "typed" ? 0 : -tiers.indexOf(tier) * pointsPerTier;
}
