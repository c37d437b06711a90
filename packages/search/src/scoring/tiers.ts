import { pointUnit } from "./score.ts";

/**
 * Tiers of matches, best first. Every document of a tier ranks before all of the next one, independent of scores: a
 * document with all words as typed precedes all others.
 */
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

/** Explanations of the tiers. */
export const tierReasons: Readonly<Record<Tier, string>> = {
  typed: "holds all words as typed",
  prefixes: "some word is not there whole, as it was typed: after all that hold it so",
  unknownFuzzy: "some word is taken as misspelt: after all that hold it as typed",
  withoutFunctionWords: 'words like "for" were left out: after all that hold all words',
  allFuzzy: "all words are taken as misspelt, since nothing holds them as typed",
  onlyWord: 'holds the one word beside words like "for", which were left out: after all that hold all words',
  partial: "lacks a word: after all that hold all words",
};

/** Distance of two tiers: more than two documents of one tier can differ. */
const pointsPerTier = 10_000 * pointUnit;

/** Points of every document of a tier. */
export function tierPoints(tier: Tier): number {
  return tier === "typed" ? 0 : -tiers.indexOf(tier) * pointsPerTier;
}
