import type { QueryWord } from "./query/parse.ts";

/**
 * Creates a function that returns whether a document with some words of a query is a result, for tests. The parts of a
 * product code count only together.
 * @param isExactWord whether any document contains each word exactly
 * @param isIgnoredWord whether each word is no evidence, such as "with"
 */
export function createEvidenceTest(
  words: readonly QueryWord[],
  isExactWord: readonly boolean[],
  isIgnoredWord: readonly boolean[],
): (matchedWordFlags: readonly boolean[]) => boolean {
  const isCodePart = words.map(({ chunk, isGram }) => {
    const joinedWords = words.filter((word) => word.chunk === chunk);
    return !isGram && joinedWords.length > 1 && joinedWords.some(({ text }) => /[0-9]/.test(text));
  });
  const isWeakEvidence = words.map(
    ({ text, isGram }, index) => isIgnoredWord[index] || (!isGram && [...text].length === 1),
  );
  const hasOnlyWeakEvidence = words.every((_, index) => isWeakEvidence[index] && !isCodePart[index]);
  return (matchedWordFlags) =>
    words.some(({ chunk }, index) => {
      if (isCodePart[index])
        return words.every(
          (word, otherIndex) => word.chunk !== chunk || (matchedWordFlags[otherIndex] && isExactWord[otherIndex]),
        );
      return (
        matchedWordFlags[index] &&
        isExactWord[index] &&
        !isIgnoredWord[index] &&
        (!isWeakEvidence[index] || hasOnlyWeakEvidence)
      );
    });
}
