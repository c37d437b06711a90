import { fields } from "./schema.fixture.ts";
import { computeBonus } from "./scoring/score.ts";
import type { SearchDocument } from "./search-index.ts";
import { splitChunks } from "./slow-chunks.fixture.ts";

/** Returns the category of a document, or "". */
export function getDocumentCategory({ fields: texts }: SearchDocument): string {
  const names = texts.flatMap(([field, text]) => (field === fields.productType ? [text] : []));
  const words = names.map((name) => splitChunks(name).flatMap((chunk) => chunk.map(({ text }) => text)));
  return words.find((nameWords) => nameWords.length > 0)?.join(" ") ?? "";
}

/**
 * Computes the category bonuses for the first eight words of a query by naive Bayes, in the simplest way: one category
 * and one word at a time.
 * @param words number of matching terms, by informative word and document
 */
export function computeReferenceBonuses(
  documents: readonly SearchDocument[],
  words: readonly (readonly number[])[],
): ReadonlyMap<string, number> {
  const categories = documents.map(getDocumentCategory);
  const names = [...new Set(categories)].filter((name) => name !== "");
  const countDocuments = (word: readonly number[], isSelected: (name: string) => boolean) =>
    categories.reduce((sum, name, index) => sum + (name !== "" && isSelected(name) ? (word[index] as number) : 0), 0);
  const selectAll = () => true;
  const documentWords = words.slice(0, 8).filter((word) => countDocuments(word, selectAll) > 0);
  const defaultWeights = documents.map(() => 1);
  const likelihoods = names.map((name) => {
    const isCategory = (otherName: string) => otherName === name;
    const categoryShare = countDocuments(defaultWeights, isCategory) / countDocuments(defaultWeights, selectAll);
    // Prior: each word occurs in five assumed documents with the catalog's distribution of categories.
    return documentWords.reduce(
      (product, word) =>
        (product * ((countDocuments(word, isCategory) + 5 * categoryShare) / (countDocuments(word, selectAll) + 5))) /
        categoryShare,
      categoryShare,
    );
  });
  const likelihoodSum = likelihoods.reduce((sum, likelihood) => sum + likelihood, 0);
  return new Map(
    names.map((name, index) => {
      const hasMatch = documentWords.some((word) => countDocuments(word, (otherName) => otherName === name) > 0);
      return [name, hasMatch ? computeBonus((likelihoods[index] as number) / likelihoodSum) : 0];
    }),
  );
}
