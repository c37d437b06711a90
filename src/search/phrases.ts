import { chunks, fold } from "./analysis.ts";
import { type Dictionary, packDictionary, packTexts, type Texts } from "./dictionary.ts";
import { fields } from "./ranking.ts";
import { sharedUint32 } from "./shared-arrays.ts";

/** What a catalogue calls its things, ready to complete what is typed. */
export interface Phrases {
  /** Folded, sorted: what the typed text is looked up in. */
  readonly keys: Dictionary;
  /** As shown, in the order of the keys: lower case, accents kept, none of `<>"`. */
  readonly texts: Texts;
  /** How much of the catalogue speaks so. */
  readonly weights: Uint32Array;
}

/** Longest phrase, in UTF-16 units and in words. */
const maxLength = 40;
const maxWords = 5;
/** Words that follow one another in a title and are taken for a phrase of their own. */
const maxRun = 3;
/** Phrases a part of the index keeps; rare ones go first. */
const maxPhrases = 200_000;
/** A whole vendor, product type or title of a collection counts as much as that many mentions in titles. */
const wholeWeight = 20;
const fillers = new Set(
  "and or for with the a an in of on to by from de la le les el los del des du et en y con para por pour avec und der die das mit für von im".split(
    " ",
  ),
);

/** Counts phrases document by document. */
export interface PhraseCounter {
  /** @param take titles are taken whole, or in runs of words as well */
  add(field: number, text: string, take: "runs" | "whole"): void;
  finish(): Phrases;
}

export function createPhraseCounter(): PhraseCounter {
  const weights = new Map<string, number>();
  const count = (phrase: string, weight: number) => {
    weights.set(phrase, (weights.get(phrase) ?? 0) + weight);
  };
  return {
    add(field, text, take) {
      if (field === fields.title && take === "runs") for (const phrase of runs(text)) count(phrase, 1);
      else if (field === fields.title || field === fields.vendor || field === fields.productType) {
        const phrase = words(text).flat().join(" ");
        if (isSpeakable(phrase)) count(phrase, wholeWeight);
      }
    },
    finish: () => packPhrases(weights),
  };
}

/** A text as it may be shown in a suggestion: lower case, one blank between words, none of `<>"` and no control characters. */
export function presentable(text: string): string {
  return text
    .toWellFormed()
    .normalize("NFC")
    .replace(/[<>"\p{C}]/gu, " ")
    .toLowerCase()
    .replace(/\s+/g, " ")
    .trim();
}

/** @param weights by phrase, as `presentable` makes them */
export function packPhrases(weights: ReadonlyMap<string, number>): Phrases {
  let kept = [...weights];
  if (kept.length > maxPhrases) {
    kept.sort((one, other) => other[1] - one[1]);
    kept = kept.slice(0, maxPhrases);
  }
  const rows = kept.map(([text, weight]) => ({ key: phraseKey(text), text, weight }));
  rows.sort((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : other.weight - one.weight));
  const packedWeights = sharedUint32(rows.length);
  rows.forEach((row, index) => {
    packedWeights[index] = row.weight;
  });
  return {
    keys: packDictionary(rows.map((row) => row.key)),
    texts: packTexts(rows.map((row) => row.text)),
    weights: packedWeights,
  };
}

/** What two spellings of a phrase have in common: its folded words, one blank between. */
export function phraseKey(text: string): string {
  const folded = fold(text);
  return /^[a-z0-9]+( [a-z0-9]+)*$/.test(folded) ? folded : plainWords(folded).join(" ");
}

function plainWords(folded: string): string[] {
  return folded.replace(/['’]/g, "").match(/[\p{L}\p{M}\p{N}\u30fc]+/gu) ?? [];
}

/** Runs of one to three words of a title, and the title itself where it is short. */
function runs(title: string): Set<string> {
  const found = new Set<string>();
  const pieces = words(title);
  for (const piece of pieces) {
    const isEdge = piece.map(isGoodEdge);
    for (let from = 0; from < piece.length; from += 1) {
      if (!isEdge[from]) continue;
      let phrase = "";
      for (let to = from; to < piece.length && to < from + maxRun; to += 1) {
        phrase = to === from ? (piece[to] as string) : `${phrase} ${piece[to]}`;
        if (phrase.length > maxLength) break;
        if (isEdge[to]) found.add(phrase);
      }
    }
  }
  const whole = pieces.flat();
  if (whole.length <= maxWords) {
    const phrase = whole.join(" ");
    if (isSpeakable(phrase)) found.add(phrase);
  }
  return found;
}

/** Words of a text as shown, cut where a comma, bracket or the like stands between them. */
function words(text: string): string[][] {
  return presentable(text)
    .split(/[,;:()[\]{}|/!?•·]|\s[-–—&+]\s/u)
    .map((piece) =>
      piece
        .split(" ")
        .map((word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}\p{M}]+$/gu, ""))
        .filter((word) => word !== ""),
    )
    .filter((piece) => piece.length > 0);
}

/** A phrase neither begins nor ends with a filler word, a number or a lone letter. */
function isGoodEdge(word: string): boolean {
  if (fillers.has(word)) return false;
  if (/^[\x00-\x7f]*$/.test(word)) return word.length >= 3 && !/[0-9]/.test(word);
  return /\p{L}/u.test(word) && !/\p{N}/u.test(word);
}

function isSpeakable(phrase: string): boolean {
  return phrase.length > 1 && phrase.length <= maxLength && chunks(phrase).length > 0;
}
