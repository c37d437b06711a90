import type { Random } from "../../../../bench/random.ts";

export const editKinds = ["swap", "leave out", "double", "insert", "replace"] as const;
export type EditKind = (typeof editKinds)[number];

/** Minimum length of a misspelled word. For shorter words, too many other words are one edit away. */
export const shortestEdited = 4;

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
  return word.length >= shortestEdited && /^\p{L}+$/u.test(word);
}

/** Returns a word with one typing mistake. The result always differs from the word. */
export function edit(word: string, kind: EditKind, random: Random): string {
  for (let tries = 0; tries < 20; tries += 1) {
    const made = editOnce(word, kind, random);
    if (made !== word) return made;
  }
  return editOnce(word, "leave out", random);
}

function editOnce(word: string, kind: EditKind, random: Random): string {
  const at = random.below(word.length);
  const letter = random.pick([..."abcdefghijklmnopqrstuvwxyz"]);
  switch (kind) {
    case "swap": {
      const first = random.below(word.length - 1);
      return word.slice(0, first) + word[first + 1] + word[first] + word.slice(first + 2);
    }
    case "leave out":
      return word.slice(0, at) + word.slice(at + 1);
    case "double":
      return word.slice(0, at + 1) + word.slice(at);
    case "insert":
      return word.slice(0, at) + letter + word.slice(at);
    case "replace":
      return word.slice(0, at) + letter + word.slice(at + 1);
  }
}
