import { fold } from "../search/analysis/chunks.ts";

/** A suggestion as escaped HTML in which what was typed is marked and the rest is not:
 *  `<mark>sno</mark><span>wboard</span>`. Without its tags it is the suggestion. Each typed word is marked where a word of the
 *  suggestion begins with it.
 *  @see spec 2.1 */
export function styledText(text: string, typed: string): string {
  return styledTexts(typed)(text);
}

/** {@link styledText} of several suggestions for what was typed. */
export function styledTexts(typed: string): (text: string) => string {
  const typedWords = wordsOf(fold(typed)).map(({ word }) => word);
  return (text) => styled(text, typedWords);
}

function styled(text: string, typedWords: readonly string[]): string {
  let html = "";
  let end = 0;
  for (const { word, at } of wordsOf(text)) {
    const folded = fold(word);
    let marked = 0;
    for (const begun of typedWords) marked = Math.max(marked, matchedLength(word, folded, begun));
    if (marked === 0) continue;
    html += span(text.slice(end, at)) + mark(text.slice(at, at + marked));
    end = at + marked;
  }
  // Marks of neighbouring words that leave only a blank between them are one mark: <mark>snow boa</mark>.
  return (html + span(text.slice(end))).replaceAll("</mark><span> </span><mark>", " ");
}

/** Units of `word` that a typed word covers; 0 where it does not begin with it. Folding may change the length of a text. */
function matchedLength(word: string, folded: string, begun: string): number {
  if (begun === "" || !folded.startsWith(begun)) return 0;
  // Folding changed the case alone: unit stands for unit.
  if (folded.length === word.length && isAscii.test(word)) return begun.length;
  let length = 1;
  while (length < word.length && fold(word.slice(0, length)).length < begun.length) length += 1;
  // Marks that follow belong to the letter before them.
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
  return text.replace(
    /[&<>"']/g,
    (character) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" })[character] ?? character,
  );
}
