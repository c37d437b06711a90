/**
 * Pattern of emoji, including flags and joined sequences. Symbols that are mostly used as bullets and arrows are
 * excluded.
 */
export const emojiPattern =
  /[\u{1f1e6}-\u{1f1ff}]{2}|[[\p{Emoji}&&[\u231a-\u23ff\u2600-\u27bf\u2b50\u2b55\u{1f000}-\u{1faff}]]--[✔✖☑♀♂➡]][\ufe0e\ufe0f\u{1f3fb}-\u{1f3ff}\u{e0020}-\u{e007f}]*(?:\u200d[\p{Emoji}--[0-9#*]][\ufe0e\ufe0f\u{1f3fb}-\u{1f3ff}]*)*/gv;

/** Returns the distinct emoji of a text, without skin tones and joiners. */
export function findEmoji(text: string): readonly string[] {
  if (!emojiUnitPattern.test(text)) return emptyEmojiList;
  const matches = text.toWellFormed().match(emojiPattern);
  return matches === null
    ? emptyEmojiList
    : [...new Set(matches.map((emoji) => emoji.replace(emojiModifierPattern, "")))];
}

/** Returns whether a word of a query is an emoji. */
export function isEmoji(word: string): boolean {
  return findEmoji(word).length > 0;
}

const emptyEmojiList: readonly string[] = Object.freeze([]);
/** Pattern of UTF-16 units that can be part of an emoji. */
const emojiUnitPattern = /[\u231a-\u2b55\ud83c-\ud83e]/;
/**
 * Pattern of joiners and skin tones, which a search ignores. A skin tone at the start does not match, because it is an
 * emoji itself.
 */
const emojiModifierPattern = /(?<!^)[\ufe0e\ufe0f\u200d\u{1f3fb}-\u{1f3ff}\u{e0020}-\u{e007f}]/gv;
