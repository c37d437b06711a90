/** Matches a word of any script, with its combining marks. */
export const wordPattern = /[\p{L}\p{M}\p{N}]+/gu;

/** Returns the words of a text as written. */
export function listWords(text: string): readonly string[] {
  return text.match(wordPattern) ?? [];
}

/**
 * Returns the pairs of letters at which two words meet in a script without spaces: "色运" for "黑色运动鞋". A dictionary
 * finds the words. Adjacent letters that are in none of its words are taken as a word, and a single one belongs to the
 * word before it.
 */
export function findWordJoints(text: string, locale: string): readonly string[] {
  const segments = Array.from(
    new Intl.Segmenter(locale, { granularity: "word" }).segment(text),
    (part) => part.segment,
  );
  const words: string[] = [];
  for (const [index, segment] of segments.entries()) {
    const isLetter = segment.length === 1;
    const followsLetter = segments[index - 1]?.length === 1;
    const precedesLetter = segments[index + 1]?.length === 1;
    if (isLetter && (followsLetter || !precedesLetter)) words.push(`${words.pop() ?? ""}${segment}`);
    else words.push(segment);
  }
  return words.slice(1).map((word, index) => `${words[index]?.at(-1)}${word.at(0)}`);
}
