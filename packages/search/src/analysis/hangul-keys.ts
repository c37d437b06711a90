// Conversion between Korean text and the keys of the standard Korean keyboard (Dubeolsik). Consonants and vowels are
// typed one by one and composed to syllables, so the keys of "rain" type "ㄱ먀ㅜ".

/** Latin letters on the keys of the initial consonants, in Unicode order. */
const initialConsonantKeys = "r R s e E f a q Q t T d w W c z x v g".split(" ");
const vowelKeys = "k o i O j p u P h hk ho hl y n nj np nl b m ml l".split(" ");
const finalConsonantKeys = " r R rt s sw sg e f fr fa fq ft fx fv fg a q qt t T d w c z x v g".split(" ");
/** Latin letters on the keys of the single Hangul letters from ㄱ to ㅣ, in Unicode order. */
const letterKeys = "r R rt s sw sg e E f fr fa fq ft fx fv fg a q Q qt t T d w W c z x v g"
  .split(" ")
  .concat(vowelKeys);

const firstInitialCode = 0x1100;
const firstSyllableCode = 0xac00;
/** Number of Unicode syllables with the same initial consonant. */
const syllablesPerInitial = vowelKeys.length * finalConsonantKeys.length;
const lastSyllableCode = 0xd7a3;
const firstLetterCode = 0x3131;

/** A range of texts from `from` to `to` (exclusive), ordered by UTF-16 units. */
export interface TextRange {
  readonly from: string;
  readonly to: string;
}

/**
 * Returns the texts that an incomplete text may become while its last syllable is typed. "자케" may become "자켓". "자ㅋ" and
 * "잨" may become "자케", because a final consonant moves to the next syllable if a vowel follows.
 * @param text text without case and accents
 * @returns an empty list if the text does not end in Hangul
 */
export function listHangulCompletions(text: string): readonly TextRange[] {
  const unit = text.charCodeAt(text.length - 1);
  const previousText = text.slice(0, -1);
  const getSyllableRange = (initialIndex: number, prefix: string): TextRange => ({
    from: prefix + String.fromCharCode(firstSyllableCode + initialIndex * syllablesPerInitial),
    to: prefix + String.fromCharCode(firstSyllableCode + (initialIndex + 1) * syllablesPerInitial),
  });
  if (unit >= firstInitialCode && unit < firstInitialCode + initialConsonantKeys.length)
    return [getSyllableRange(unit - firstInitialCode, previousText)];
  if (unit < firstSyllableCode || unit > lastSyllableCode) return [];
  const finalIndex = (unit - firstSyllableCode) % finalConsonantKeys.length;
  if (finalIndex === 0)
    return [{ from: text, to: previousText + String.fromCharCode(unit + finalConsonantKeys.length) }];
  const keys = finalConsonantKeys[finalIndex] as string;
  const textWithoutFinalConsonant =
    previousText + String.fromCharCode(unit - finalIndex + finalConsonantKeys.indexOf(keys.slice(0, -1)));
  // A gram has at most two syllables. A third syllable belongs to the next gram.
  if (previousText !== "") return [{ from: textWithoutFinalConsonant, to: `${textWithoutFinalConsonant}\0` }];
  const initialIndex = initialConsonantKeys.indexOf(keys.slice(-1));
  return initialIndex < 0 ? [] : [getSyllableRange(initialIndex, textWithoutFinalConsonant)];
}

/** Returns the Korean syllables that differ from a syllable by a vowel that sounds alike: 헤 for 해. */
export function listSimilarSyllables(character: string): readonly string[] {
  const code = character.charCodeAt(0);
  if (code < firstSyllableCode || code > lastSyllableCode) return [];
  const vowel = Math.floor((code - firstSyllableCode) / finalConsonantKeys.length) % vowelKeys.length;
  const group = similarVowels.find((vowels) => vowels.includes(vowel)) ?? [];
  return group
    .filter((otherVowel) => otherVowel !== vowel)
    .map((otherVowel) => String.fromCharCode(code + (otherVowel - vowel) * finalConsonantKeys.length));
}

/** Indices of the vowels ㅐ and ㅔ, ㅒ and ㅖ, ㅙ, ㅚ and ㅞ, and ㅜ and ㅡ. */
const similarVowels: readonly (readonly number[])[] = [
  [1, 5],
  [3, 7],
  [10, 11, 15],
  [13, 18],
];

/** Returns the Latin letters on the keys that type a Korean text, in lower case. */
export function convertHangulToKeys(text: string): string {
  return Array.from(text, getKeystrokes).join("").toLowerCase();
}

function getKeystrokes(character: string): string {
  const unit = character.charCodeAt(0);
  if (unit < firstSyllableCode || unit > lastSyllableCode) return letterKeys[unit - firstLetterCode] ?? character;
  const syllable = unit - firstSyllableCode;
  const initialConsonantKey =
    initialConsonantKeys[Math.floor(syllable / (vowelKeys.length * finalConsonantKeys.length))];
  const vowelKey = vowelKeys[Math.floor(syllable / finalConsonantKeys.length) % vowelKeys.length];
  return `${initialConsonantKey}${vowelKey}${finalConsonantKeys[syllable % finalConsonantKeys.length]}`;
}

/**
 * Converts Latin keys to Korean syllables. A syllable has an initial consonant, a vowel and an optional final
 * consonant. A consonant before a vowel starts the next syllable.
 */
export function composeHangul(typedKeys: string): string {
  // Shift changes only some keys. For the other keys, upper case means the same as lower case.
  const keys = typedKeys.replace(/[A-Z]/g, (key) => (letterKeys.includes(key) ? key : key.toLowerCase()));
  return keys
    .replace(syllablePattern, (_, initialKey: string, vowel: string, lastKeys = "") => {
      const syllableIndex =
        (initialConsonantKeys.indexOf(initialKey) * vowelKeys.length + vowelKeys.indexOf(vowel)) *
        finalConsonantKeys.length;
      return String.fromCharCode(firstSyllableCode + syllableIndex + finalConsonantKeys.indexOf(lastKeys));
    })
    .replace(/[a-zEOPQRTW]/g, (key) => String.fromCharCode(firstLetterCode + letterKeys.indexOf(key)));
}

const syllablePattern =
  /([rRseEfaqQtTdwWczxvg])(h[kol]|n[jpl]|ml|[koiOjpuPhynbml])((?:rt|s[wg]|f[raqtxvg]|qt|[rRsefaqtTdwczxvg])(?![koiOjpuPhynbml]))?/g;
