import { splitChunks } from "./analysis/chunks.ts";
import { fields } from "./schema.fixture.ts";
import { categoryBonus } from "./scoring/score.ts";
import type { SearchDocument } from "./search-index.ts";

/** Returns the category of a document, or "". */
export function categoryOf({ fields: texts }: SearchDocument): string {
  const names = texts.flatMap(([field, text]) => (field === fields.productType ? [text] : []));
  const words = names.map((name) => splitChunks(name).flatMap((chunk) => chunk.map(({ text }) => text)));
  return words.find((one) => one.length > 0)?.join(" ") ?? "";
}

/**
 * Computes the bonuses of categories by the definition of naive Bayes, one category and word at a time, for the first
 * eight words.
 * @param words number of matching terms, by informative word and document
 */
export function slowCategoryBonuses(
  documents: readonly SearchDocument[],
  words: readonly (readonly number[])[],
): ReadonlyMap<string, number> {
  const categories = documents.map(categoryOf);
  const names = [...new Set(categories)].filter((name) => name !== "");
  const held = (word: readonly number[], isCounted: (name: string) => boolean) =>
    categories.reduce((sum, name, at) => sum + (name !== "" && isCounted(name) ? (word[at] as number) : 0), 0);
  const every = () => true;
  const met = words.slice(0, 8).filter((word) => held(word, every) > 0);
  const all = documents.map(() => 1);
  const likelihoods = names.map((name) => {
    const isIt = (other: string) => other === name;
    const share = held(all, isIt) / held(all, every);
    // Prior: five documents with the catalog's distribution contain each word.
    return met.reduce(
      (product, word) => (product * ((held(word, isIt) + 5 * share) / (held(word, every) + 5))) / share,
      share,
    );
  });
  const sum = likelihoods.reduce((one, other) => one + other, 0);
  return new Map(
    names.map((name, at) => {
      const isMet = met.some((word) => held(word, (other) => other === name) > 0);
      return [name, isMet ? categoryBonus((likelihoods[at] as number) / sum) : 0];
    }),
  );
}
