import type { Source } from "./expansion.ts";
import type { Part, View } from "./part.ts";
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
  readonly seen: Uint8Array;
}

/** Answers are made one at a time and without waiting, so one board a part is enough. */
const boards = new WeakMap<Part, Board>();

/** Fills the board of a part; `wipe` must follow.
 *  @param sources by word  @param requireAll only documents with all words are of interest (the rarest word then names them; the
 *  caller still has to look whether the others are there) */
export function match(view: View, sources: readonly Source[][], tables: PointTables, requireAll: boolean): Matches {
  const { part } = view;
  let board = boards.get(part);
  if (board === undefined) {
    const size = part.documents.numbers.length;
    board = { cells: [], touched: new Uint32Array(size), seen: new Uint8Array(size) };
    boards.set(part, board);
  }
  while (board.cells.length < sources.length) board.cells.push(new Int32Array(part.documents.numbers.length));
  const cells = board.cells.slice(0, sources.length);
  const order = sources.map((_, word) => word).sort((one, other) => cost(sources[one]) - cost(sources[other]));
  if (requireAll && cost(sources[order[0] as number]) === 0) return { cells, touched: board.touched, touchedCount: 0 };

  const { seen, touched } = board;
  let touchedCount = 0;
  order.forEach((word, turn) => {
    const isGate = turn === 0 || !requireAll;
    for (const source of sources[word] as Source[])
      touchedCount = apply(source, cells[word] as Int32Array, tables[source.way], seen, touched, touchedCount, isGate);
  });
  return { cells, touched, touchedCount };
}

export function wipe(view: View, { cells, touched, touchedCount }: Matches): void {
  const seen = boards.get(view.part)?.seen;
  for (let index = 0; index < touchedCount; index += 1) {
    const place = touched[index] as number;
    if (seen !== undefined) seen[place] = 0;
    for (const column of cells) column[place] = 0;
  }
}

function cost(sources: readonly Source[] | undefined): number {
  return (sources ?? []).reduce((sum, { from, to }) => sum + to - from, 0);
}

/** @param opens whether documents not seen yet are let in  @returns how many are touched now */
function apply(
  { documents, payloads, from, to }: Source,
  column: Int32Array,
  table: Uint8Array,
  seen: Uint8Array,
  touched: Uint32Array,
  touchedBefore: number,
  opens: boolean,
): number {
  let count = touchedBefore;
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
  return count;
}
