import { hasDigit } from "./analysis.ts";
import { type Dictionary, overlapBlock, textCount } from "./dictionary.ts";

/** Letters from which a word may hold one edit, and two. */
export const oneEditFrom = 4;
export const twoEditsFrom = 8;

const outOfReach = 100;

/** Terms `low` up to, not including, `high` are `edits` away. */
export interface TypoRun {
  readonly low: number;
  readonly high: number;
  readonly edits: number;
}

/** How many edits a word may hold; words with digits none: another number is another thing. */
export function allowedEdits(word: string): number {
  if (hasDigit(word)) return 0;
  return word.length >= twoEditsFrom ? 2 : word.length >= oneEditFrom ? 1 : 0;
}

/** Terms of which some beginning is at 1 to `maxEdits` edits from `word`, by its nearest beginning (an edit inserts, deletes or
 *  replaces a letter, or swaps two neighbours). Terms that begin with the word itself are left out, and terms with digits.
 *
 *  The dictionary is walked in order with one row of the edit table a letter. Neighbours share their first letters and so
 *  their first rows; once all of a row is over the limit, every term that shares those letters is passed over. */
export function typoRuns(dictionary: Dictionary, word: string, maxEdits: number): TypoRun[] {
  const { units, starts, overlaps, leastOverlaps } = dictionary;
  const width = word.length + 1;
  const letters = Uint16Array.from(word, (_, index) => word.charCodeAt(index));
  // Deeper than this every value of a row is over the limit.
  const depthLimit = word.length + maxEdits + 1;
  const rows = new Uint8Array((depthLimit + 1) * width);
  for (let column = 0; column < width; column += 1) rows[column] = column;
  /** By depth: the fewest edits of any beginning up to there. */
  const fewest = new Uint8Array(depthLimit + 1).fill(255);
  const runs: TypoRun[] = [];
  let last: { low: number; high: number; edits: number } | undefined;
  const count = textCount(dictionary);
  /** Rows 0 to `depth` belong to the term at hand; `isDead`: the last of them is over the limit. */
  let depth = 0;
  let isDead = false;
  for (let term = 0; term < count; term += 1) {
    // What shares a dead row has no hope, unless a beginning before that row was near enough.
    if (isDead && (fewest[depth] as number) > maxEdits) {
      while (term < count && (overlaps[term] as number) >= depth)
        term += term % overlapBlock === 0 && (leastOverlaps[term / overlapBlock] as number) >= depth ? overlapBlock : 1;
      if (term >= count) break;
    }
    const common = overlaps[term] as number;
    const isSame = isDead && common >= depth;
    const start = starts[term] as number;
    const length = (starts[term + 1] as number) - start;
    if (!isSame) {
      if (common < depth) {
        depth = common;
        isDead = false;
      }
      while (depth < length && depth < depthLimit && !isDead) {
        depth += 1;
        isDead = nextRow(rows, width, depth, letters, units, start, maxEdits) > maxEdits;
        fewest[depth] = Math.min(fewest[depth - 1] as number, rows[depth * width + width - 1] as number);
      }
    }
    const edits = fewest[depth] as number;
    if (edits === 0 || edits > maxEdits || holdsDigit(units, start, length)) continue;
    if (last !== undefined && last.high === term && last.edits === edits) last.high = term + 1;
    else {
      last = { low: term, high: term + 1, edits };
      runs.push(last);
    }
  }
  return runs;
}

/** Fills row `depth` of the edit table, as far from the diagonal as `maxEdits` reach. @returns its lowest value */
function nextRow(
  rows: Uint8Array,
  width: number,
  depth: number,
  letters: Uint16Array,
  units: Uint16Array,
  start: number,
  maxEdits: number,
): number {
  const row = depth * width;
  const above = row - width;
  const letter = units[start + depth - 1] as number;
  const letterBefore = depth > 1 ? (units[start + depth - 2] as number) : -1;
  const from = Math.max(1, depth - maxEdits);
  const to = Math.min(width - 1, depth + maxEdits);
  // What lies outside of the band is out of reach.
  rows[row + width - 1] = outOfReach;
  rows[row + from - 1] = from === 1 ? depth : outOfReach;
  let lowest = from === 1 ? depth : outOfReach;
  for (let column = from; column <= to; column += 1) {
    const typed = letters[column - 1] as number;
    let edits = (rows[above + column - 1] as number) + (typed === letter ? 0 : 1);
    edits = Math.min(edits, (rows[above + column] as number) + 1, (rows[row + column - 1] as number) + 1);
    if (column > 1 && typed === letterBefore && letters[column - 2] === letter)
      edits = Math.min(edits, (rows[above - width + column - 2] as number) + 1);
    rows[row + column] = edits;
    if (edits < lowest) lowest = edits;
  }
  if (to + 1 < width) rows[row + to + 1] = outOfReach;
  return lowest;
}

function holdsDigit(units: Uint16Array, start: number, length: number): boolean {
  for (let index = start; index < start + length; index += 1) {
    const unit = units[index] as number;
    if (unit >= 48 && unit <= 57) return true;
    if (unit > 127 && hasDigit(String.fromCharCode(unit))) return true;
  }
  return false;
}
