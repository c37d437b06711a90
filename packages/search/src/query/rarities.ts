import type { LeafReader } from "../index/leaf.ts";
import { rarityOf, soleRarity } from "../scoring/score.ts";
import { costOf, type TermQuery } from "./term-query.ts";

/**
 * By word: its rarity over all leaves, so that a document scores the same in any segment. For a word without exact
 * matches, all matches count.
 * @param termQueries by reader, by word
 * @param mayLack whether documents may lack words
 */
export function raritiesOf(
  readers: readonly LeafReader[],
  termQueries: readonly (readonly TermQuery[])[],
  mayLack = false,
): readonly number[] {
  const words = termQueries[0] ?? [];
  if (words.length === 1) return [soleRarity];
  let documents = 0;
  for (const { leaf } of readers) documents += leaf.documents.externalIds.length;
  return words.map((_, word) => {
    let [whole, all] = [0, 0];
    for (const ofReader of termQueries) {
      const termQuery = ofReader[word] as TermQuery;
      whole += termQuery.exactCost;
      all += costOf(termQuery, true);
    }
    return rarityOf(whole > 0 ? whole : all, documents, mayLack);
  });
}
