import type { Random } from "../../../../bench/random.ts";

export const editKinds = ["swap", "leave out", "double", "insert", "replace"] as const;
export type EditKind = (typeof editKinds)[number];

/** Minimum length of a misspelled word. For shorter words, too many other words are one edit away. */
const minEditLength = 4;

/** Returns the words of a text, folded and without punctuation. */
export function wordsOf(text: string): string[] {
  return (
    text
      .normalize("NFKD")
      .replace(/\p{M}/gu, "")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** Returns whether a word is long enough to be misspelled and has only letters, because numbers are not corrected. */
export function canEdit(word: string): boolean {
  return word.length >= minEditLength && /^\p{L}+$/u.test(word);
}

/** Returns a word with one typing mistake. The result always differs from the word. */
export function edit(word: string, kind: EditKind, random: Random): string {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const editedWord = applyEdit(word, kind, random);
    if (editedWord !== word) return editedWord;
  }
  return applyEdit(word, "leave out", random);
}

function applyEdit(word: string, kind: EditKind, random: Random): string {
  const index = random.below(word.length);
  const letter = random.pick([..."abcdefghijklmnopqrstuvwxyz"]);
  switch (kind) {
    case "swap": {
      const firstIndex = random.below(word.length - 1);
      return word.slice(0, firstIndex) + word[firstIndex + 1] + word[firstIndex] + word.slice(firstIndex + 2);
    }
    case "leave out":
      return word.slice(0, index) + word.slice(index + 1);
    case "double":
      return word.slice(0, index + 1) + word.slice(index);
    case "insert":
      return word.slice(0, index) + letter + word.slice(index);
    case "replace":
      return word.slice(0, index) + letter + word.slice(index + 1);
  }
}
