import { characterTable } from "./character-table.ts";

/** The smallest unit of a text that is indexed: a word, or a gram. `text` is folded (see `fold`); a gram is a pair of neighbouring
 *  characters, or a single one, of a script that writes without spaces. */
export interface Token {
  readonly text: string;
  readonly isGram: boolean;
  /** A comma, bracket, dash or the like stands before it; on the first token of a chunk. */
  readonly isAfterBreak?: boolean;
}

/** A run of characters between two blanks or other separators, as its tokens: `NOR.0707-60` is ["nor", "0707", "60"]. */
export type Chunk = readonly Token[];

/** UTF-16 units of the longest term; longer words are truncated. */
export const maxTermLength = 60;
/** Code points of a query that are looked at. */
export const maxQueryLength = 256;
/** Tokens of a chunk up to which it is also indexed as one term: `t-shirt` as `tshirt`. */
export const maxJoinedTokens = 6;

/** Folds a text: spellings that differ in case, accents, width, ligatures, invisible characters or kind of kana become one.
 *  hiragana. Never throws, whatever the text. */
export function fold(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text.toLowerCase();
  const plain = text
    .toWellFormed()
    .replace(/[™®©℠]/g, " ")
    .normalize("NFKD")
    .toLowerCase()
    .replace(marksAndInvisible, "")
    .replace(/[ßæœøłđðþıς]/g, (letter) => letters.get(letter) ?? letter)
    .normalize("NFC");
  return plain.replace(/[\u30a1-\u30f6]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) - 0x60));
}

// Accents of Latin, Greek and Cyrillic, vowel points of Hebrew and Arabic, tatweel, soft hyphen, zero-width and direction marks.
// Marks of other scripts (Thai vowels, Japanese voicing) tell words apart and stay.
const marksAndInvisible =
  /[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf-\u05c7\u0640\u064b-\u065f\u0670\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]|[\ufe0e\ufe0f]/g;

const letters: ReadonlyMap<string, string> = new Map([
  ["ß", "ss"],
  ["æ", "ae"],
  ["œ", "oe"],
  ["ø", "o"],
  ["ł", "l"],
  ["đ", "d"],
  ["ð", "d"],
  ["þ", "th"],
  ["ı", "i"],
  ["ς", "σ"],
]);

/** The first `maxQueryLength` code points of a query. */
export function cutQuery(text: string): string {
  if (text.length <= maxQueryLength) return text;
  // A code point has at most two units.
  return Array.from(text.slice(0, maxQueryLength * 2))
    .slice(0, maxQueryLength)
    .join("");
}

/** Cuts a text into chunks and these into tokens. A run of Chinese, Japanese, Korean or Thai is one chunk: a gram for each pair of neighbours,
 *  and the last character alone, so that a search for one character is a prefix search.
 *  @param forQuery leaves out the last character alone where there are pairs */
export function chunks(text: string, forQuery = false): Chunk[] {
  const folded = fold(text);
  const result: Chunk[] = [];
  let chunk: Token[] = [];
  let word = "";
  let run: string[] = [];
  let isBreak = false;
  const endWord = () => {
    if (word !== "")
      chunk.push({
        text: word.slice(0, maxTermLength),
        isGram: false,
        ...(isBreak && chunk.length === 0 && { isAfterBreak: true }),
      });
    if (word !== "") isBreak = false;
    word = "";
  };
  const endRun = () => {
    if (run.length > 0) result.push(grams(run, forQuery));
    if (run.length > 0) isBreak = false;
    run = [];
  };
  const endChunk = () => {
    endWord();
    if (chunk.length > 0) result.push(chunk);
    chunk = [];
    endRun();
  };
  let start = -1;
  for (let index = 0; index < folded.length; index += 1) {
    const unit = folded.charCodeAt(index);
    const kind = kindOf(unit, folded, index);
    if (kind === wordCharacter) {
      if (run.length > 0) endRun();
      if (start < 0) start = index;
      continue;
    }
    const before = folded.charCodeAt(index - 1);
    const after = folded.charCodeAt(index + 1);
    if (start >= 0) {
      word += folded.slice(start, index);
      start = -1;
    }
    if (kind === gramCharacter) {
      if (word !== "" || chunk.length > 0) endChunk();
      if (unit >= 0xd800 && unit < 0xdc00) {
        run.push(folded.slice(index, index + 2));
        index += 1;
      } else run.push(folded[index] as string);
    } else if (kind === joiner || isDecimalComma(before, unit, after)) {
      endRun();
      if (!isSilentApostrophe(unit, after, folded.charCodeAt(index + 2))) endWord();
      if (word === "" && chunk.length === 0) isBreak = true;
    } else {
      endChunk();
      if (isInchMark(before, unit, after)) result.push([{ text: "inch", isGram: false }]);
      else if (!/\s/.test(folded[index] as string)) isBreak = true;
    }
  }
  if (start >= 0) word += folded.slice(start);
  endChunk();
  return result;
}

