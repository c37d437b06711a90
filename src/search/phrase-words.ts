import { isDigit } from "./analysis.ts";
import { widened } from "./shared-arrays.ts";
import { TermTable, textOfUnits } from "./term-table.ts";

/** The words of titles while phrases are counted, each known by a number; counted as runs are (see `RunTable`). */
export interface WordList {
  readonly count: number;
  /** The number of the word at `start` up to, not including, `end`; -1 where the list is full and does not have it. */
  number(units: Uint16Array, start: number, end: number): number;
  /** Whether a phrase may begin and end with it: no filler word, no number and no lone letter. */
  isEdge(word: number): boolean;
  /** In UTF-16 units. */
  length(word: number): number;
  text(word: number): string;
  met(word: number): number;
  meet(word: number, times: number): void;
  wholes(word: number): number;
  addWhole(word: number, points: number): void;
}

/** Words known at most; those met later are rare and count as unknown. */
const maxWords = 1 << 20;
const fillers = new Set(
  "and or for with the a an in of on to by from de la le les el los del des du et en y con para por pour avec und der die das mit für von im".split(
    " ",
  ),
);

export function createWordList(): WordList {
  const table = new TermTable(maxWords);
  /** By word, four values that are looked at together: met, wholes, length, 1 for an edge. */
  let counts = new Uint32Array(1 << 12);
  return {
    get count() {
      return table.size;
    },
    number(units, start, end) {
      const known = table.size;
      const word = table.add(units, start, end);
      if (word < known) return word;
      if (word * 4 === counts.length) counts = widened(counts);
      counts[word * 4 + 2] = end - start;
      counts[word * 4 + 3] = isGoodEdge(units, start, end) ? 1 : 0;
      return word;
    },
    isEdge: (word) => counts[word * 4 + 3] === 1,
    length: (word) => counts[word * 4 + 2] as number,
    text: (word) => table.textOf(word),
    met: (word) => counts[word * 4] as number,
    meet(word, times) {
      counts[word * 4] = (counts[word * 4] as number) + times;
    },
    wholes: (word) => counts[word * 4 + 1] as number,
    addWhole(word, points) {
      counts[word * 4 + 1] = (counts[word * 4 + 1] as number) + points;
    },
  };
}

function isGoodEdge(units: Uint16Array, start: number, end: number): boolean {
  let isAscii = true;
  for (let index = start; index < end; index += 1) {
    const unit = units[index] as number;
    if (isDigit(unit)) return false;
    if (unit > 0x7f) isAscii = false;
  }
  if (isAscii && end - start < 3) return false;
  const word = textOfUnits(units, start, end);
  if (fillers.has(word)) return false;
  return isAscii || (/\p{L}/u.test(word) && !/\p{N}/u.test(word));
}
