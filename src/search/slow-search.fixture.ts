import { chunks, joinedForms } from "./analysis.ts";
import { typoWay } from "./expansion.ts";
import { closed } from "./index-builder.ts";
import { cuts, pairJoins } from "./joining.ts";
import {
  alsoDescribed,
  bodyField,
  fieldsOf,
  lastPosition,
  mark,
  maskOfMark,
  phraseEnd,
  positionOf,
  purposeField,
} from "./postings.ts";
import { quantity } from "./quantities.ts";
import { forms, joinings, parseQuery, type QueryWord } from "./query.ts";
import {
  describedPoints,
  type FieldPoints,
  fieldPoints,
  fields,
  impact,
  placePoints,
  unavailablePoints,
  type Way,
  wayShares,
} from "./ranking.ts";
import type { Query, SearchDocument } from "./search-index.ts";
import { isLink, isPurpose } from "./title-phrases.ts";
import { allowedEdits } from "./typo.ts";

// The search as it is defined, written to be read: every document is looked at, word by word.

interface Words {
  /** Term -> fields and first position. */
  readonly head: Map<string, number>;
  readonly body: Set<string>;
  readonly titleLength: number;
}

function unitsOf(text: string): Uint16Array {
  return Uint16Array.from(text, (_, index) => text.charCodeAt(index));
}

function readDocument(document: SearchDocument): Words {
  const head = new Map<string, number>();
  const body = new Set<string>();
  let position = 0;
  let titleLength = 0;
  const order = (field: number) => (field === bodyField ? 10 : field);
  [...document.fields]
    .sort(([one], [other]) => order(one) - order(other))
    .forEach(([field, text], index) => {
      const add = (term: string, at: number) => {
        if (field === bodyField) {
          const named = head.get(term);
          if (named === undefined) body.add(term);
          else head.set(term, named | alsoDescribed);
          return;
        }
        const known = head.get(term);
        const value = mark(1 << (isPurposeNow ? purposeField : field), at);
        const mask = known === undefined ? 0 : maskOfMark(known);
        head.set(
          term,
          known === undefined
            ? value
            : mark(fieldsOf(mask | maskOfMark(value)), positionOf(known)) | (known & phraseEnd),
        );
      };
      let before = "";
      let isPurposeNow = false;
      /** The last word of the title so far, unless it is one of a purpose. */
      let naming: string | undefined;
      const endPhrase = () => {
        if (naming !== undefined) head.set(naming, (head.get(naming) ?? 0) | phraseEnd);
      };
      const isCode = field === fields.sku || field === fields.barcode;
      for (const chunk of chunks(isCode ? closed(text) : text)) {
        const texts = chunk.map((part) => part.text);
        const [first = ""] = texts;
        const isGrams = chunk[0]?.isGram === true;
        if (field === fields.title) {
          const word = texts.length === 1 ? first : "";
          const isAfterBreak = chunk[0]?.isAfterBreak === true;
          if (isAfterBreak || /^[0-9]/.test(first) || isLink(word)) endPhrase();
          if (isAfterBreak) isPurposeNow = false;
          else if (position > 0 && isPurpose(word)) isPurposeNow = true;
        }
        texts.forEach((term, offset) => {
          add(term, position + offset);
          if (field === fields.title) naming = isPurposeNow ? undefined : term;
        });
        for (const form of joinedForms(chunk)) add(form.text, position + form.at);
        if (!isGrams && field !== bodyField) {
          if (before !== "" && pairJoins(unitsOf(before), before.length, unitsOf(first), first.length)) {
            add(before + first, position - 1);
            const said = quantity([before, first]);
            if (said !== undefined) add(said, position - 1);
          }
          const said = texts.length <= 3 ? quantity(texts) : undefined;
          if (said !== undefined) add(said, position);
        }
        before = isGrams ? "" : (texts.at(-1) ?? "");
        position += chunk.length;
      }
      endPhrase();
      if (index === 0 && field === fields.title) titleLength = position;
      position += 3;
    });
  return { head, body, titleLength };
}

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

interface Cell {
  readonly points: number;
  /** -1: in the description alone. */
  readonly position: number;
}

