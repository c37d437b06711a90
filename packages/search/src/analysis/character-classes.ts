import { buildCharacterTable } from "./character-table.ts";

/**
 * Character classes of the tokenizer. The order of the numbers matters. Characters from `point` to `joiner` join two
 * tokens, as in `t-shirt`. Characters from `gram` to `digit` are part of a word.
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
  /**
   * Pattern that matches one or more characters of the class. If several rules match a character, the first rule
   * applies.
   */
  readonly characters: RegExp;
  /** The characters as displayed in the documentation. */
  readonly characterExamples: string;
  /** Markdown text for the documentation: what the tokenizer does with these characters. */
  readonly effect: string;
  readonly effectNextToDigits: string;
}

/** Letters of scripts that are written without spaces between words. */
export const unspacedLetters =
  /[[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30fc]&&[\p{L}\p{M}\p{Nl}]]+/gv;

/** Tokenizer rules, one for each character class. `docs/explanation/search-engine.md` documents them. */
export const characterRules: readonly CharacterRule[] = [
  {
    name: "blank",
    characters: /\s+/g,
    characterExamples: "blanks, ™ ® © ℠",
    effect: "end a chunk",
    effectNextToDigits: "`1 1/2` is 1.5",
  },
  {
    name: "other",
    characters: /(?!)/g,
    characterExamples: "all others: `( ) ; : ! \\|` …",
    effect: "end a chunk and a phrase of the title",
    effectNextToDigits: "end a quantity",
  },
  {
    name: "comma",
    characters: /,/g,
    characterExamples: "`,`",
    effect: "ends a chunk and a phrase",
    effectNextToDigits: "between digits joins: `1,5` is 1.5, `1,000` is 1000",
  },
  {
    name: "inchMark",
    characters: /["”]/g,
    characterExamples: "`\"` `”` `″` `''` `′′`",
    effect: "end a chunk and a phrase",
    effectNextToDigits: "after a number: the token `inch`",
  },
  {
    name: "prime",
    characters: /′/g,
    characterExamples: "`′`",
    effect: "ends a chunk and a phrase",
    effectNextToDigits: "after a number: the token `ft`",
  },
  {
    name: "times",
    characters: /[×*]/g,
    characterExamples: "`×` `*`",
    effect: "end a chunk and a phrase",
    effectNextToDigits: "between numbers: a dimension, as `x` does",
  },
  {
    name: "hash",
    characters: /#/g,
    characterExamples: "`#`",
    effect: "ends a chunk and a phrase",
    effectNextToDigits: "`#8` is `No. 8`",
  },
  {
    name: "degree",
    characters: /°/g,
    characterExamples: "`°`",
    effect: "ends a chunk and a phrase",
    effectNextToDigits: "after a number: degrees",
  },
  {
    name: "percent",
    characters: /%/g,
    characterExamples: "`%`",
    effect: "ends a chunk and a phrase",
    effectNextToDigits: "after a number: percent",
  },
  {
    name: "point",
    characters: /\./g,
    characterExamples: "`.`",
    effect: "joins the tokens of a chunk",
    effectNextToDigits: "`1.5` and `.5` are numbers, `1.000` is 1000 too",
  },
  {
    name: "hyphen",
    characters: /[-‐‒–]/g,
    characterExamples: "`-` `‐` `‒` `–`",
    effect: "join",
    effectNextToDigits: "`10-12` is a range, `1-1/2` is 1.5, `18-volt` is 18 V",
  },
  {
    name: "slash",
    characters: /[/⁄∕]/g,
    characterExamples: "`/` `⁄` `∕`",
    effect: "join",
    effectNextToDigits: "`5/8` is 0.625, and so is `⅝`",
  },
  {
    name: "apostrophe",
    characters: /['’]/g,
    characterExamples: "`'` `’`",
    effect: "join; silent before a last s or t (`men's`)",
    effectNextToDigits: "after a number: the token `ft`; `1'000` is 1000",
  },
  {
    name: "joiner",
    characters: /[_&+]/g,
    characterExamples: "`_` `&` `+`",
    effect: "join; alone, they do not end a phrase",
    effectNextToDigits: "join",
  },
  {
    name: "gram",
    characters: unspacedLetters,
    characterExamples: "Chinese, Japanese, Korean, Thai, Lao, Khmer, Burmese",
    effect: "a token for each pair of neighbors",
    effectNextToDigits: "-",
  },
  {
    name: "letter",
    characters: /[\p{L}\p{M}]+/gu,
    characterExamples: "other letters and marks",
    effect: "make tokens",
    effectNextToDigits: "`5l` is one token, and 5 liters",
  },
  {
    name: "digit",
    characters: /\p{N}+/gu,
    characterExamples: "digits",
    effect: "make tokens",
    effectNextToDigits: "-",
  },
];

/** Character class of each UTF-16 code unit. Surrogates have the class `gram`, although most of them are in no gram. */
export const characterClasses = buildCharacterTable(
  characterRules.map(({ name, characters }) => [characters, characterClass[name]] as const),
  characterClass.other,
).fill(characterClass.gram, 0xd800, 0xe000);

/** Bits that record which kinds of characters occur between two tokens. */
export const delimiters = {
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
  /** Set if the last character before the next token is a point. */
  pointLast: 1 << 11,
} as const;

/** Maps the character classes that can occur between two tokens to the bits of `delimiters`. */
const bitsByClass: ArrayLike<number> = Uint16Array.from({ length: characterClass.gram }, (_, number) => {
  const name = characterRules.find((rule) => characterClass[rule.name] === number)?.name;
  if (name === "point") return delimiters.point | delimiters.pointLast;
  return name !== undefined && name in delimiters ? delimiters[name as keyof typeof delimiters] : delimiters.other;
});

/**
 * Adds a character to a gap. A gap is a bit set that records the kinds of characters between two tokens.
 * @param character class of the character
 */
export function addToSeparatorSet(separatorKinds: number, character: number): number {
  return (separatorKinds & ~delimiters.pointLast) | (bitsByClass[character] as number);
}

/** Returns whether a separator may be inside a number, as in "1.5" and "1'000". */
export function isDigitSeparator(separatorKinds: number): boolean {
  return (
    separatorKinds === (delimiters.point | delimiters.pointLast) ||
    separatorKinds === delimiters.comma ||
    separatorKinds === delimiters.apostrophe
  );
}

export function isBlank(separatorKinds: number): boolean {
  return separatorKinds === delimiters.blank;
}

export function isSlash(separatorKinds: number): boolean {
  return separatorKinds === delimiters.slash;
}

export function isHyphen(separatorKinds: number): boolean {
  return separatorKinds === delimiters.hyphen;
}

/** Returns whether a separator may precede a fraction, as in "1 1/2" and "1-1/2". */
export function isFractionSeparator(separatorKinds: number): boolean {
  return separatorKinds === delimiters.blank || separatorKinds === delimiters.hyphen;
}
