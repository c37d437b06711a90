import { normalize } from "@vitrine/search";
import { escapeHtml } from "../runtime/escape-html.ts";
import { listWords, wordPattern } from "./words.ts";

/**
 * Returns a function that formats suggestions as escaped HTML in which the typed text is marked:
 * `<mark>sno</mark><span>wboard</span>`. Removing the tags yields the suggestion. A typed word is marked wherever a word
 * of the suggestion starts with it.
 * @see spec 2.1
 */
export function createTextFormatter(typedInput: string): (text: string) => string {
  const typedWords = listWords(typedInput).flatMap((word) => normalize(word).split(" "));
  return (text) => markTypedWords(text, typedWords);
}

function markTypedWords(text: string, typedWords: readonly string[]): string {
  let html = "";
  /** Text of the current mark. The next word may extend it. */
  let markedText = "";
  let end = 0;
  const markText = (matchStart: number, length: number): void => {
    if (length === 0) return;
    const textBetween = text.slice(end, matchStart);
    const typedText = text.slice(matchStart, matchStart + length);
    end = matchStart + length;
    // Adjacent marked words share one mark if only a blank separates them: <mark>snow boa</mark>.
    if (markedText !== "" && textBetween === " ") markedText += ` ${typedText}`;
    else {
      html += wrapText("mark", markedText) + wrapText("span", textBetween);
      markedText = typedText;
    }
  };
  // ASCII text only needs lowercase conversion, which is faster than full normalization.
  const isAsciiText = asciiPattern.test(text);
  const pattern = isAsciiText ? asciiWordPattern : wordPattern;
  pattern.lastIndex = 0;
  // A loop takes half the time of `matchAll`, which copies the pattern for each text.
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const { 0: word, index } = match;
    const foldedWord = isAsciiText ? word.toLowerCase() : normalize(word);
    let length = 0;
    for (const typedText of typedWords) length = Math.max(length, getMatchLength(word, foldedWord, typedText));
    markText(index, length);
  }
  return html + wrapText("mark", markedText) + wrapText("span", text.slice(end));
}

/**
 * Returns the number of code units of `word` that a typed word covers, or 0 if `word` does not start with it. Folding
 * may change the length of a string.
 */
function getMatchLength(word: string, foldedWord: string, typedWord: string): number {
  if (typedWord === "" || !foldedWord.startsWith(typedWord)) return 0;
  // Only the case was folded, so the lengths are equal.
  if (foldedWord.length === word.length && asciiPattern.test(word)) return typedWord.length;
  let length = 1;
  while (length < word.length && normalize(word.slice(0, length)).length < typedWord.length) length += 1;
  // Combining marks belong to the preceding letter.
  while (length < word.length && /^[\p{M}\udc00-\udfff]/u.test(word.slice(length))) length += 1;
  return length;
}

const asciiPattern = /^[\x20-\x7e]*$/;

const asciiWordPattern = /[a-z0-9]+/gi;

function wrapText(tag: "mark" | "span", text: string): string {
  return text === "" ? "" : `<${tag}>${escapeHtml(text)}</${tag}>`;
}
