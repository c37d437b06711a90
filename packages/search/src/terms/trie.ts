import { isDigit } from "../analysis/chunks.ts";
import { createSharedUint8, createSharedUint16, createSharedUint32 } from "../arrays/shared-arrays.ts";

/**
 * A trie of the first letters of sorted texts. A node on level d represents all texts with the same first d + 1
 * letters, or one text of d letters:
 *
 *     texts      sea  snow  snowboard  sun      (0 to 3)
 *     level 0    s 0                            nodeStarts 0 4        firstChildren 0 3
 *     level 1    se 0   sn 1   su 3             nodeStarts 0 1 3 4    ...
 */
export interface Trie {
  readonly levels: readonly TrieLevel[];
}

export interface TrieLevel {
  /** Letter of each node, or 0 if the node's text ends at its parent. */
  readonly letters: Uint16Array;
  /** Ordinal of the first text of each node. The additional last entry is the number of texts. */
  readonly nodeStarts: Uint32Array;
  /**
   * Index of each node's first child on the next level. The additional last entry is the number of children. Empty on
   * the last level.
   */
  readonly firstChildren: Uint32Array;
  /** Bit mask for each node: the letters that occur before the first digit in its texts. Empty on deep levels. */
  readonly masks: Uint32Array;
  /** Length of the longest text of each node before its first digit, at most 255. Empty on deep levels. */
  readonly longest: Uint8Array;
}

/** Number of levels with letter masks. Deeper levels have nearly as many nodes as there are texts. */
const maskLevelCount = 4;

/** Number of levels. The few texts with more letters in common are compared one by one. */
const trieDepth = 6;

/** @param commonPrefixes number of letters that each text has in common with the previous text; 0 for the first */
export function packTrie(units: Uint16Array, starts: Uint32Array, commonPrefixes: Uint8Array): Trie {
  const levels: TrieLevel[] = [];
  for (let level = 0; level < trieDepth; level += 1) {
    const nodeCount = commonPrefixes.reduce((sum, prefixLength) => (prefixLength <= level ? sum + 1 : sum), 0);
    const packedLevel = {
      letters: createSharedUint16(nodeCount),
      nodeStarts: createSharedUint32(nodeCount + 1),
      firstChildren: createSharedUint32(0),
      masks: createSharedUint32(level < maskLevelCount ? nodeCount : 0),
      longest: createSharedUint8(level < maskLevelCount ? nodeCount : 0),
    };
    let node = 0;
    for (let text = 0; text < commonPrefixes.length; text += 1) {
      if ((commonPrefixes[text] as number) > level) continue;
      packedLevel.nodeStarts[node] = text;
      const position = (starts[text] as number) + level;
      packedLevel.letters[node] = position < (starts[text + 1] as number) ? (units[position] as number) : 0;
      node += 1;
    }
    packedLevel.nodeStarts[node] = commonPrefixes.length;
    levels.push(packedLevel);
  }
  fillNodeLetterMasks(levels.slice(0, maskLevelCount), units, starts);
  return {
    levels: levels.map((level, index) => ({ ...level, firstChildren: findChildren(level, levels[index + 1]) })),
  };
}

/** Computes the letter masks and the maximum text lengths of all nodes. */
function fillNodeLetterMasks(levels: readonly TrieLevel[], units: Uint16Array, starts: Uint32Array): void {
  const nodeIndices = levels.map(() => 0);
  for (let text = 0; text + 1 < starts.length; text += 1) {
    const from = starts[text] as number;
    const end = findFirstDigit(units, from, starts[text + 1] as number);
    const letterMask = computeLetterMask(units, from, end);
    const length = Math.min(255, end - from);
    levels.forEach(({ nodeStarts, masks, longest }, level) => {
      if (text === nodeStarts[(nodeIndices[level] as number) + 1])
        nodeIndices[level] = (nodeIndices[level] as number) + 1;
      const node = nodeIndices[level] as number;
      masks[node] = (masks[node] as number) | letterMask;
      longest[node] = Math.max(longest[node] as number, length);
    });
  }
}

function findFirstDigit(units: Uint16Array, from: number, end: number): number {
  let position = from;
  while (position < end && !isDigit(units[position] as number)) position += 1;
  return position;
}

/** Returns the letters of a text as a bit mask. */
function computeLetterMask(units: Uint16Array, from: number, end: number): number {
  let letterBits = 0;
  for (let position = from; position < end; position += 1) letterBits |= computeLetterBit(units[position] as number);
  return letterBits >>> 0;
}

/** Returns the bit of a letter. Several letters share one bit. */
export function computeLetterBit(letter: number): number {
  return 1 << (letter & 31);
}

function findChildren({ nodeStarts }: TrieLevel, nextLevel: TrieLevel | undefined): Uint32Array {
  if (nextLevel === undefined) return createSharedUint32(0);
  const firstChildren = createSharedUint32(nodeStarts.length);
  let childIndex = 0;
  for (let node = 0; node < nodeStarts.length; node += 1) {
    while ((nextLevel.nodeStarts[childIndex] as number) < (nodeStarts[node] as number)) childIndex += 1;
    firstChildren[node] = childIndex;
  }
  return firstChildren;
}

/**
 * Finds the texts that begin with the same letters as `text`. Only as many letters are compared as the trie has levels.
 * @returns the first ordinal and the end in one number, `low * 2^26 + high`, which avoids an allocation
 */
export function findTrieNode({ levels }: Trie, text: string): number {
  const letters = Math.min(text.length, levels.length);
  let from = 0;
  let end = levels[0]?.letters.length ?? 0;
  let node = -1;
  for (let level = 0; level < letters; level += 1) {
    const { letters: nodeLetters, firstChildren } = levels[level] as TrieLevel;
    const letter = text.charCodeAt(level);
    let low = from;
    let high = end;
    while (low < high) {
      const middleIndex = (low + high) >>> 1;
      if ((nodeLetters[middleIndex] as number) < letter) low = middleIndex + 1;
      else high = middleIndex;
    }
    if (low === end || nodeLetters[low] !== letter) return 0;
    node = low;
    if (level + 1 === letters) break;
    from = firstChildren[node] as number;
    end = firstChildren[node + 1] as number;
  }
  const { nodeStarts } = levels[letters - 1] as TrieLevel;
  return (nodeStarts[node] as number) * 0x4000000 + (nodeStarts[node + 1] as number);
}
