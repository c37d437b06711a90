import { hasCompounds, splitCompound } from "./analysis/compounds.ts";
import { listHangulCompletions } from "./analysis/hangul-keys.ts";
import { listForms, listSpellings } from "./analysis/inflections.ts";
import { listWordBreaks } from "./analysis/shingles.ts";
import { fuzzyKindOf } from "./fuzzy/fuzzy-matches.ts";
import { alsoInBody, fieldMaskOf, lastPosition, packPayload, positionOf } from "./index/postings.ts";
import { endsInDigit, findShingles, type QueryWord } from "./query/parse.ts";
import {
  type MatchKind,
  matchBoosts,
  misspellingRatio,
  rarityOf,
  rarityUnit,
  singleWordRarity,
} from "./scoring/score.ts";
import type { Words } from "./slow-document.fixture.ts";
import { bodyPointsOf, type Cell, everyField, pointsOf } from "./slow-score.fixture.ts";

// The match of a query's word in a document, by definition.

interface Nearest {
  readonly edits: number;
  /** Whether the complete term has this distance. */
  readonly isWhole: boolean;
}

/** Returns the minimum number of edits between a word and any prefix of a term before its first digit. */
export function nearestBeginning(term: string, word: string): Nearest {
  let above: number[] = [];
  let row = Array.from({ length: word.length + 1 }, (_, column) => column);
  let least = word.length;
  const letters = term.replace(/[0-9].*/, "");
  for (let depth = 1; depth <= letters.length; depth += 1) {
    const next = [depth];
    for (let column = 1; column <= word.length; column += 1) {
      const cost = letters[depth - 1] === word[column - 1] ? 0 : 1;
      const isSwap =
        depth > 1 && column > 1 && letters[depth - 1] === word[column - 2] && letters[depth - 2] === word[column - 1];
      next[column] = Math.min(
        (row[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (row[column - 1] ?? 0) + cost,
        isSwap ? (above[column - 2] ?? 0) + 1 : 99,
      );
    }
    above = row;
    row = next;
    least = Math.min(least, row[word.length] ?? 99);
  }
  return { edits: least, isWhole: letters === term && row[word.length] === least };
}

/**
 * Returns whether longer terms match a word. Terms that continue a number with a digit match only while the number is
 * typed.
 */
function isOpen({ text, isPrefix, isGram }: QueryWord, wholeWords: boolean): boolean {
  return isPrefix || (!wholeWords && !isGram && !endsInDigit(text));
}

function goesOn(word: QueryWord, term: string, wholeWords: boolean): boolean {
  if (!term.startsWith(word.text) || word.isGram || wholeWords) return term.startsWith(word.text) && word.isPrefix;
  return isOpen(word, wholeWords) || term.charAt(word.text.length) > "9";
}

/** Returns the kinds of matches of a query's word with a term. */
function matchKindsOf({ words, index, wholeWords, locale }: Reading, edits: number): (term: string) => MatchKind[] {
  const word = words[index] as QueryWord;
  const spelled = listSpellings(word, locale).map((text) => ({ ...word, text }));
  const wordForms = new Set([
    ...listForms(word, locale),
    ...spelled.flatMap((one) => [one.text, ...listForms(one, locale)]),
  ]);
  const startsOrIs = (last: QueryWord, term: string, text: string) =>
    isOpen(last, wholeWords) ? term.startsWith(text) : term === text;
  const joined = findShingles(words, locale).filter((shingle) => shingle.words.includes(index));
  return (term) => {
    const found: MatchKind[] = [];
    const isLiteral = term === word.text && word.isInQuantity === true;
    if (term === word.text) found.push(isLiteral ? "literal" : "exact");
    if (wordForms.has(term)) found.push("form");
    if (!isLiteral && [word, ...spelled].some((one) => goesOn(one, term, wholeWords))) found.push("prefix");
    if (word.isGram && word.isPrefix)
      for (const { from, to } of listHangulCompletions(word.text)) if (from <= term && term < to) found.push("prefix");
    for (const { text, words: said, isQuantity } of joined)
      if (isQuantity && term === text) found.push("quantity");
      else if (!isQuantity && startsOrIs(words[said.at(-1) ?? 0] as QueryWord, term, text)) found.push("joined");
    // Most words are read without edits, and the edit distance is the slowest part.
    const nearest = edits > 0 ? nearestBeginning(term, word.text) : { edits: 0, isWhole: true };
    const fuzzyKind = fuzzyKindOf(nearest.edits, nearest.isWhole);
    if (nearest.edits > 0 && nearest.edits <= edits && fuzzyKind !== "twoTyposPrefix") found.push(fuzzyKind);
    return found;
  };
}

/**
 * Returns the best match of a query's word in a document, or undefined.
 * @param fieldMask searched fields (bit n: field n)
 * @param rarity rarity of the word; optional if points do not matter
 */
export function cellOf(read: Words, reading: Reading, counted: number, rarity = rarityUnit): Cell | undefined {
  const { primary, body } = read;
  const word = reading.words[reading.index] as QueryWord;
  const kindsOf = matchKindsOf(reading, reading.edits);
  const cells: Cell[] = [];
  const meet = (kind: MatchKind, value: number) => {
    cells.push({ points: matchBoosts[kind] * pointsOf(rarity, value, read, counted), position: positionOf(value) });
  };
  for (const [term, value] of primary) for (const kind of kindsOf(term)) meet(kind, value);
  for (const value of splitsOf(primary, word, isOpen(word, reading.wholeWords))) meet("split", value);
  for (const value of partsOf(primary, reading)) meet("parts", value);
  for (const value of withinOf(primary, reading)) meet("within", value);
  const best = cells
    .filter((cell) => cell.points > 0)
    .sort((one, other) => other.points - one.points || one.position - other.position)[0];
  const scored = (points: number) => Math.round(points / 100);
  if (best !== undefined) return { ...best, points: scored(best.points) };
  const described = [...body, ...[...primary].flatMap(([term, value]) => ((value & alsoInBody) === 0 ? [] : [term]))];
  const isCounted = isCountedInBody(word);
  const bodyKinds = described.flatMap((term) => kindsOf(term).filter(isCounted));
  const boost = Math.max(0, ...bodyKinds.map((kind) => matchBoosts[kind]));
  const points = scored(boost * bodyPointsOf(rarity, counted));
  return points > 0 ? { points, position: -1 } : undefined;
}

/** Returns whether a kind of match counts in a description. A prefix counts only while the word is typed. */
function isCountedInBody({ isPrefix }: QueryWord): (kind: MatchKind) => boolean {
  return (kind) => isPrefix || !["prefix", "typoPrefix"].includes(kind);
}

/**
 * Returns the rarities of the query's words, from the documents that contain the words, their forms or their
 * quantities, or else from all matches.
 */
export function raritiesOf(everything: readonly Words[], readings: readonly Reading[], mayLack = false): number[] {
  if (readings.length === 1) return [singleWordRarity];
  return readings.map((reading) => {
    const kindsOf = matchKindsOf(reading, 0);
    const kinds = everything.flatMap(({ primary, body }) => [...primary.keys(), ...body].flatMap(kindsOf));
    const whole = kinds.filter((kind) => ["exact", "form", "quantity", "literal"].includes(kind)).length;
    const all = everything.reduce((sum, text) => sum + postingsOf(text, reading), 0);
    return rarityOf(whole > 0 ? whole : all, everything.length, mayLack);
  });
}

/**
 * Returns the positions where a document contains a word as two or three words: "deck shoes" for "deckshoes", "iphone
 * 13 pro" for "iphone13pro".
 */
function splitsOf(primary: Words["primary"], { text, isGram }: QueryWord, isPrefix: boolean): number[] {
  return (isGram ? [] : listWordBreaks(text, isPrefix)).flatMap(([one, ...more]) => {
    const first = primary.get(one);
    if (first === undefined) return [];
    const masks = more.map((part, at) => {
      const isOpenPart = isPrefix && at === more.length - 1;
      return [...primary]
        .filter(([term]) => (isOpenPart ? term.startsWith(part) : term === part))
        .filter(([, value]) => positionOf(value) === positionOf(first) + 1 + at)
        .reduce((mask, [, value]) => mask | fieldMaskOf(value), 0);
    });
    const mask = masks.reduce((common, held) => common & held, fieldMaskOf(first));
    return mask === 0 ? [] : [packPayload(mask, positionOf(first))];
  });
}

/**
 * Returns the positions of the last part of a compound in documents that contain the first part anywhere, one position
 * per split.
 */
function partsOf(primary: Words["primary"], { words, index, wholeWords, locale }: Reading): number[] {
  const { text, isGram, isPrefix } = words[index] as QueryWord;
  if (isGram) return [];
  return splitCompound(text, locale).flatMap(({ firstForms: firsts, last }) => {
    if (!firsts.some((first) => primary.has(first))) return [];
    const isOpenPart = isOpen({ text, isGram, isPrefix, chunk: 0 }, wholeWords);
    const heads = new Set([last, ...listForms({ text: last, isGram: false }, locale)]);
    return firstPlace([...primary].filter(([term]) => (isOpenPart && term.startsWith(last)) || heads.has(term)));
  });
}

/**
 * Returns the position of longer words that end with a word, or contain it, if no document contains the word itself.
 */
function withinOf(primary: Words["primary"], { words, index, wholeWords, locale, known }: Reading): number[] {
  const word = words[index] as QueryWord;
  const { text, isGram } = word;
  if (isGram || text.length < 4 || !hasCompounds(locale)) return [];
  const all = [text, ...listForms(word, locale)];
  if (all.some((one) => known.has(one))) return [];
  const open = isOpen(word, wholeWords);
  const isBegun = [...known].some((term) => goesOn(word, term, wholeWords));
  const anywhere = open && !isBegun && text.length > 4;
  const longEnough = all.filter((one) => one.length >= 4);
  const holding = [...primary].filter(([term]) =>
    longEnough.some((one) => {
      const ends = anywhere ? Array.from(term, (_, at) => at + 1) : [term.length];
      return ends.some((end) => {
        const beginning = term.slice(0, Math.max(0, end - one.length));
        return term.slice(0, end).endsWith(one) && beginning.length >= 3 && /[aeiouy]/.test(beginning);
      });
    }),
  );
  return firstPlace(holding.map(([term, value]) => [term, packPayload(fieldMaskOf(value), lastPosition)]));
}

/** Returns the first of several positions. For equal positions, the one in more fields is returned. */
function firstPlace(held: readonly (readonly [string, number])[]): number[] {
  return held
    .map(([, value]) => packPayload(fieldMaskOf(value), positionOf(value)))
    .sort((one, other) => positionOf(one) - positionOf(other) || other - one)
    .slice(0, 1);
}

/** Strictness of one word of a query in a language, among the terms of all documents. */
export interface Reading {
  readonly locale: string;
  readonly known: ReadonlySet<string>;
  readonly words: readonly QueryWord[];
  readonly index: number;
  readonly wholeWords: boolean;
  readonly edits: number;
}

/** Returns the number of a document's postings that match a word. Exact matches also count as misspelled matches. */
export function postingsOf({ primary, body }: Words, reading: Reading): number {
  const word = reading.words[reading.index] as QueryWord;
  const typedAs = matchKindsOf(reading, 0);
  const matchedAs = matchKindsOf(reading, reading.edits);
  const count = (terms: Iterable<string>, isCounted: (kind: MatchKind) => boolean): number =>
    [...terms].reduce((sum, term) => {
      const typed = typedAs(term).filter(isCounted).length;
      return sum + Math.min(1, typed) + matchedAs(term).filter(isCounted).length - typed;
    }, 0);
  const terms = count(primary.keys(), () => true) + count(body, isCountedInBody(word));
  const said = [
    splitsOf(primary, word, isOpen(word, reading.wholeWords)),
    partsOf(primary, reading),
    withinOf(primary, reading),
  ];
  return terms + said.flat().length;
}

/** Returns the number of terms in a document's primary fields that match a word. */
export function termsOf({ primary }: Words, reading: Reading): number {
  const kindsOf = matchKindsOf(reading, reading.edits);
  return [...primary.keys()].filter((term) => kindsOf(term).length > 0).length;
}

/**
 * Returns whether a long word is in no primary field, while similar words are in primary fields a hundred times as
 * often as the word is in descriptions.
 */
export function isDoubtful(everything: readonly Words[], typed: Reading, edits: number): boolean {
  const text = typed.words[typed.index]?.text ?? "";
  const kindsTyped = matchKindsOf(typed, 0);
  const kindsFuzzy = matchKindsOf(typed, edits);
  if (text.length < 8 || edits === 0) return false;
  if (everything.some((one) => (cellOf(one, typed, everyField)?.position ?? -1) >= 0)) return false;
  const isCounted = isCountedInBody(typed.words[typed.index] as QueryWord);
  const described = everything.flatMap(({ body }) => [...body].flatMap(kindsTyped).filter(isCounted)).length;
  const isWholeTypo = (kind: MatchKind) => kind === "typo" || kind === "twoTypos";
  const named = everything.flatMap(({ primary }) => [...primary.keys()].flatMap(kindsFuzzy).filter(isWholeTypo)).length;
  return described > 0 && described <= named * misspellingRatio;
}
