import { normalize } from "@vitrine/search";

/**
 * Returns a suggestion as escaped HTML in which the typed text is marked and the rest is not:
 * `<mark>sno</mark><span>wboard</span>`. Without the tags it is the suggestion. Each typed word is marked where a word
 * of the suggestion begins with it.
 * @see spec 2.1
 */
export function styledText(text: string, typed: string): string {
  return styledTexts(typed)(text);
}

/** {@link styledText} for several suggestions of the same typed text. */
export function styledTexts(typed: string): (text: string) => string {
  const typedWords = wordsOf(typed).flatMap(({ word }) => normalize(word).split(" "));
  return (text) => styled(text, typedWords);
}

function styled(text: string, typedWords: readonly string[]): string {
  let html = "";
  /** The last mark, which the next word may extend. */
  let marked = "";
  let end = 0;
  const take = (at: number, length: number): void => {
    if (length === 0) return;
    const between = text.slice(end, at);
    const typed = text.slice(at, at + length);
    end = at + length;
    // Marks of adjacent words with only a blank between them are joined: <mark>snow boa</mark>.
    if (marked !== "" && between === " ") marked += ` ${typed}`;
    else {
      html += mark(marked) + span(between);
      marked = typed;
    }
  };
  if (isAscii.test(text)) eachAsciiWord(text, (at, behind) => take(at, longestPrefix(text, at, behind, typedWords)));
  else
    for (const { word, at } of wordsOf(text)) {
      const folded = normalize(word);
      take(
        at,
        typedWords.reduce((longest, typed) => Math.max(longest, matchedLength(word, folded, typed)), 0),
      );
    }
  return html + mark(marked) + span(text.slice(end));
}

/** Calls back with the start and end of each run of letters and digits in an ASCII string. */
function eachAsciiWord(text: string, take: (at: number, behind: number) => void): void {
  let start = -1;
  for (let at = 0; at <= text.length; at += 1) {
    const isInWord = at < text.length && isLetterOrDigit(text.charCodeAt(at));
    if (isInWord && start < 0) start = at;
    if (isInWord || start < 0) continue;
    take(start, at);
    start = -1;
  }
}

function isLetterOrDigit(unit: number): boolean {
  return (unit >= 48 && unit <= 57) || ((unit | 32) >= 97 && (unit | 32) <= 122);
}

/** Returns the code units of the longest typed word with which the word from `at` to `behind` begins; 0 without any. */
function longestPrefix(text: string, at: number, behind: number, typedWords: readonly string[]): number {
  let longest = 0;
  for (const typed of typedWords)
    if (typed.length > longest && typed.length <= behind - at && beginsWith(text, at, typed)) longest = typed.length;
  return longest;
}

/** Whether an ASCII string has a folded string at an index. */
function beginsWith(text: string, at: number, folded: string): boolean {
  for (let index = 0; index < folded.length; index += 1) {
    const unit = text.charCodeAt(at + index);
    if ((unit >= 65 && unit <= 90 ? unit + 32 : unit) !== folded.charCodeAt(index)) return false;
  }
  return true;
}

/**
 * Returns the code units of `word` that a typed word covers; 0 if it does not begin with it. Folding may change the
 * length of a string.
 */
function matchedLength(word: string, folded: string, typed: string): number {
  if (typed === "" || !folded.startsWith(typed)) return 0;
  // Folding changed only the case: lengths are equal.
  if (folded.length === word.length && isAscii.test(word)) return typed.length;
  let length = 1;
  while (length < word.length && normalize(word.slice(0, length)).length < typed.length) length += 1;
  // Following combining marks belong to the letter before them.
  while (length < word.length && /^[\p{M}\udc00-\udfff]/u.test(word.slice(length))) length += 1;
  return length;
}

const isAscii = /^[\x20-\x7e]*$/;

function wordsOf(text: string): { readonly word: string; readonly at: number }[] {
  return [...text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)].map((match) => ({ word: match[0], at: match.index }));
}

function mark(text: string): string {
  return text === "" ? "" : `<mark>${escapeHtml(text)}</mark>`;
}

function span(text: string): string {
  return text === "" ? "" : `<span>${escapeHtml(text)}</span>`;
}

function escapeHtml(text: string): string {
  if (!/[&<>"']/.test(text)) return text;
  return text.replace(
    /[&<>"']/g,
    (character) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" })[character] ?? character,
  );
}
