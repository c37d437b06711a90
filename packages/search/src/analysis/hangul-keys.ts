// Conversion between Korean text and the keys of the standard Korean keyboard (Dubeolsik). Consonants and vowels are
// typed one by one and composed to syllables, so the keys of "rain" type "ㄱ먀ㅜ".

/** Latin letters on the keys of the initial consonants, in Unicode order. */
const initialKeys = "r R s e E f a q Q t T d w W c z x v g".split(" ");
const vowelKeys = "k o i O j p u P h hk ho hl y n nj np nl b m ml l".split(" ");
const finalKeys = " r R rt s sw sg e f fr fa fq ft fx fv fg a q qt t T d w c z x v g".split(" ");
/** Latin letters on the keys of the single Hangul letters from ㄱ to ㅣ, in Unicode order. */
const letterKeys = "r R rt s sw sg e E f fr fa fq ft fx fv fg a q Q qt t T d w W c z x v g"
  .split(" ")
  .concat(vowelKeys);

const firstInitial = 0x1100;
const firstSyllable = 0xac00;
/** Number of Unicode syllables with the same initial consonant. */
const syllablesPerInitial = vowelKeys.length * finalKeys.length;
const lastSyllable = 0xd7a3;
const firstLetter = 0x3131;

/** A range of texts from `from` to `to` (exclusive), ordered by UTF-16 units. */
export interface TextRange {
  readonly from: string;
  readonly to: string;
}

/**
 * Returns the texts that an incomplete text may become while its last syllable is typed. "자케" may become "자켓". "자ㅋ" and
 * "잨" may become "자케", because a final consonant moves to the next syllable if a vowel follows.
 * @param text folded text
 * @returns an empty list if the text does not end in Hangul
 */
export function listHangulCompletions(text: string): readonly TextRange[] {
  const unit = text.charCodeAt(text.length - 1);
  const previousText = text.slice(0, -1);
  const rangeOfInitial = (initial: number, prefix: string): TextRange => ({
    from: prefix + String.fromCharCode(firstSyllable + initial * syllablesPerInitial),
    to: prefix + String.fromCharCode(firstSyllable + (initial + 1) * syllablesPerInitial),
  });
  if (unit >= firstInitial && unit < firstInitial + initialKeys.length)
    return [rangeOfInitial(unit - firstInitial, previousText)];
  if (unit < firstSyllable || unit > lastSyllable) return [];
  const final = (unit - firstSyllable) % finalKeys.length;
  if (final === 0) return [{ from: text, to: previousText + String.fromCharCode(unit + finalKeys.length) }];
  const keys = finalKeys[final] as string;
  const withoutFinal = previousText + String.fromCharCode(unit - final + finalKeys.indexOf(keys.slice(0, -1)));
  // A gram has at most two syllables. A third syllable belongs to the next gram.
  if (previousText !== "") return [{ from: withoutFinal, to: `${withoutFinal}\0` }];
  const initial = initialKeys.indexOf(keys.slice(-1));
  return initial < 0 ? [] : [rangeOfInitial(initial, withoutFinal)];
}

/** Returns the Latin letters on the keys that type a Korean text, in lower case. */
export function typeHangul(text: string): string {
  return Array.from(text, keysOfCharacter).join("").toLowerCase();
}

function keysOfCharacter(character: string): string {
  const unit = character.charCodeAt(0);
  if (unit < firstSyllable || unit > lastSyllable) return letterKeys[unit - firstLetter] ?? character;
  const syllable = unit - firstSyllable;
  const initial = initialKeys[Math.floor(syllable / (vowelKeys.length * finalKeys.length))];
  const vowel = vowelKeys[Math.floor(syllable / finalKeys.length) % vowelKeys.length];
  return `${initial}${vowel}${finalKeys[syllable % finalKeys.length]}`;
}

/**
 * Converts Latin keys to Korean syllables. A syllable has an initial consonant, a vowel and an optional final
 * consonant. A consonant before a vowel starts the next syllable.
 */
export function composeHangul(typedKeys: string): string {
  // Shift changes only some keys. For the other keys, upper case means the same as lower case.
  const keys = typedKeys.replace(/[A-Z]/g, (key) => (letterKeys.includes(key) ? key : key.toLowerCase()));
  return keys
    .replace(syllablePattern, (_, initial: string, vowel: string, final = "") => {
      const syllableIndex =
        (initialKeys.indexOf(initial) * vowelKeys.length + vowelKeys.indexOf(vowel)) * finalKeys.length;
      return String.fromCharCode(firstSyllable + syllableIndex + finalKeys.indexOf(final));
    })
    .replace(/[a-zEOPQRTW]/g, (key) => String.fromCharCode(firstLetter + letterKeys.indexOf(key)));
}

const syllablePattern =
  /([rRseEfaqQtTdwWczxvg])(h[kol]|n[jpl]|ml|[koiOjpuPhynbml])((?:rt|s[wg]|f[raqtxvg]|qt|[rRsefaqtTdwczxvg])(?![koiOjpuPhynbml]))?/g;
