/** Number of edits that marks an unreachable word. */
export const unreachable = 9;

/** The word that is searched. */
export interface WordLimits {
  /** Number of letters in the word. */
  readonly length: number;
  readonly maxEdits: number;
}

/** States after some letters of a term. A state is a reached number of letters of the word. */
export class PrefixStates {
  /** Bit n is set if n letters of the word are reached without edits. */
  zeroEdits = 0;
  oneEdit = 0;
  twoEdits = 0;
  /** Minimum number of edits that reach the entire word after these letters or fewer. */
  minEdits = unreachable;
  /** Number of edits that reach the entire word after exactly these letters. */
  exactEdits = unreachable;
}

/** Result of `findRequiredPositions` if any letter is possible. */
export const anyPosition = -1;

/**
 * Returns the positions that the next letter must match for any state to remain. If no edits remain, most letters match
 * none.
 * @param swapPositions positions before those of the last letter
 */
export function findRequiredPositions(
  parentStates: Readonly<PrefixStates>,
  earlierStates: Readonly<PrefixStates>,
  swapPositions: number,
  maxEdits: number,
): number {
  const mayEdit = parentStates.zeroEdits !== 0 || (maxEdits > 1 && parentStates.oneEdit !== 0);
  if (mayEdit || parentStates.minEdits <= maxEdits) return anyPosition;
  return maxEdits > 1
    ? parentStates.twoEdits | (earlierStates.oneEdit & swapPositions)
    : parentStates.oneEdit | (earlierStates.zeroEdits & swapPositions);
}

/**
 * Computes the states after one more letter. A state that reaches the entire word is recorded and dropped, because
 * further letters are further edits. States with more edits than a prefix needs are dropped too.
 * @param parentStates states before the letter
 * @param earlierStates states before the previous letter
 * @param letterPositions positions of the letter
 * @param swappedPositions positions where the previous letter follows the letter
 * @returns whether any state remains
 */
export function advance(
  { length, maxEdits }: WordLimits,
  states: PrefixStates,
  parentStates: Readonly<PrefixStates>,
  earlierStates: Readonly<PrefixStates>,
  letterPositions: number,
  swappedPositions: number,
  isDigit = false,
): boolean {
  const endMask = 1 << length;
  const zeroEdits = (parentStates.zeroEdits & letterPositions) << 1;
  let oneEdit = 0;
  let twoEdits = 0;
  // A word with a digit allows no edits, so no edit reads a digit.
  if (!isDigit) {
    oneEdit =
      ((parentStates.oneEdit & letterPositions) << 1) |
      addEdit(parentStates.zeroEdits, zeroEdits) |
      ((earlierStates.zeroEdits & swappedPositions) << 2);
    if (maxEdits > 1)
      twoEdits =
        ((parentStates.twoEdits & letterPositions) << 1) |
        addEdit(parentStates.oneEdit, oneEdit) |
        ((earlierStates.oneEdit & swappedPositions) << 2);
  }
  const exactEdits =
    (zeroEdits & endMask) !== 0 ? 0 : (oneEdit & endMask) !== 0 ? 1 : (twoEdits & endMask) !== 0 ? 2 : unreachable;
  const minEdits = Math.min(parentStates.minEdits, exactEdits);
  states.exactEdits = exactEdits;
  states.minEdits = minEdits;
  states.zeroEdits = zeroEdits & ~endMask;
  states.oneEdit = minEdits < 1 ? 0 : oneEdit & ~endMask;
  states.twoEdits = minEdits < 2 ? 0 : twoEdits & ~endMask;
  return (states.zeroEdits | states.oneEdit | states.twoEdits) !== 0;
}

/** Returns the highest position, from which the rest of the word is shortest. */
export function highestPosition(positions: number): number {
  return 31 - Math.clz32(positions);
}

/** Returns the states with one additional edit: an insertion or replacement before a letter, or a deletion after it. */
function addEdit(statesBefore: number, statesAfter: number): number {
  return statesBefore | (statesBefore << 1) | (statesAfter << 1);
}
