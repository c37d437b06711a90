import { forms } from "./analysis/inflections.ts";
import { wordBreaks } from "./analysis/shingles.ts";
import { fuzzyKindOf } from "./fuzzy/fuzzy-matches.ts";
import { allowedEdits } from "./fuzzy/levenshtein-automaton.ts";
import { alsoDescribed, fieldMaskOf, lastPosition, packPayload, positionOf } from "./index/postings.ts";
import { parseQuery, type QueryWord, shingles } from "./query/parse.ts";
import { schema } from "./schema.fixture.ts";
import { type FieldPoints, SchemaPoints } from "./scoring/field-points.ts";
import {
  brevityPoints,
  describedPoints,
  fewTermsPoints,
  impact,
  type MatchKind,
  matchBoosts,
  proximityPoints,
  suspectRatio,
  unavailablePoints,
} from "./scoring/score.ts";
import type { Query, SearchDocument } from "./search-index.ts";
import { readDocument, type Words } from "./slow-document.fixture.ts";

// The search as it is defined, written to be read: every document is looked at, word by word.

const schemaPoints = new SchemaPoints(schema);

interface Nearest {
  readonly edits: number;
  /** The term as a whole is that near. */
  readonly isWhole: boolean;
}

/** The fewest edits between a word and any beginning of a term before its first digit. */
function nearestBeginning(term: string, word: string): Nearest {
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

interface Cell {
  readonly points: number;
  /** -1: in the description alone. */
  readonly position: number;
}

/** How one word of a query matches a term. */
function matchKindsOf(
  words: readonly QueryWord[],
  index: number,
  wholeWords: boolean,
  edits: number,
): (term: string) => MatchKind[] {
  const word = words[index] as QueryWord;
  const isPrefix = (one: QueryWord) => one.isPrefix || (!wholeWords && !one.isGram);
  const joined = shingles(words).filter(({ from, to }) => from <= index && index < to);
  return (term) => {
    const found: MatchKind[] = [];
    if (term === word.text) found.push("exact");
    if (forms(word, "en").includes(term)) found.push("form");
    if (isPrefix(word) && term.startsWith(word.text)) found.push("prefix");
    for (const { text, to, mayGoOn } of joined)
      if (mayGoOn && isPrefix(words[to - 1] as QueryWord) ? term.startsWith(text) : term === text) found.push("joined");
    const nearest = nearestBeginning(term, word.text);
    if (nearest.edits > 0 && nearest.edits <= edits) found.push(fuzzyKindOf(nearest.edits, nearest.isWhole));
    return found;
  };
}

/** How a document holds one word of a query best; undefined where it does not. */
function cellOf(
  { naming, body, titleLength }: Words,
  words: readonly QueryWord[],
  index: number,
  wholeWords: boolean,
  edits: number,
  counted: FieldPoints,
): Cell | undefined {
  const word = words[index] as QueryWord;
  const isPrefix = word.isPrefix || (!wholeWords && !word.isGram);
  const kindsOf = matchKindsOf(words, index, wholeWords, edits);
  const cells: Cell[] = [];
  const meet = (kind: MatchKind, value: number) => {
    cells.push({
      points:
        matchBoosts[kind] *
        impact(value, brevityPoints(titleLength, fewTermsPoints(naming.size), words.length), counted),
      position: positionOf(value),
    });
  };
  for (const [term, value] of naming) for (const kind of kindsOf(term)) meet(kind, value);
  for (const [one, other] of word.isGram ? [] : wordBreaks(word.text, isPrefix)) {
    const first = naming.get(one);
    if (first === undefined) continue;
    let mask = 0;
    for (const [term, value] of naming)
      if (
        (isPrefix ? term.startsWith(other) : term === other) &&
        positionOf(value) === positionOf(first) + 1 &&
        positionOf(first) < lastPosition
      )
        mask |= fieldMaskOf(value) & fieldMaskOf(first);
    if (mask !== 0) meet("split", packPayload(mask, positionOf(first)));
  }
  const best = cells
    .filter((cell) => cell.points > 0)
    .sort((one, other) => other.points - one.points || one.position - other.position)[0];
  if (best !== undefined) return best;
  const described = [...body, ...[...naming].flatMap(([term, value]) => ((value & alsoDescribed) === 0 ? [] : [term]))];
  const boost = Math.max(0, ...described.flatMap((term) => kindsOf(term).map((kind) => matchBoosts[kind])));
  return boost * counted.body > 0 ? { points: boost * counted.body, position: -1 } : undefined;
}

export interface SlowAnswer {
  /** Best first; where words had to be dropped, in no order and with no score. */
  readonly hits: readonly { readonly externalId: number; readonly type: number; readonly score: number }[];
  readonly isLoose: boolean;
}

/** @param all documents of every segment, also those that no longer count: their words are known  @param living those that count */
export function slowSearch(
  all: readonly SearchDocument[],
  living: readonly SearchDocument[],
  query: Query,
): SlowAnswer {
  const words = parseQuery(query.text);
  const counted = schemaPoints.of(query.fields);
  const everything = all.map(readDocument);
  const read = new Map(living.map((document) => [document, readDocument(document)]));
  const terms = new Set(everything.flatMap(({ naming, body }) => [...naming.keys(), ...body]));
  const editsOf = ({ text, isGram }: QueryWord): number => {
    const most = query.typos && !isGram ? allowedEdits(text) : 0;
    return most > 1 && [...terms].some((term) => nearestBeginning(term, text).edits === 1) ? 1 : most;
  };
  const cellsOf = (document: SearchDocument, wholeWords: boolean, edits: readonly number[], points = counted) =>
    words.map((_, index) => cellOf(read.get(document) as Words, words, index, wholeWords, edits[index] ?? 0, points));
  const none = words.map(() => 0);
  const most = words.map(editsOf);
  const isKnown = words.map((_, index) => living.some((one) => cellsOf(one, false, none)[index] !== undefined));
  const suspects = words.map((_, index) =>
    isDoubtful(everything, words, index, most[index] ?? 0) ? (most[index] ?? 0) : 0,
  );
  const isWhole = words.map((_, index) =>
    everything.some((one) => cellOf(one, words, index, true, 0, schemaPoints.of()) !== undefined),
  );
  const free = suspects.map((edits, index) => (isWhole[index] || words[index]?.isPrefix ? edits : (most[index] ?? 0)));
  const fuzzy = free.map((edits, index) => (isKnown[index] ? edits : (most[index] ?? 0)));
  const relaxations: [boolean, readonly number[], FieldPoints][] = [
    [true, suspects, counted],
    [false, free, counted],
    [false, fuzzy, counted],
  ];
  if (words.length > 1 && words.length <= 8) relaxations.push([false, most, schemaPoints.ofNaming(query.fields)]);
  const accepted = living.filter((one) => query.accept?.(one.externalId, one.type) !== false);
  const shown = (one: SearchDocument) => query.unavailable !== "hide" || one.available;
  if (words.length === 0) return { hits: [], isLoose: false };
  for (const [wholeWords, edits, points] of relaxations) {
    const found = accepted
      .map((document) => ({ document, cells: cellsOf(document, wholeWords, edits, points) }))
      .filter(({ cells }) => cells.every((cell) => cell !== undefined));
    if (found.length === 0) continue;
    const hits = found
      .filter(({ document }) => shown(document))
      .map(({ document, cells }) => ({
        externalId: document.externalId,
        type: document.type,
        score: scoreOf(document, cells, (read.get(document) as Words).titleLength, query),
      }))
      .sort((one, other) => other.score - one.score || one.externalId - other.externalId);
    return { hits, isLoose: false };
  }
  if (words.length === 1) return { hits: [], isLoose: false };
  for (const withBody of [false, true]) {
    const held = (document: SearchDocument) =>
      cellsOf(document, false, fuzzy).filter((cell) => cell !== undefined && (withBody || cell.position >= 0)).length;
    for (let count = words.length - 1; count > 0; count -= 1) {
      const found = accepted.filter((document) => held(document) === count);
      if (found.length > 0) return { hits: found.filter(shown).map((one) => ({ ...one, score: 0 })), isLoose: true };
    }
  }
  return { hits: [], isLoose: true };
}

/** Whether a long word names nothing, and what it may be a misspelling of names a hundred times as much as it is said in descriptions. */
function isDoubtful(everything: readonly Words[], words: readonly QueryWord[], index: number, edits: number): boolean {
  const text = words[index]?.text ?? "";
  const kindsTyped = matchKindsOf(words, index, false, 0);
  const kindsFuzzy = matchKindsOf(words, index, false, edits);
  if (text.length < 8 || edits === 0) return false;
  if (everything.some((one) => (cellOf(one, words, index, false, 0, schemaPoints.of())?.position ?? -1) >= 0))
    return false;
  const described = everything.flatMap(({ body }) => [...body].flatMap(kindsTyped)).length;
  const isWholeTypo = (kind: MatchKind) => kind === "typo" || kind === "twoTypos";
  const named = everything.flatMap(({ naming }) => [...naming.keys()].flatMap(kindsFuzzy).filter(isWholeTypo)).length;
  return described > 0 && described <= named * suspectRatio;
}

function scoreOf(
  document: SearchDocument,
  cells: readonly (Cell | undefined)[],
  titleLength: number,
  query: Query,
): number {
  let score = cells.reduce((sum, cell) => sum + (cell?.points ?? 0), 0);
  const held = Int32Array.from(cells, (cell) => cell?.points ?? 0);
  const positions = Int32Array.from(cells, (cell) => cell?.position ?? -1);
  if (cells.length > 1) score += proximityPoints(cells.length, held, positions, titleLength);
  if (cells.some((cell) => cell?.position === -1)) score += describedPoints;
  score += Math.round(document.popularity * 0xffff) / 0x10000;
  return query.unavailable === "last" && !document.available ? score + unavailablePoints : score;
}
