/** Longer than this is rarely a search and often something personal. Code points. */
const MAX_LENGTH = 40;
/** More words than this are a sentence. */
const MAX_WORDS = 6;

/** A searched text as it is counted: case, width and blanks made alike; undefined where it must not be kept: empty, too long, a sentence,
 *  or like an e-mail address, a telephone number or a payment card's. */
export function countableTerm(text: string): string | undefined {
  // Cut before normalising, which is slow on hostile input.
  const term = text
    .slice(0, 4 * MAX_LENGTH)
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  if (term === "" || text.length > 4 * MAX_LENGTH || [...term].length > MAX_LENGTH) return undefined;
  if (!term.isWellFormed() || term.includes("@") || / at .* dot /.test(term)) return undefined;
  if (term.split(" ").length > MAX_WORDS) return undefined;
  return looksLikeNumber(term) ? undefined : term;
}

/** Seven digits or more in a row, however they are separated: telephone numbers and cards alike. A bar code is lost with them,
 *  which costs nothing: nobody wants it suggested. */
function looksLikeNumber(term: string): boolean {
  return /\p{Nd}(?:[\s().+/-]*\p{Nd}){6}/u.test(term);
}
