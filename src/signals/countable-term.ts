/** Code points. Longer texts are rarely searches and often personal. */
const MAX_LENGTH = 40;
/** More words are a sentence. */
const MAX_WORDS = 6;

/** Normalizes case, width and blanks of a searched text. @returns undefined if the text must not be stored: empty, too long, a sentence, or similar
 *  to an email address, phone number or payment card number */
export function countableTerm(text: string): string | undefined {
  // Cut before normalizing, which is slow on hostile input.
  const term = text
    .slice(0, 4 * MAX_LENGTH)
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  if (term === "" || text.length > 4 * MAX_LENGTH || [...term].length > MAX_LENGTH) return undefined;
  if (!term.isWellFormed() || term.includes("@") || / at .* dot /.test(term)) return undefined;
  if (term.split(" ").length > MAX_WORDS) return undefined;
  return hasLongNumber(term) ? undefined : term;
}

/** Whether there are seven digits in a row, with any separators: phone and card numbers. Bar codes are lost too, but make no good suggestion. */
function hasLongNumber(term: string): boolean {
  return /\p{Nd}(?:[\s().+/-]*\p{Nd}){6}/u.test(term);
}
