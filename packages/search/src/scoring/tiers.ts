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
  typed: "contains all words as typed",
  prefixes: "contains a word only as a prefix: ranks after all documents with the complete word",
  unknownFuzzy: "a word is corrected: ranks after all documents that contain it as typed",
  withoutFunctionWords: 'ignores words like "for": ranks after all documents with all words',
  allFuzzy: "all words are corrected, since no document contains them as typed",
  onlyWord: 'contains the only word besides ignored words like "for": ranks after all documents with all words',
  partial: "lacks a word: ranks after all documents with all words",
};

/** Distance of two tiers: more than two documents of one tier can differ. */
const pointsPerTier = 10_000 * pointUnit;

/** Points of every document of a tier. */
export function tierPoints(tier: Tier): number {
  return tier === "typed" ? 0 : -tiers.indexOf(tier) * pointsPerTier;
}