/** The terms by which a chunk of several tokens is indexed as one: all its tokens (`tshirt`); where it has a digit, also from each token to
 *  the end (`070760`).  @returns terms with the index of the token they begin at */
export function joinedForms(chunk: Chunk): { readonly text: string; readonly at: number }[] {
  if (chunk.length < 2 || chunk.length > maxJoinedTokens || chunk[0]?.isGram) return [];
  const texts = chunk.map((token) => token.text);
  const forms = [{ text: texts.join("").slice(0, maxTermLength), at: 0 }];
  if (!texts.some(hasDigit)) return forms;
  for (let at = 1; at < texts.length - 1; at += 1)
    forms.push({ text: texts.slice(at).join("").slice(0, maxTermLength), at });
  return forms;
}

export function hasDigit(text: string): boolean {
  return /\p{N}/u.test(text);
}

function grams(run: readonly string[], forQuery: boolean): Chunk {
  const tokens: Token[] = [];
  for (let index = 0; index + 1 < run.length; index += 1)
    tokens.push({ text: `${run[index]}${run[index + 1]}`, isGram: true });
  if (!forQuery || run.length === 1) tokens.push({ text: run.at(-1) as string, isGram: true });
  return tokens;
}

const space = 1;
export const joiner = 2;
export const wordCharacter = 3;
const gramCharacter = 4;

/** Letters of scripts that write without spaces between words. */
const unspaced =
  /[[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30fc]&&[\p{L}\p{M}\p{Nl}]]+/gv;

/** What each UTF-16 unit is in a folded text. */
export const unitKinds = characterTable(
  [
    [/[-'’‐‒–._/&+]/g, joiner],
    [unspaced, gramCharacter],
    [/[\p{L}\p{N}\p{M}]+/gu, wordCharacter],
  ],
  space,
);

function kindOf(unit: number, text: string, index: number): number {
  if (unit < 0xd800 || unit >= 0xe000) return unitKinds[unit] as number;
  // Letters outside the basic plane are rare, emoji are not: both end a word there.
  const character = String.fromCodePoint(text.codePointAt(index) ?? 0);
  return character.length === 2 && character.search(unspaced) === 0 ? gramCharacter : space;
}

/** Whether a comma is part of a number ("1,5 l", "1,000") and not a separator. Arguments are units of a folded text; beyond its ends:
 *  anything but a digit. */
export function isDecimalComma(before: number, unit: number, after: number): boolean {
  return unit === 44 && isDigit(before) && isDigit(after);
}

/** Whether a mark stands for "inch" (`27"`). Arguments as above. */
export function isInchMark(before: number, unit: number, after: number): boolean {
  // Folding turns a double prime into two primes.
  if (unit !== 34 && unit !== 0x201d && !(unit === 0x2032 && after === 0x2032)) return false;
  return isDigit(before) && !isDigit(after);
}

/** Whether the letter after an apostrophe belongs to the word before it (`men's`, `don't`). Arguments as above. */
export function isSilentApostrophe(unit: number, after: number, behind: number): boolean {
  if (unit !== 39 && unit !== 0x2019) return false;
  return (after === 115 || after === 116) && !isLetterOrNumber(behind);
}

/** @param unit of a folded text */
export function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}

function isLetterOrNumber(unit: number): boolean {
  return unit >= 0 && /[\p{L}\p{N}]/u.test(String.fromCharCode(unit));
}
