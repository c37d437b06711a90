import { isDigit } from "../analysis/chunks.ts";
import { sharedUint8, sharedUint16, sharedUint32 } from "../arrays/shared-arrays.ts";

/**
 * A trie of the first letters of sorted texts, level by level. A node of level d stands for all texts with the same
 * first d + 1 letters, or for one text of d letters:
 *
 *     texts      sea  snow  snowboard  sun      (0 to 3)
 *     level 0    s 0                            firstTexts 0 4        firstChildren 0 3
 *     level 1    se 0   sn 1   su 3             firstTexts 0 1 3 4    ...
 */
export interface Trie {
  readonly levels: readonly Level[];
}

export interface Level {
  /** By node: its letter; 0: its text ends above. */
  readonly letters: Uint16Array;
  /** By node: ordinal of its first text; one additional entry at the end. */
  readonly firstTexts: Uint32Array;
  /** By node: its first child in the level below; one more entry than nodes. Empty in the lowest level. */
  readonly firstChildren: Uint32Array;
  /**
   * By node: letters of its texts before the first digit, see `letterBit`, and their maximum number. Empty below
   * `toldLevels`.
   */
  readonly masks: Uint32Array;
  readonly longest: Uint8Array;
}

/** Levels whose nodes have masks; deeper levels have nearly as many nodes as there are texts. */
const maskedLevels = 4;

/** Levels; few texts share more letters, and these are read one by one. */
const depth = 6;

/** @param commonPrefixes by text: letters that it shares with the text before; 0 for the first */
export function packTrie(units: Uint16Array, starts: Uint32Array, commonPrefixes: Uint8Array): Trie {
  const levels: Level[] = [];
  for (let level = 0; level < depth; level += 1) {
    const nodes = commonPrefixes.reduce((sum, overlap) => (overlap <= level ? sum + 1 : sum), 0);
    const packed = {
      letters: sharedUint16(nodes),
      firstTexts: sharedUint32(nodes + 1),
      firstChildren: sharedUint32(0),
      masks: sharedUint32(level < maskedLevels ? nodes : 0),
      longest: sharedUint8(level < maskedLevels ? nodes : 0),
    };
    let node = 0;
    for (let text = 0; text < commonPrefixes.length; text += 1) {
      if ((commonPrefixes[text] as number) > level) continue;
      packed.firstTexts[node] = text;
      const at = (starts[text] as number) + level;
      packed.letters[node] = at < (starts[text + 1] as number) ? (units[at] as number) : 0;
      node += 1;
    }
    packed.firstTexts[node] = commonPrefixes.length;
    levels.push(packed);
  }
  fillMasks(levels.slice(0, maskedLevels), units, starts);
  return { levels: levels.map((level, at) => ({ ...level, firstChildren: childrenOf(level, levels[at + 1]) })) };
}

/** Computes the letters below each node. */
function fillMasks(levels: readonly Level[], units: Uint16Array, starts: Uint32Array): void {
  const nodes = levels.map(() => 0);
  for (let text = 0; text + 1 < starts.length; text += 1) {
    const from = starts[text] as number;
    const to = endOfLetters(units, from, starts[text + 1] as number);
    const mask = lettersIn(units, from, to);
    const length = Math.min(255, to - from);
    levels.forEach(({ firstTexts, masks, longest }, level) => {
      if (text === firstTexts[(nodes[level] as number) + 1]) nodes[level] = (nodes[level] as number) + 1;
      const node = nodes[level] as number;
      masks[node] = (masks[node] as number) | mask;
      longest[node] = Math.max(longest[node] as number, length);
    });
  }
}

function endOfLetters(units: Uint16Array, from: number, to: number): number {
  let at = from;
  while (at < to && !isDigit(units[at] as number)) at += 1;
  return at;
}

/** The letters of a text as bits. */
function lettersIn(units: Uint16Array, from: number, to: number): number {
  let found = 0;
  for (let at = from; at < to; at += 1) found |= letterBit(units[at] as number);
  return found >>> 0;
}

/** Bit of a letter; letters of some scripts share one. */
export function letterBit(letter: number): number {
  return 1 << (letter & 31);
}

function childrenOf({ firstTexts }: Level, below: Level | undefined): Uint32Array {
  if (below === undefined) return sharedUint32(0);
  const firstChildren = sharedUint32(firstTexts.length);
  let child = 0;
  for (let node = 0; node < firstTexts.length; node += 1) {
    while ((below.firstTexts[child] as number) < (firstTexts[node] as number)) child += 1;
    firstChildren[node] = child;
  }
  return firstChildren;
}

/**
 * The texts with the same first letters as `text`, as many as there are levels.
 * @returns the first ordinal and the end in one number, `low * 2^26 + high`, which avoids an allocation
 */
export function findTrieNode({ levels }: Trie, text: string): number {
  const letters = Math.min(text.length, levels.length);
  let from = 0;
  let to = levels[0]?.letters.length ?? 0;
  let node = -1;
  for (let level = 0; level < letters; level += 1) {
    const { letters: known, firstChildren } = levels[level] as Level;
    const letter = text.charCodeAt(level);
    let low = from;
    let high = to;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((known[middle] as number) < letter) low = middle + 1;
      else high = middle;
    }
    if (low === to || known[low] !== letter) return 0;
    node = low;
    if (level + 1 === letters) break;
    from = firstChildren[node] as number;
    to = firstChildren[node + 1] as number;
  }
  const { firstTexts } = levels[letters - 1] as Level;
  return (firstTexts[node] as number) * 0x4000000 + (firstTexts[node + 1] as number);
}
