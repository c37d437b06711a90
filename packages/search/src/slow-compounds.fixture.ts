import { splitCompound } from "./analysis/compounds.ts";
import { listForms } from "./analysis/inflections.ts";
import type { QueryWord } from "./query/parse.ts";

/**
 * Reference implementation of `replaceCompounds`, for tests.
 * @param terms terms of all documents
 * @param isKnown whether each word is in a document, or one edit from a term
 */
export function replaceUnknownCompounds(
  words: readonly QueryWord[],
  terms: ReadonlySet<string>,
  isKnown: readonly boolean[],
  locale: string,
): QueryWord[] {
  return words.map((word, index) => {
    if (word.isGram || isKnown[index]) return word;
    const lastParts = splitCompound(word.text, locale)
      .filter(({ firstPartForms }) => firstPartForms.some((part) => terms.has(part)))
      .map(({ lastPart }) => lastPart)
      .filter((part) => {
        const isPrefix = word.isPrefix && part.length > 3 && [...terms].some((term) => term.startsWith(part));
        return isPrefix || [part, ...listForms({ text: part, isGram: false }, locale)].some((form) => terms.has(form));
      })
      .sort((a, b) => b.length - a.length);
    const [text] = lastParts;
    return text === undefined ? word : { ...word, text, compound: word.compound ?? word.text };
  });
}
