/**
 * Emoji of a text, including flags and joined sequences. Those that are mostly bullets and arrows count as punctuation.
 */
export const emojiIn =
  /[\u{1f1e6}-\u{1f1ff}]{2}|[[\p{Emoji}&&[\u231a-\u23ff\u2600-\u27bf\u2b50\u2b55\u{1f000}-\u{1faff}]]--[✔✖☑♀♂➡]][\ufe0e\ufe0f\u{1f3fb}-\u{1f3ff}\u{e0020}-\u{e007f}]*(?:\u200d[\p{Emoji}--[0-9#*]][\ufe0e\ufe0f\u{1f3fb}-\u{1f3ff}]*)*/gv;

/** Emoji of a text as terms, each once, without skin tone and joiners.  @returns an empty list for most texts */
export function emojiTerms(text: string): readonly string[] {
  if (!mayBeEmoji.test(text)) return none;
  const found = text.toWellFormed().match(emojiIn);
  return found === null ? none : [...new Set(found.map((emoji) => emoji.replace(joinersAndModifiers, "")))];
}

/** Returns whether a word of a query is an emoji. */
export function isEmoji(word: string): boolean {
  return emojiTerms(word).length > 0;
}

const none: readonly string[] = Object.freeze([]);
/** UTF-16 units that can be part of an emoji. */
const mayBeEmoji = /[\u231a-\u2b55\ud83c-\ud83e]/;
/** Characters that do not change the emoji; a skin tone alone is an emoji. */
const joinersAndModifiers = /(?<!^)[\ufe0e\ufe0f\u200d\u{1f3fb}-\u{1f3ff}\u{e0020}-\u{e007f}]/gv;
