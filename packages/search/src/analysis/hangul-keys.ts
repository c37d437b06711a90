// The Korean keyboard in two sets: consonants to the left, vowels to the right. Syllables are made while one types, so "rain" is "ㄱ먀ㅜ".

/** Keys of the letters with which a syllable begins, of those in its middle and of those with which it ends, in the order of Unicode. */
const initials = "r R s e E f a q Q t T d w W c z x v g".split(" ");
const vowels = "k o i O j p u P h hk ho hl y n nj np nl b m ml l".split(" ");
const finals = " r R rt s sw sg e f fr fa fq ft fx fv fg a q qt t T d w c z x v g".split(" ");
/** The letters from ㄱ to ㅣ as separate characters. */
const letters = "r R rt s sw sg e E f fr fa fq ft fx fv fg a q Q qt t T d w W c z x v g".split(" ").concat(vowels);

const firstInitial = 0x1100;
const firstSyllable = 0xac00;
/** Number of syllables with the same initial. */
const ofInitial = vowels.length * finals.length;
const lastSyllable = 0xd7a3;
const firstLetter = 0x3131;

/** Texts from one up to another (exclusive), by UTF-16 units. */
export interface TextRange {
  readonly from: string;
  readonly to: string;
}

/**
 * Completions of the last syllable of a text during typing: "자케" may become "자켓"; "자ㅋ" and "잨" may become "자케", since a
 * final consonant starts the next syllable if a vowel follows.
 * @param text folded
 * @returns an empty list if it does not end in Hangul
 */
export function unfinishedHangul(text: string): readonly TextRange[] {
  const unit = text.charCodeAt(text.length - 1);
  const before = text.slice(0, -1);
  const beginningWith = (initial: number, behind: string): TextRange => ({
    from: behind + String.fromCharCode(firstSyllable + initial * ofInitial),
    to: behind + String.fromCharCode(firstSyllable + (initial + 1) * ofInitial),
  });
  if (unit >= firstInitial && unit < firstInitial + initials.length)
    return [beginningWith(unit - firstInitial, before)];
  if (unit < firstSyllable || unit > lastSyllable) return [];
  const final = (unit - firstSyllable) % finals.length;
  if (final === 0) return [{ from: text, to: before + String.fromCharCode(unit + finals.length) }];
  const keys = finals[final] as string;
  const withoutFinal = before + String.fromCharCode(unit - final + finals.indexOf(keys.slice(0, -1)));
  // In a pair, the next syllable belongs to the next pair, which is not typed yet.
  if (before !== "") return [{ from: withoutFinal, to: `${withoutFinal}\0` }];
  const initial = initials.indexOf(keys.slice(-1));
  return initial < 0 ? [] : [beginningWith(initial, withoutFinal)];
}

/** The keys that type a text, in lower case. */
export function keysOfHangul(text: string): string {
  return Array.from(text, keysOf).join("").toLowerCase();
}

function keysOf(character: string): string {
  const unit = character.charCodeAt(0);
  if (unit < firstSyllable || unit > lastSyllable) return letters[unit - firstLetter] ?? character;
  const syllable = unit - firstSyllable;
  const initial = initials[Math.floor(syllable / (vowels.length * finals.length))];
  const vowel = vowels[Math.floor(syllable / finals.length) % vowels.length];
  return `${initial}${vowel}${finals[syllable % finals.length]}`;
}

/**
 * Converts keys to syllables: a consonant, a vowel and an optional final. A consonant before a vowel starts the next
 * syllable.
 */
export function hangulOf(typed: string): string {
  // All other letters mean the same in upper case.
  const keys = typed.replace(/[A-Z]/g, (key) => (letters.includes(key) ? key : key.toLowerCase()));
  return keys
    .replace(syllables, (_, initial: string, vowel: string, final = "") => {
      const at = (initials.indexOf(initial) * vowels.length + vowels.indexOf(vowel)) * finals.length;
      return String.fromCharCode(firstSyllable + at + finals.indexOf(final));
    })
    .replace(/[a-zEOPQRTW]/g, (key) => String.fromCharCode(firstLetter + letters.indexOf(key)));
}

const syllables =
  /([rRseEfaqQtTdwWczxvg])(h[kol]|n[jpl]|ml|[koiOjpuPhynbml])((?:rt|s[wg]|f[raqtxvg]|qt|[rRsefaqtTdwczxvg])(?![koiOjpuPhynbml]))?/g;
