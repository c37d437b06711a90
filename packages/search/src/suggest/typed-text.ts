import { phraseKey, presentable } from "./phrases.ts";

/** Typed text, split into words. */
export interface TypedText {
  /** Its folded words, one blank between; see `phraseKey`. */
  readonly key: string;
  /** The same, apart; one at least. */
  readonly words: readonly string[];
  /** Text before a word in display form: with accents and punctuation, in lower case. */
  before(word: number): string;
}

/** @returns undefined if a text has no words */
export function typedText(typed: string): TypedText | undefined {
  const text = typed.trim();
  const key = phraseKey(text);
  if (key === "") return undefined;
  const words = key.split(" ");
  /** Computed on first use. */
  let shown: { readonly text: string; readonly starts: readonly number[] } | undefined;
  const show = (some: string) => ({ text: some, starts: startsOf(some) });
  return {
    key,
    words,
    before(word) {
      if (word === 0) return "";
      if (text === key) return `${words.slice(0, word).join(" ")}${word < words.length ? " " : ""}`;
      shown ??= show(presentable(text));
      // Folding may part words (of "½") or drop some: then they are shown as they are compared.
      if (shown.starts.length !== words.length) shown = show(key);
      return shown.text.slice(0, shown.starts[word]);
    },
  };
}

function startsOf(text: string): number[] {
  return Array.from(text.matchAll(/['’]*[\p{L}\p{M}\p{N}\u30fc][\p{L}\p{M}\p{N}\u30fc'’]*/gu), ({ index }) => index);
}
