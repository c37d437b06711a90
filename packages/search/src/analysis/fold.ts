import { emojiPattern } from "./emoji.ts";

/**
 * Folds a text for search: converts it to lower case and removes accents and invisible characters. Converts ligatures
 * and wide characters to plain ones, digits of other scripts to ASCII digits, and katakana to hiragana. `1½` becomes `1
 * 1⁄2`, and emoji become spaces.
 */
export function foldText(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text.toLowerCase();
  let foldedText = text
    .toWellFormed()
    .replace(emojiPattern, " ")
    .replace(/[™®©℠]/g, " ")
    .replace(/[¼-¾⅐-⅞↉]/g, " $&")
    .normalize("NFKD")
    .toLowerCase()
    .replace(removedCharacterPattern, "")
    .replace(replacedLetterPattern, (letter) => letterReplacements.get(letter) ?? letter)
    .replace(foreignDigitPattern, foldDigit)
    .normalize("NFC");
  // The code of a thread is one word: "M6×20" and "M6x20".
  if (foldedText.includes("×")) foldedText = foldedText.replace(/(?<![a-z0-9])([a-z]{1,2}[0-9]+)×(?=[0-9])/g, "$1x");
  if (/[\u3041-\u30ff]/.test(foldedText)) foldedText = foldKana(foldedText);
  if (/[\u0901\u0902]/.test(foldedText)) foldedText = foldDevanagari(foldedText);
  return /[\u0e40\u0e4d]/.test(foldedText) ? foldThai(foldedText) : foldedText;
}

/** Converts a text to lower case. The Turkish "İ" becomes "i" instead of an "i" with a second dot. */
export function toLowerCase(text: string): string {
  return text.toLowerCase().replaceAll("i\u0307", "i");
}

/** Decimal digits of the scripts from Arabic to Khmer. */
const foreignDigitPattern = /[[\u0660-\u17e9]&&\p{Nd}]/gv;

function foldDigit(digit: string): string {
  const unit = digit.charCodeAt(0);
  // The zeros of the scripts from Devanagari to Sinhala have codes that end in 6, and the others in 0.
  return String((unit & 15) - (unit > 0x900 && unit < 0xe00 ? 6 : 0));
}

/**
 * Writes a Devanagari nasal sign as the consonant for which it stands, because both spellings are common: हिंदी becomes
 * हिन्दी, and मूँग is equal to मूंग. At the end of a word, the sign is removed, so that "शैं" is a prefix of "शैम्पू".
 */
function foldDevanagari(text: string): string {
  return text.replace(/[\u0901\u0902]/g, (_, index: number) => {
    const nextUnit = text.charCodeAt(index + 1);
    const group = Math.floor((nextUnit - firstConsonant) / 5);
    if (nextUnit >= firstConsonant && nextUnit <= lastNasal) return `${nasals.charAt(Math.min(group, 4))}\u094d`;
    return nextUnit >= 0x900 && nextUnit <= 0x963 ? "\u0902" : "";
  });
}

const firstConsonant = 0x915;
const lastNasal = 0x92e;
/** Nasal consonant of each of the five groups of consonants from क to म. */
const nasals = "ङञणनम";

/** Converts two signs to the one that looks equal (เเ to แ), and puts a tone mark before the vowel ำ. */
function foldThai(text: string): string {
  return text.replace(/\u0e40\u0e40/g, "\u0e41").replace(/(\u0e4d\u0e32)([\u0e48-\u0e4b])/g, "$2$1");
}

// Characters that folding removes: accents of Latin, Greek and Cyrillic, vowel points of Hebrew and Arabic, tatweel, the
// dot below Devanagari letters, soft hyphen, zero-width and direction marks, and the keycap mark. Marks of other scripts
// are not removed, because Thai vowels and Japanese voicing marks distinguish words.
const removedCharacterPattern =
  /[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf-\u05c7\u0640\u064b-\u065f\u0670\u093c\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]|[\u20e3]|[\ufe0e\ufe0f]/g;

/** Letters that a search treats as equal, although Unicode normalization does not. */
const letterReplacements: ReadonlyMap<string, string> = new Map([
  ["ß", "ss"],
  ["æ", "ae"],
  ["œ", "oe"],
  ["ø", "o"],
  ["ł", "l"],
  ["đ", "d"],
  ["ð", "d"],
  ["þ", "th"],
  // Turkish dotless i.
  ["ı", "i"],
  ["ς", "σ"],
  // Hebrew letters with a special form at the end of a word.
  ["ך", "כ"],
  ["ם", "מ"],
  ["ן", "נ"],
  ["ף", "פ"],
  ["ץ", "צ"],
  // Arabic letters that are often interchanged at the end of a word, and their variants on Persian and Urdu keyboards.
  ["ى", "ي"],
  ["ی", "ي"],
  ["ة", "ه"],
  ["ہ", "ه"],
  ["ھ", "ه"],
  ["ە", "ه"],
  ["ک", "ك"],
  ["ٱ", "ا"],
  ["٫", "."],
  ["٬", ","],
]);
const replacedLetterPattern = /[ßæœøłđðþıςךםןףץىیةہھەکٱ٫٬]/g;

/** Final forms of folded letters, without that of "פ", because loanwords such as "קטשופ" end with "פ". */
const finalLetters: ReadonlyMap<string, string> = new Map(
  [..."ςךםןץ"].map((finalLetter) => [letterReplacements.get(finalLetter) ?? "", finalLetter]),
);
const finalLetterPattern = /[σכמנצ](?= |$)/g;

/** Returns folded words as texts spell them, with the final forms of Greek and Hebrew letters: "σκουπας". */
export function spellFinalLetters(foldedText: string): string {
  return foldedText.replace(finalLetterPattern, (letter) => finalLetters.get(letter) ?? letter);
}

/**
 * Converts katakana to hiragana, ヴァ to バ, which has the same sound, and small kana except っ to large ones, because
 * brands such as キヤノン and キユーピー are spelled with large ones. Removes the length mark at the end of words with at
 * least three other characters, so that コンピューター and コンピュータ become equal, and the point in ポスト・イット.
 */
function foldKana(text: string): string {
  return text
    .replace(/[\u30a1-\u30f6]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) - 0x60))
    .replace(/ゔ([ぁぃぇぉゅ]?)/g, (_, vowel: string) => kanaByVowel.get(vowel) ?? "ぶ")
    .replace(/([\u3041-\u3096][\u3041-\u3096ー]+[\u3041-\u3096])ー+(?![\u3041-\u3096ー])/g, "$1")
    .replace(/(?<=[\u3041-\u3096ー])・(?=[\u3041-\u3096])/g, "")
    .replace(/[ぁぃぅぇぉゃゅょゎ]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) + 1));
}

const kanaByVowel: ReadonlyMap<string, string> = new Map([
  ["ぁ", "ば"],
  ["ぃ", "び"],
  ["ぇ", "べ"],
  ["ぉ", "ぼ"],
  ["ゅ", "びゅ"],
]);
