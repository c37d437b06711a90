import type { Source } from "./expansion.ts";
import type { Part, View } from "./part.ts";
import { firstNotBelow } from "./postings.ts";
import { cell, type PointTables } from "./ranking.ts";

/** The best match of each word in each document of a part, while one query is answered.
 *
 *      cells[word][place]   0: the word is not in the document; else see `cell`
 *      touched              places of documents worth a look, `touchedCount` of them
 *
 *  Kept from query to query, since wiping what was touched costs less than making it anew. */
export interface Matches {
  readonly cells: readonly Int32Array[];
  readonly touched: Uint32Array;
  readonly touchedCount: number;
}

interface Board {
  readonly cells: Int32Array[];
  readonly touched: Uint32Array;
  touchedCount: number;
  readonly seen: Uint8Array;
}

/** Answers are made one at a time and without waiting, so one board a part is enough. */
const boards = new WeakMap<Part, Board>();

/** Fills the board of a part; `wipe` must follow.
 *  @param sources by word
 *  @param minWords documents with fewer words are of no interest: what is met first in the third-rarest of four words holds two
 *  at most. The caller still has to count. */
export function match(
  view: View,
  sources: readonly (readonly Source[])[],
  tables: PointTables,
  minWords: number,
): Matches {
  const { part } = view;
  let board = boards.get(part);
  if (board === undefined) {
    const size = part.documents.numbers.length;
    board = { cells: [], touched: new Uint32Array(size), touchedCount: 0, seen: new Uint8Array(size) };
    boards.set(part, board);
  }
  while (board.cells.length < sources.length) board.cells.push(new Int32Array(part.documents.numbers.length));
  const costs = sources.map(cost);
  const order = sources.map((_, word) => word).filter((word) => costs[word] !== 0);
  order.sort((one, other) => (costs[one] as number) - (costs[other] as number));
  for (const [turn, word] of order.entries()) {
    const opens = order.length - turn >= minWords;
    if (!opens && board.touchedCount === 0) break;
    const column = board.cells[word] as Int32Array;
    for (const source of sources[word] as readonly Source[]) {
      const table = tables[source.way];
      const isWide = source.to - source.from > board.touchedCount * wideRun;
      if (!opens && isWide && source.documents === part.postings.documents)
        applyToTouched(source, part, column, table, board);
      else apply(source, column, table, board, opens);
    }
  }
  return { cells: board.cells.slice(0, sources.length), touched: board.touched, touchedCount: board.touchedCount };
}

/** Postings a touched document from which it is cheaper to ask the documents. */
const wideRun = 4;

export function wipe(view: View, { cells, touched, touchedCount }: Matches): void {
  const board = boards.get(view.part);
  if (board === undefined) return;
  for (let index = 0; index < touchedCount; index += 1) board.seen[touched[index] as number] = 0;
  for (const column of cells)
    for (let index = 0; index < touchedCount; index += 1) column[touched[index] as number] = 0;
  board.touchedCount = 0;
}

/** How many postings the sources of a word hold. */
export function cost(sources: readonly Source[]): number {
  return sources.reduce((sum, { from, to }) => sum + to - from, 0);
}

/** @param opens whether documents not seen yet are let in */
function apply(source: Source, column: Int32Array, table: Uint8Array, board: Board, opens: boolean): void {
  const { documents, payloads, from, to } = source;
  const { seen, touched } = board;
  let count = board.touchedCount;
  for (let posting = from; posting < to; posting += 1) {
    const place = documents[posting] as number;
    if (seen[place] === 0 && !opens) continue;
    const value = payloads[posting] as number;
    const points = table[value >>> 16] as number;
    if (points === 0) continue;
    if (seen[place] === 0) {
      seen[place] = 1;
      touched[count] = place;
      count += 1;
    }
    const better = cell(points, value);
    if (better > (column[place] as number)) column[place] = better;
  }
  board.touchedCount = count;
}

/** The same for a run of the part's own postings, by looking into each touched document. */
function applyToTouched(source: Source, part: Part, column: Int32Array, table: Uint8Array, board: Board): void {
  const { payloads, from, to } = source;
  const { starts, postings } = part.byDocument;
  for (let index = 0; index < board.touchedCount; index += 1) {
    const place = board.touched[index] as number;
    const end = starts[place + 1] as number;
    let low = firstNotBelow(postings, starts[place] as number, end, from);
    for (; low < end && (postings[low] as number) < to; low += 1) {
      const value = payloads[postings[low] as number] as number;
      const points = table[value >>> 16] as number;
      if (points === 0) continue;
      const better = cell(points, value);
      if (better > (column[place] as number)) column[place] = better;
    }
  }
}
