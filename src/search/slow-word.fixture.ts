import { forms } from "./analysis/inflections.ts";
import { wordBreaks } from "./analysis/shingles.ts";
import { fuzzyKindOf } from "./fuzzy/fuzzy-matches.ts";
import { alsoDescribed, fieldMaskOf, packPayload, positionOf } from "./index/postings.ts";
import { endsInDigit, type QueryWord, shingles } from "./query/parse.ts";
import { type MatchKind, matchBoosts, rarityOf, rarityUnit, soleRarity, suspectRatio } from "./scoring/score.ts";
import type { Words } from "./slow-document.fixture.ts";
import { bodyPointsOf, type Cell, everyField, pointsOf } from "./slow-score.fixture.ts";

// How one word of a query matches one document, as it is defined.

interface Nearest {
  readonly edits: number;
  /** The term as a whole is that near. */
  readonly isWhole: boolean;
}

/** The fewest edits between a word and any beginning of a term before its first digit. */
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

/** Whether terms that go on behind a word match it: of a number, which goes on with no digit unless it is being typed, only those of letters. */
function isOpen({ text, isPrefix, isGram }: QueryWord, wholeWords: boolean): boolean {
  return isPrefix || (!wholeWords && !isGram && !endsInDigit(text));
}

function goesOn(word: QueryWord, term: string, wholeWords: boolean): boolean {
  if (!term.startsWith(word.text) || word.isGram || wholeWords) return term.startsWith(word.text) && word.isPrefix;
  return isOpen(word, wholeWords) || term.charAt(word.text.length) > "9";
}

/** How one word of a query matches a term. */
function matchKindsOf(
  words: readonly QueryWord[],
  index: number,
  wholeWords: boolean,
  edits: number,
): (term: string) => MatchKind[] {
  const word = words[index] as QueryWord;
  const startsOrIs = (last: QueryWord, term: string, text: string) =>
    isOpen(last, wholeWords) ? term.startsWith(text) : term === text;
  const joined = shingles(words).filter((shingle) => shingle.words.includes(index));
  return (term) => {
    const found: MatchKind[] = [];
    if (term === word.text) found.push("exact");
    if (forms(word, "en").includes(term)) found.push("form");
    if (goesOn(word, term, wholeWords)) found.push("prefix");
    for (const { text, words: said, isQuantity } of joined)
      if (isQuantity && term === text) found.push("quantity");
      else if (!isQuantity && startsOrIs(words[said.at(-1) ?? 0] as QueryWord, term, text)) found.push("joined");
    const nearest = nearestBeginning(term, word.text);
    if (nearest.edits > 0 && nearest.edits <= edits) found.push(fuzzyKindOf(nearest.edits, nearest.isWhole));
    return found;
  };
}

/** How a document holds one word of a query best; undefined where it does not.
 *  @param counted fields that count, as bits  @param rarity of the word; absent where it does not matter how much it counts */
export function cellOf(
  read: Words,
  { words, index, wholeWords, edits }: Reading,
  counted: number,
  rarity = rarityUnit,
): Cell | undefined {
  const { naming, body } = read;
  const word = words[index] as QueryWord;
  const kindsOf = matchKindsOf(words, index, wholeWords, edits);
  const cells: Cell[] = [];
  const meet = (kind: MatchKind, value: number) => {
    cells.push({ points: matchBoosts[kind] * pointsOf(rarity, value, read, counted), position: positionOf(value) });
  };
  for (const [term, value] of naming) for (const kind of kindsOf(term)) meet(kind, value);
  for (const value of splitsOf(naming, word, isOpen(word, wholeWords))) meet("split", value);
  const best = cells
    .filter((cell) => cell.points > 0)
    .sort((one, other) => other.points - one.points || one.position - other.position)[0];
  const scored = (points: number) => Math.round(points / 100);
  if (best !== undefined) return { ...best, points: scored(best.points) };
  const described = [...body, ...[...naming].flatMap(([term, value]) => ((value & alsoDescribed) === 0 ? [] : [term]))];
  const boost = Math.max(0, ...described.flatMap((term) => kindsOf(term).map((kind) => matchBoosts[kind])));
  const points = scored(boost * bodyPointsOf(rarity, counted));
  return points > 0 ? { points, position: -1 } : undefined;
}

