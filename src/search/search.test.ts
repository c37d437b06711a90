import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { chunks, hasDigit, joinedForms } from "./analysis.ts";
import { createSegmentBuilder } from "./index-builder.ts";
import { pairedWords } from "./part.ts";
import { forms, joinings, parseQuery, type QueryWord } from "./query.ts";
import {
  closeDistance,
  closePoints,
  fields,
  startPoints,
  unavailablePoints,
  type Way,
  wholeTitlePoints,
  wordPoints,
} from "./ranking.ts";
import type { Query, SearchDocument } from "./search-index.ts";
import { type Layer, openIndex } from "./segments.ts";
import { allowedEdits } from "./typo.ts";

// The whole search against its definition, written to be read: every document is looked at, word by word.

interface Term {
  readonly text: string;
  fields: number;
  readonly position: number;
}
interface Pair {
  readonly first: string;
  readonly second: string;
  readonly field: number;
  readonly position: number;
}
interface Cell {
  readonly points: number;
  readonly position: number;
}

function readDocument(document: SearchDocument): { terms: Term[]; pairs: Pair[]; titleLength: number } {
  const terms = new Map<string, Term>();
  const pairs: Pair[] = [];
  let position = 0;
  let titleLength = 0;
  const add = (text: string, field: number, at: number) => {
    const known = terms.get(text);
    if (known === undefined) terms.set(text, { text, fields: 1 << field, position: at });
    else known.fields |= 1 << field;
  };
  [...document.fields]
    .sort(([one], [other]) => one - other)
    .forEach(([field, text], index) => {
      let before: string | undefined;
      for (const chunk of chunks(text)) {
        chunk.forEach((part, offset) => {
          const at = position + offset;
          add(part.text, field, at);
          if (before !== undefined && at < pairedWords)
            pairs.push({ first: before, second: part.text, field, position: at - 1 });
          before = part.text;
        });
        for (const form of joinedForms(chunk)) add(form.text, field, position + form.at);
        position += chunk.length;
      }
      if (index === 0 && field === fields.title) titleLength = position;
      position += 3;
    });
  return { terms: [...terms.values()], pairs, titleLength };
}

