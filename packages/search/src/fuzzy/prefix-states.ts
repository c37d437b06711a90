/** Edit count if more edits than allowed would be necessary. */
export const unreachableEditCount = 9;

/** The length of the searched word and its maximum number of edits. */
export interface EditLimits {
  /** Number of letters in the word. */
  readonly length: number;
  readonly maxEdits: number;
}

/** States of the automaton after some letters of a term. A state is a position in the searched word. */
export class MatchStates {
  /** Bit n is set if the letters read so far are equal to the first n letters of the word. */
  zeroEdits = 0;
  oneEdit = 0;
  twoEdits = 0;
  /** Minimum number of edits between the word and any prefix of the letters read so far. */
  minEdits = unreachableEditCount;
  /** Number of edits between the word and the letters read so far. */
  editDistance = unreachableEditCount;
}

/** Result of `findRequiredPositions` if the next letter may be any letter. */
export const allPositionsMask = -1;

/**
 * Returns a bit mask of positions in the word. If no more edits are allowed, the next letter of a matching term must
 * equal the word's letter at one of these positions. If any letter is allowed, returns `allPositionsMask`.
 * @param swapStartMask bit mask of the positions in the word that are directly before the last read letter
 */
export function findRequiredPositions(
  parentStates: Readonly<MatchStates>,
  previousStates: Readonly<MatchStates>,
  swapStartMask: number,
  maxEdits: number,
): number {
  const allowsEdit = parentStates.zeroEdits !== 0 || (maxEdits > 1 && parentStates.oneEdit !== 0);
  if (allowsEdit || parentStates.minEdits <= maxEdits) return allPositionsMask;
  return maxEdits > 1
    ? parentStates.twoEdits | (previousStates.oneEdit & swapStartMask)
    : parentStates.oneEdit | (previousStates.zeroEdits & swapStartMask);
}

/**
 * Computes the states after one more letter. A state at the end of the word is recorded and removed, because each
 * further letter would be another edit. States that need more edits than a shorter prefix are removed too.
 * @param parentStates states before the letter
 * @param previousStates states before the previous letter
 * @param letterPositions positions of the letter in the word, as bits
 * @param swappedPositions positions of the letter that are followed by the previous letter, as bits
 * @returns whether any state remains
 */
export function advanceStates(
  { length, maxEdits }: EditLimits,
  states: MatchStates,
  parentStates: Readonly<MatchStates>,
  previousStates: Readonly<MatchStates>,
  letterPositions: number,
  swappedPositions: number,
  isDigit = false,
): boolean {
  const wordEndBit = 1 << length;
  const zeroEdits = (parentStates.zeroEdits & letterPositions) << 1;
  let oneEditStates = 0;
  let twoEditStates = 0;
  // Digits are never edited.
  if (!isDigit) {
    oneEditStates =
      ((parentStates.oneEdit & letterPositions) << 1) |
      addEdit(parentStates.zeroEdits, zeroEdits) |
      ((previousStates.zeroEdits & swappedPositions) << 2);
    if (maxEdits > 1)
      twoEditStates =
        ((parentStates.twoEdits & letterPositions) << 1) |
        addEdit(parentStates.oneEdit, oneEditStates) |
        ((previousStates.oneEdit & swappedPositions) << 2);
  }
  const editDistance =
    (zeroEdits & wordEndBit) !== 0
      ? 0
      : (oneEditStates & wordEndBit) !== 0
        ? 1
        : (twoEditStates & wordEndBit) !== 0
          ? 2
          : unreachableEditCount;
  const minEdits = Math.min(parentStates.minEdits, editDistance);
  states.editDistance = editDistance;
  states.minEdits = minEdits;
  states.zeroEdits = zeroEdits & ~wordEndBit;
  states.oneEdit = minEdits < 1 ? 0 : oneEditStates & ~wordEndBit;
  states.twoEdits = minEdits < 2 ? 0 : twoEditStates & ~wordEndBit;
  return (states.zeroEdits | states.oneEdit | states.twoEdits) !== 0;
}

/** Returns the position of the highest set bit: the state that has matched the most letters of the word. */
export function findHighestPosition(positions: number): number {
  return 31 - Math.clz32(positions);
}

/** Returns the states with one additional edit: an insertion or replacement before a letter, or a deletion after it. */
function addEdit(previousStates: number, nextStates: number): number {
  return previousStates | (previousStates << 1) | (nextStates << 1);
}
