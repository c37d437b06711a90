import { characterTable } from "./character-table.ts";

/**
 * Effect of a character in a folded text. The order matters: classes from `point` on join, classes from `gram` on are
 * parts of words.
 */
export const characterClass = {
  blank: 1,
  other: 2,
  comma: 3,
  inchMark: 4,
  prime: 5,
  times: 6,
  hash: 7,
  degree: 8,
  percent: 9,
  point: 10,
  hyphen: 11,
  slash: 12,
  apostrophe: 13,
  joiner: 14,
  gram: 15,
  letter: 16,
  digit: 17,
} as const;
type ClassName = keyof typeof characterClass;

interface CharacterRule {
  readonly name: ClassName;
  /** Runs of the characters; if two rules match a character, the first applies. */
  readonly characters: RegExp;
  /** Characters as displayed in documents. */
  readonly shown: string;
  /** Their effect in a text, and their meaning next to digits. */
  readonly does: string;
  readonly nextToDigits: string;
}

/** Letters of scripts that write without spaces between words. */
export const unspaced =
  /[[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30fc]&&[\p{L}\p{M}\p{Nl}]]+/gv;

/** Rules for tokenizing; `docs/explanation/search-engine.md` shows them, in the order of `characterClass`. */
export const characterRules: readonly CharacterRule[] = [
  {
    name: "blank",
    characters: /\s+/g,
    shown: "blanks, ™ ® © ℠",
    does: "end a chunk",
    nextToDigits: "`1 1/2` is 1.5",
  },
  {
    name: "other",
    characters: /(?!)/g,
    shown: "all others: `( ) ; : ! \\|` …",
    does: "end a chunk and a phrase of the title",
    nextToDigits: "end a quantity",
  },
  {
    name: "comma",
    characters: /,/g,
    shown: "`,`",
    does: "ends a chunk and a phrase",
    nextToDigits: "between digits joins: `1,5` is 1.5, `1,000` is 1000",
  },
  {
    name: "inchMark",
    characters: /["”]/g,
    shown: "`\"` `”` `″` `''` `′′`",
    does: "end a chunk and a phrase",
    nextToDigits: "after a number: the token `inch`",
  },
  {
    name: "prime",
    characters: /′/g,
    shown: "`′`",
    does: "ends a chunk and a phrase",
    nextToDigits: "after a number: the token `ft`",
  },
  {
    name: "times",
    characters: /[×*]/g,
    shown: "`×` `*`",
    does: "end a chunk and a phrase",
    nextToDigits: "between numbers: a dimension, as `x` does",
  },
  {
    name: "hash",
    characters: /#/g,
    shown: "`#`",
    does: "ends a chunk and a phrase",
    nextToDigits: "`#8` is `No. 8`",
  },
  {
    name: "degree",
    characters: /°/g,
    shown: "`°`",
    does: "ends a chunk and a phrase",
    nextToDigits: "after a number: degrees",
  },
  {
    name: "percent",
    characters: /%/g,
    shown: "`%`",
    does: "ends a chunk and a phrase",
    nextToDigits: "after a number: percent",
  },
  {
    name: "point",
    characters: /\./g,
    shown: "`.`",
    does: "joins the tokens of a chunk",
    nextToDigits: "`1.5` and `.5` are numbers, `1.000` is 1000 too",
  },
  {
    name: "hyphen",
    characters: /[-‐‒–]/g,
    shown: "`-` `‐` `‒` `–`",
    does: "join",
    nextToDigits: "`10-12` is a range, `1-1/2` is 1.5, `18-volt` is 18 V",
  },
  {
    name: "slash",
    characters: /[/⁄∕]/g,
    shown: "`/` `⁄` `∕`",
    does: "join",
    nextToDigits: "`5/8` is 0.625, and so is `⅝`",
  },
  {
    name: "apostrophe",
    characters: /['’]/g,
    shown: "`'` `’`",
    does: "join; silent before a last s or t (`men's`)",
    nextToDigits: "after a number: the token `ft`; `1'000` is 1000",
  },
  { name: "joiner", characters: /[_&+]/g, shown: "`_` `&` `+`", does: "join", nextToDigits: "join" },
  {
    name: "gram",
    characters: unspaced,
    shown: "Chinese, Japanese, Korean, Thai, Lao, Khmer, Burmese",
    does: "a token for each pair of neighbours",
    nextToDigits: "-",
  },
  {
    name: "letter",
    characters: /[\p{L}\p{M}]+/gu,
    shown: "other letters and marks",
    does: "make tokens",
    nextToDigits: "`5l` is one token, and 5 litres",
  },
  { name: "digit", characters: /\p{N}+/gu, shown: "digits", does: "make tokens", nextToDigits: "-" },
];

/** Class of each UTF-16 unit of a folded text. */
export const characterClasses = characterTable(
  characterRules.map(({ name, characters }) => [characters, characterClass[name]] as const),
  characterClass.other,
);

/** Characters between two tokens as bits, one for each class that occurs. */
export const gapBits = {
  blank: 1 << 0,
  other: 1 << 1,
  comma: 1 << 2,
  times: 1 << 3,
  hash: 1 << 4,
  degree: 1 << 5,
  percent: 1 << 6,
  point: 1 << 7,
  hyphen: 1 << 8,
  slash: 1 << 9,
  apostrophe: 1 << 10,
  /** The last character is a point. */
  pointLast: 1 << 11,
} as const;

/** Bits of a class of characters. */
const gapOfClass: ArrayLike<number> = Uint16Array.from({ length: characterClass.gram }, (_, number) => {
  const name = characterRules.find((rule) => characterClass[rule.name] === number)?.name;
  if (name === "point") return gapBits.point | gapBits.pointLast;
  return name !== undefined && name in gapBits ? gapBits[name as keyof typeof gapBits] : gapBits.other;
});

/** A gap with one more character at its end. */
export function gapWith(gap: number, character: number): number {
  return (gap & ~gapBits.pointLast) | (gapOfClass[character] as number);
}