function nearestBeginning(term: string, word: string): number {
  let rows = [Array.from({ length: word.length + 1 }, (_, column) => column)];
  let least = word.length;
  for (let row = 1; row <= term.length; row += 1) {
    const above = rows[row - 1] ?? [];
    const now = [row];
    for (let column = 1; column <= word.length; column += 1) {
      const cost = term[row - 1] === word[column - 1] ? 0 : 1;
      now[column] = Math.min(
        (above[column] ?? 0) + 1,
        (now[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + cost,
        row > 1 && column > 1 && term[row - 1] === word[column - 2] && term[row - 2] === word[column - 1]
          ? (rows[row - 2]?.[column - 2] ?? 0) + 1
          : 99,
      );
    }
    rows = [...rows, now];
    least = Math.min(least, now[word.length] ?? 99);
  }
  return least;
}

function bestCell(
  document: SearchDocument,
  words: readonly QueryWord[],
  index: number,
  wholeWords: boolean,
  mayBend: boolean,
  mask: number,
): Cell | undefined {
  const { terms, pairs } = readDocument(document);
  const word = words[index] as QueryWord;
  const isPrefix = (one: QueryWord) => one.isPrefix || (!wholeWords && !one.isGram);
  const cells: Cell[] = [];
  const meet = (way: Way, at: { fields: number; position: number }) => {
    cells.push({ points: wordPoints(at.fields & mask, way), position: at.position });
  };
  const joined = joinings(words).filter(({ from, to }) => from <= index && index < to);
  for (const term of terms) {
    if (term.text === word.text) meet("exact", term);
    if (forms(word).includes(term.text)) meet("form", term);
    if (isPrefix(word) && term.text.startsWith(word.text) && term.text !== word.text) meet("prefix", term);
    for (const { text, to } of joined)
      if (isPrefix(words[to - 1] as QueryWord) ? term.text.startsWith(text) : term.text === text) meet("joined", term);
    if (!mayBend || word.isGram || hasDigit(term.text)) continue;
    const edits = nearestBeginning(term.text, word.text);
    if (edits > 0 && edits <= allowedEdits(word.text)) meet(edits === 1 ? "typo" : "twoTypos", term);
  }
  for (const { first, second, field, position } of word.isGram ? [] : pairs) {
    const rest = word.text.slice(first.length);
    if (!word.text.startsWith(first) || rest === "") continue;
    if (isPrefix(word) ? second.startsWith(rest) : second === rest) meet("split", { fields: 1 << field, position });
  }
  return cells
    .filter((cell) => cell.points > 0)
    .sort((one, other) => other.points - one.points || one.position - other.position)[0];
}

function score(document: SearchDocument, cells: readonly (Cell | undefined)[], query: Query): number {
  const { titleLength } = readDocument(document);
  let sum = 0;
  cells.forEach((cell, index) => {
    sum += cell?.points ?? 0;
    const before = cells[index - 1];
    if (cell === undefined || before === undefined) return;
    const distance = cell.position - before.position;
    if (distance >= 0 && distance <= closeDistance) sum += closePoints;
  });
  if (titleLength > 0 && cells[0]?.position === 0) sum += startPoints;
  const inTitle = cells.filter((cell) => cell !== undefined && cell.position < titleLength).length;
  if (titleLength > 0 && inTitle === cells.length && inTitle >= titleLength) sum += wholeTitlePoints;
  sum += Math.round(document.popularity * 0xffff) / 0x10000;
  return query.unavailable === "last" && !document.available ? sum + unavailablePoints : sum;
}

/** Hits of each type, or undefined where words had to be dropped; with it all documents that may be found then. */
function slowSearch(documents: readonly SearchDocument[], query: Query) {
  const words = parseQuery(query.text);
  const mask = query.fields ?? 0x3ff;
  const none = words.map(() => false);
  const cellsOf = (document: SearchDocument, wholeWords: boolean, bent: readonly boolean[]) =>
    words.map((_, index) => bestCell(document, words, index, wholeWords, bent[index] === true, mask));
  const canBend = words.map((word) => query.typos && !word.isGram && allowedEdits(word.text) > 0);
  const isKnown = words.map((_, index) => documents.some((one) => cellsOf(one, false, none)[index] !== undefined));
  const bent = canBend.map((can, index) => can && isKnown[index] !== true);
  const readings: [boolean, readonly boolean[]][] = [
    [true, none],
    [false, none],
    [false, bent],
  ];
  if (words.length > 1 && words.length <= 3) readings.push([false, canBend]);
  const accepted = documents.filter((one) => query.accept?.(one.number, one.type) !== false);
  const shown = (one: SearchDocument) => query.unavailable !== "hide" || one.available;
  for (const [wholeWords, typos] of words.length === 0 ? [] : readings) {
    const found = accepted
      .map((document) => ({ document, cells: cellsOf(document, wholeWords, typos) }))
      .filter(({ cells }) => cells.every((cell) => cell !== undefined));
    if (found.length === 0) continue;
    const hits = found
      .filter(({ document }) => shown(document))
      .map(({ document, cells }) => ({
        number: document.number,
        type: document.type,
        score: score(document, cells, query),
      }))
      .sort((one, other) => other.score - one.score || one.number - other.number);
    return { hits, loose: undefined };
  }
  const held = accepted.map((document) => cellsOf(document, false, bent).filter((cell) => cell !== undefined).length);
  const most = Math.max(0, ...held);
  const loose = accepted.filter((document, index) => most > 0 && held[index] === most && shown(document));
  return { hits: undefined, loose: words.length > 1 ? loose : [] };
}

const vocabulary = [
  ..."red shoe shoes snow board snowboard snowbaord t-shirt tshirt t shirt berry berries nor.0707-60 070760 nor 60".split(
    " ",
  ),
  ..."snowboards abcdefgh abcdefhg abcd abdc a b 東京 東京タワー 京 27 27inch inch sno s".split(" "),
];
const text = fc.array(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: 4 }).map((words) => words.join(" "));
const shape = fc.record({
  type: fc.constantFrom(0, 0, 0, 1, 4),
  available: fc.boolean(),
  popularity: fc.constantFrom(0, 0.25, 0.5),
  fields: fc.array(fc.tuple(fc.constantFrom(0, 0, 1, 4, 8), text), { minLength: 1, maxLength: 4 }),
});
const queryText = fc
  .tuple(
    fc.array(fc.constantFrom(...vocabulary, "snwo", "berri", "zz"), { minLength: 1, maxLength: 3 }),
    fc.nat({ max: 30 }),
  )
  .map(([words, cut]) => {
    const joined = words.join(" ");
    return cut < 15 ? joined : joined.slice(0, Math.max(1, joined.length - (cut % 4)));
  });

test("the best of any query over any catalogue are those a scorer that looks at everything finds", () => {
  const world = fc.record({
    shapes: fc.array(shape, { minLength: 1, maxLength: 14 }),
    // Which documents a second layer holds anew, and which are gone altogether.
    renewed: fc.array(shape, { maxLength: 4 }),
    gone: fc.array(fc.nat({ max: 13 }), { maxLength: 3 }),
    text: queryText,
    k: fc.constantFrom(1, 3, 100),
    fields: fc.constantFrom(undefined, undefined, 1, 0x110),
    typos: fc.boolean(),
    unavailable: fc.constantFrom("last" as const, "show" as const, "hide" as const),
    refused: fc.constantFrom(-1, -1, 2),
  });
  fc.assert(
    fc.property(world, ({ shapes, renewed, gone, text, k, fields, typos, unavailable, refused }) => {
      const first = shapes.map((one, number): SearchDocument => ({ ...one, number, locale: "en" }));
      const second = renewed.map((one, index): SearchDocument => ({ ...one, number: index * 2, locale: "en" }));
      const removed = new Set([...gone, ...second.map((one) => one.number)]);
      const layers: Layer[] = [first, second].map((documents, layer) => {
        const builder = createSegmentBuilder("en");
        for (const document of documents) builder.add(document);
        return { segment: builder.finish(), removed: layer === 0 ? removed : new Set() };
      });
      const index = openIndex(layers, { synonyms: [], popular: [] });
      const live = [...first.filter((one) => !removed.has(one.number)), ...second];
      const query: Query = {
        text,
        locale: "en",
        limits: new Map([
          [0, k],
          [1, k],
        ]),
        typos,
        unavailable,
        accept: (number) => number !== refused,
        ...(fields === undefined ? {} : { fields }),
      };
      const found = index.search(query);
      const { hits, loose } = slowSearch(live, query);
      for (const type of [0, 1]) {
        const mine = found.get(type) ?? [];
        for (const hit of mine) {
          const why = index.explain(query, hit.number);
          assert.equal(why?.score, hit.score);
          assert.ok(Math.abs((why?.parts ?? []).reduce((sum, part) => sum + part.score, 0) - hit.score) < 1e-6);
        }
        if (hits !== undefined) assert.deepEqual(mine, hits.filter((hit) => hit.type === type).slice(0, k));
        else {
          const all = loose
            .filter((one) => one.type === type)
            .map((one) => ({ number: one.number, type, score: index.explain(query, one.number)?.score ?? Number.NaN }))
            .sort((one, other) => other.score - one.score || one.number - other.number);
          assert.deepEqual(mine, all.slice(0, k));
        }
      }
    }),
    { numRuns: 1_500 },
  );
});
