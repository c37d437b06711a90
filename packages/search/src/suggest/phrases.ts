import { truncateQuery } from "../analysis/chunks.ts";
import { foldText, toLowerCase } from "../analysis/fold.ts";
import { createSharedUint32 } from "../arrays/shared-arrays.ts";
import type { Field } from "../schema.ts";
import { type Dictionary, packDictionary, packTexts, type TextTable } from "../terms/dictionary.ts";
import { createTextCounter, type TitleTokens } from "./phrase-counter.ts";

/** Phrases for completion. */
export interface Phrases {
  /** Folded keys in ascending order, for lookups of typed texts. */
  readonly keys: Dictionary;
  /** Display forms in the order of the keys: lower case with accents, without `<>"`. */
  readonly texts: TextTable;
  /** Number of documents that contain each phrase, or number of people who searched for it. */
  readonly weights: Uint32Array;
  /**
   * A binary tree that finds the heaviest phrase of a range. Node n has the children 2n and 2n + 1, and the leaves
   * start at node `weights.length`. Each node contains the ordinal of the heaviest phrase below it. The tree of three
   * phrases with the weights 5, 2 and 9:
   *
   *     node      1  2  3  4  5
   *     phrase    2  2  0  1  2
   */
  readonly weightTree: Uint32Array;
}

/** Maximum number of phrases per segment and language. The phrases with the lowest weights are dropped. */
const maxPhrases = 200_000;

/** Counts the phrases of documents. */
export interface PhraseCounter {
  /**
   * Counts the phrases of a text.
   * @param titleCountMode whether titles count only as a whole, or also in sequences of words
   * @param tokens tokens of a title
   * @param number number of the text (see `TextCounter`)
   */
  add(kind: Field["kind"], text: string, titleCountMode: "runs" | "whole", tokens?: TitleTokens, number?: number): void;
  finish(): Phrases;
}

/** @param locale language of the documents */
export function createPhraseCounter(locale: string): PhraseCounter {
  const counter = createTextCounter(locale);
  return {
    add(kind, text, titleCountMode, tokens, number) {
      if (kind === "title" && titleCountMode === "runs") counter.addTitle(text, tokens);
      else if (kind === "title" || kind === "phrase") counter.addFullText(text, number);
    },
    finish() {
      const weights: [string, number][] = [];
      counter.forEachPhrase(maxPhrases, (phrase, weight) => weights.push([phrase, weight]));
      return packPhrases(weights);
    },
  };
}

/**
 * Returns the display form of a text in completions: lower case with single spaces, without `<>"` and control
 * characters.
 */
export function toDisplayText(text: string): string {
  const displayableText = text
    .toWellFormed()
    .normalize("NFC")
    .replace(/[<>"\p{C}]/gu, " ");
  return toLowerCase(displayableText).replace(/\s+/g, " ").trim();
}

/** @param weights weights by unique phrase in display form (see `toDisplayText`) */
export function packPhrases(weights: Iterable<readonly [string, number]>): Phrases {
  let entries = [...weights];
  if (entries.length > maxPhrases) {
    entries.sort(([, a], [, b]) => b - a);
    entries = entries.slice(0, maxPhrases);
  }
  const sortedEntries = entries.map(([text, weight]) => ({ key: computePhraseKey(text), text, weight }));
  sortedEntries.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : b.weight - a.weight));
  const packedWeights = createSharedUint32(sortedEntries.length);
  sortedEntries.forEach((entry, index) => {
    packedWeights[index] = entry.weight;
  });
  return {
    keys: packDictionary(sortedEntries.map((entry) => entry.key)),
    texts: packTexts(sortedEntries.map((entry) => entry.text)),
    weights: packedWeights,
    weightTree: packWeightTree(packedWeights),
  };
}

function packWeightTree(weights: Uint32Array): Uint32Array {
  const count = weights.length;
  const tree = createSharedUint32(count * 2);
  for (let ordinal = 0; ordinal < count; ordinal += 1) tree[count + ordinal] = ordinal;
  for (let node = count - 1; node > 0; node -= 1)
    tree[node] = getHeavierPhrase(weights, tree[node * 2] as number, tree[node * 2 + 1] as number);
  return tree;
}

/** Returns the heavier of two phrases, or the earlier if their weights are equal. */
export function getHeavierPhrase(weights: Uint32Array, ordinal: number, otherOrdinal: number): number {
  const difference = (weights[ordinal] as number) - (weights[otherOrdinal] as number);
  return difference > 0 || (difference === 0 && ordinal <= otherOrdinal) ? ordinal : otherOrdinal;
}

/**
 * Returns the normal form of a text that a user typed or reads: words without case and accents, separated by single
 * spaces. Spellings that differ in case, accents, width and punctuation have the same form.
 * @param text text of which at most 256 code points are used
 * @example normalize("Crème-Brûlée!") === "creme brulee"
 */
export function normalizeText(text: string): string {
  return computePhraseKey(truncateQuery(text));
}

/** Returns the key of a phrase, equal for all its spellings: words without case and accents, with single spaces. */
export function computePhraseKey(text: string): string {
  if (isPlainText(text)) return text;
  const foldedText = foldText(text);
  return isPlainText(foldedText) ? foldedText : splitWords(foldedText).join(" ");
}

/**
 * Returns whether a text consists of words of a to z and digits with single spaces. Folding does not change such a
 * text.
 */
function isPlainText(text: string): boolean {
  return /^[a-z0-9]+( [a-z0-9]+)*$/.test(text);
}

function splitWords(foldedText: string): string[] {
  return foldedText.replace(/['’]/g, "").match(/[\p{L}\p{M}\p{N}\u30fc]+/gu) ?? [];
}

/** A typed text, split into words. */
export interface TypedText {
  /** The words without case and accents, separated by single spaces (see `computePhraseKey`). */
  readonly key: string;
  /** The words without case and accents; at least one. */
  readonly words: readonly string[];
  /** Returns the text before a word in display form: lower case with accents and punctuation. */
  getTextBefore(word: number): string;
}

/** Splits a typed text into words. Returns undefined if it has no words. */
export function parseTypedText(typedText: string): TypedText | undefined {
  const text = typedText.trim();
  const key = computePhraseKey(text);
  if (key === "") return undefined;
  const words = key.split(" ");
  /** Display form of the text, computed on first use. */
  let displayedWords: { readonly text: string; readonly starts: readonly number[] } | undefined;
  const splitDisplayText = (displayText: string) => ({ text: displayText, starts: findWordStarts(displayText) });
  return {
    key,
    words,
    getTextBefore(word) {
      if (word === 0) return "";
      if (text === key) return `${words.slice(0, word).join(" ")}${word < words.length ? " " : ""}`;
      displayedWords ??= splitDisplayText(toDisplayText(text));
      // Folding may split words ("½") or drop words. In this case, the folded words are displayed.
      if (displayedWords.starts.length !== words.length) displayedWords = splitDisplayText(key);
      return displayedWords.text.slice(0, displayedWords.starts[word]);
    },
  };
}

function findWordStarts(text: string): number[] {
  return Array.from(text.matchAll(/['’]*[\p{L}\p{M}\p{N}\u30fc][\p{L}\p{M}\p{N}\u30fc'’]*/gu), ({ index }) => index);
}