/** How a document holds one word of a query best; undefined where it does not. */
function cellOf(
  { head, body, titleLength }: Words,
  words: readonly QueryWord[],
  index: number,
  wholeWords: boolean,
  edits: number,
  counted: FieldPoints,
): Cell | undefined {
  const word = words[index] as QueryWord;
  const isPrefix = (one: QueryWord) => one.isPrefix || (!wholeWords && !one.isGram);
  const joined = joinings(words).filter(({ from, to }) => from <= index && index < to);
  const waysOf = (term: string): Way[] => {
    const found: Way[] = [];
    if (term === word.text) found.push("exact");
    if (forms(word, "en").includes(term)) found.push("form");
    if (isPrefix(word) && term.startsWith(word.text)) found.push("prefix");
    for (const { text, to, mayGoOn } of joined)
      if (mayGoOn && isPrefix(words[to - 1] as QueryWord) ? term.startsWith(text) : term === text) found.push("joined");
    const nearest = nearestBeginning(term, word.text);
    if (nearest.edits > 0 && nearest.edits <= edits) found.push(typoWay(nearest.edits, nearest.isWhole));
    return found;
  };
  const cells: Cell[] = [];
  const meet = (way: Way, value: number) => {
    cells.push({ points: wayShares[way] * impact(value, titleLength, counted), position: positionOf(value) });
  };
  for (const [term, value] of head) for (const way of waysOf(term)) meet(way, value);
  for (const [one, other] of word.isGram ? [] : cuts(word.text, isPrefix(word))) {
    const first = head.get(one);
    if (first === undefined) continue;
    let mask = 0;
    for (const [term, value] of head)
      if (
        (isPrefix(word) ? term.startsWith(other) : term === other) &&
        positionOf(value) === positionOf(first) + 1 &&
        positionOf(first) < lastPosition
      )
        mask |= maskOfMark(value) & maskOfMark(first);
    if (mask !== 0) meet("split", mark(fieldsOf(mask), positionOf(first)));
  }
  const best = cells
    .filter((cell) => cell.points > 0)
    .sort((one, other) => other.points - one.points || one.position - other.position)[0];
  if (best !== undefined) return best;
  const share = Math.max(0, ...[...body].flatMap((term) => waysOf(term).map((way) => wayShares[way])));
  return share * counted.body > 0 ? { points: share * counted.body, position: -1 } : undefined;
}

export interface SlowAnswer {
  /** Best first; where words had to be dropped, in no order and with no score. */
  readonly hits: readonly { readonly number: number; readonly type: number; readonly score: number }[];
  readonly isLoose: boolean;
}

/** @param all documents of every layer, also those that no longer count: their words are known  @param living those that count */
export function slowSearch(
  all: readonly SearchDocument[],
  living: readonly SearchDocument[],
  query: Query,
): SlowAnswer {
  const words = parseQuery(query.text);
  const counted = fieldPoints(query.fields);
  const read = new Map(living.map((document) => [document, readDocument(document)]));
  const terms = new Set(all.map(readDocument).flatMap(({ head, body }) => [...head.keys(), ...body]));
  const editsOf = ({ text, isGram }: QueryWord): number => {
    const most = query.typos && !isGram ? allowedEdits(text) : 0;
    return most > 1 && [...terms].some((term) => nearestBeginning(term, text).edits === 1) ? 1 : most;
  };
  const cellsOf = (document: SearchDocument, wholeWords: boolean, edits: readonly number[]) =>
    words.map((_, index) => cellOf(read.get(document) as Words, words, index, wholeWords, edits[index] ?? 0, counted));
  const none = words.map(() => 0);
  const most = words.map(editsOf);
  const isKnown = words.map((_, index) => living.some((one) => cellsOf(one, false, none)[index] !== undefined));
  const bent = most.map((edits, index) => (isKnown[index] ? 0 : edits));
  const readings: [boolean, readonly number[]][] = [
    [true, none],
    [false, none],
    [false, bent],
  ];
  if (words.length > 1 && words.length <= 8) readings.push([false, most]);
  const accepted = living.filter((one) => query.accept?.(one.number, one.type) !== false);
  const shown = (one: SearchDocument) => query.unavailable !== "hide" || one.available;
  if (words.length === 0) return { hits: [], isLoose: false };
  for (const [wholeWords, edits] of readings) {
    const found = accepted
      .map((document) => ({ document, cells: cellsOf(document, wholeWords, edits) }))
      .filter(({ cells }) => cells.every((cell) => cell !== undefined));
    if (found.length === 0) continue;
    const hits = found
      .filter(({ document }) => shown(document))
      .map(({ document, cells }) => ({
        number: document.number,
        type: document.type,
        score: scoreOf(document, cells, (read.get(document) as Words).titleLength, query),
      }))
      .sort((one, other) => other.score - one.score || one.number - other.number);
    return { hits, isLoose: false };
  }
  if (words.length === 1) return { hits: [], isLoose: false };
  for (const withBody of [false, true]) {
    const held = (document: SearchDocument) =>
      cellsOf(document, false, bent).filter((cell) => cell !== undefined && (withBody || cell.position >= 0)).length;
    for (let count = words.length - 1; count > 0; count -= 1) {
      const found = accepted.filter((document) => held(document) === count);
      if (found.length > 0) return { hits: found.filter(shown).map((one) => ({ ...one, score: 0 })), isLoose: true };
    }
  }
  return { hits: [], isLoose: true };
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
  if (cells.length > 1) score += placePoints(cells.length, held, positions, titleLength);
  if (cells.some((cell) => cell?.position === -1)) score += describedPoints;
  score += Math.round(document.popularity * 0xffff) / 0x10000;
  return query.unavailable === "last" && !document.available ? score + unavailablePoints : score;
}
