/** Maximum number of code points. Longer texts are rarely searches and often personal. */
const MAX_TERM_LENGTH = 40;
/** Maximum number of words. A text with more words is probably a sentence. */
const MAX_WORDS = 6;

/**
 * Normalizes case, width and blanks of a search text.  @returns undefined if the text must not be stored: it is empty,
 * too long, a sentence, or similar to an email address, phone number or payment card number
 */
export function normalizeCountableTerm(text: string): string | undefined {
  // Shorten the text before it is normalized, because normalizing a long hostile text is slow.
  const term = text
    .slice(0, 4 * MAX_TERM_LENGTH)
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  if (term === "" || text.length > 4 * MAX_TERM_LENGTH || [...term].length > MAX_TERM_LENGTH) return undefined;
  if (!term.isWellFormed() || term.includes("@") || / at .* dot /.test(term)) return undefined;
  if (term.split(" ").length > MAX_WORDS) return undefined;
  return hasLongNumber(term) ? undefined : term;
}

/**
 * Returns whether a text contains seven consecutive digits, with any separators, as in phone and card numbers. This
 * also rejects barcodes, which would be poor suggestions anyway.
 */
function hasLongNumber(term: string): boolean {
  return /\p{Nd}(?:[\s().+/-]*\p{Nd}){6}/u.test(term);
}