/** How rare the words of a query are: by the documents that hold them, a form of them or the quantity, else by all that they may stand for. */
export function raritiesOf(everything: readonly Words[], readings: readonly Reading[], mayLack = false): number[] {
  if (readings.length === 1) return [soleRarity];
  return readings.map((reading) => {
    const kindsOf = matchKindsOf(reading.words, reading.index, reading.wholeWords, 0);
    const kinds = everything.flatMap(({ naming, body }) => [...naming.keys(), ...body].flatMap(kindsOf));
    const whole = kinds.filter((kind) => kind === "exact" || kind === "form" || kind === "quantity").length;
    const all = everything.reduce((sum, text) => sum + postingsOf(text, reading), 0);
    return rarityOf(whole > 0 ? whole : all, everything.length, mayLack);
  });
}

/** The places where a document says a word as two or three: "deck shoes" for "deckshoes", "iphone 13 pro" for "iphone13pro". */
function splitsOf(naming: Words["naming"], { text, isGram }: QueryWord, isPrefix: boolean): number[] {
  return (isGram ? [] : wordBreaks(text, isPrefix)).flatMap(([one, ...more]) => {
    const first = naming.get(one);
    if (first === undefined) return [];
    const masks = more.map((part, at) => {
      const isOpenPart = isPrefix && at === more.length - 1;
      return [...naming]
        .filter(([term]) => (isOpenPart ? term.startsWith(part) : term === part))
        .filter(([, value]) => positionOf(value) === positionOf(first) + 1 + at)
        .reduce((mask, [, value]) => mask | fieldMaskOf(value), 0);
    });
    const mask = masks.reduce((common, held) => common & held, fieldMaskOf(first));
    return mask === 0 ? [] : [packPayload(mask, positionOf(first))];
  });
}

/** How strictly one word of a query is taken. */
export interface Reading {
  readonly words: readonly QueryWord[];
  readonly index: number;
  readonly wholeWords: boolean;
  readonly edits: number;
}

/** How many postings of a document match a word; those that match as typed and as misspelt count twice. */
export function postingsOf({ naming, body }: Words, { words, index, wholeWords, edits }: Reading): number {
  const word = words[index] as QueryWord;
  const typedAs = matchKindsOf(words, index, wholeWords, 0);
  const matchedAs = matchKindsOf(words, index, wholeWords, edits);
  const terms = [...naming.keys(), ...body].reduce((sum, term) => {
    const typed = typedAs(term).length;
    return sum + Math.min(1, typed) + matchedAs(term).length - typed;
  }, 0);
  return terms + splitsOf(naming, word, isOpen(word, wholeWords)).length;
}

/** How many terms of the naming fields of a document match a word. */
export function termsOf({ naming }: Words, { words, index, wholeWords, edits }: Reading): number {
  const kindsOf = matchKindsOf(words, index, wholeWords, edits);
  return [...naming.keys()].filter((term) => kindsOf(term).length > 0).length;
}

/** Whether a long word names nothing, and what it may be a misspelling of names a hundred times as much as it is said in descriptions. */
export function isDoubtful(
  everything: readonly Words[],
  words: readonly QueryWord[],
  index: number,
  edits: number,
): boolean {
  const text = words[index]?.text ?? "";
  const kindsTyped = matchKindsOf(words, index, false, 0);
  const kindsFuzzy = matchKindsOf(words, index, false, edits);
  if (text.length < 8 || edits === 0) return false;
  if (
    everything.some(
      (one) => (cellOf(one, { words, index, wholeWords: false, edits: 0 }, everyField)?.position ?? -1) >= 0,
    )
  )
    return false;
  const described = everything.flatMap(({ body }) => [...body].flatMap(kindsTyped)).length;
  const isWholeTypo = (kind: MatchKind) => kind === "typo" || kind === "twoTypos";
  const named = everything.flatMap(({ naming }) => [...naming.keys()].flatMap(kindsFuzzy).filter(isWholeTypo)).length;
  return described > 0 && described <= named * suspectRatio;
}
