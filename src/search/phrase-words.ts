/** The words of titles while phrases are counted, each known by a number. Texts lie one after the other in one array, so that a
 *  million of them is a few megabytes. */
export interface WordList {
  readonly count: number;
  /** The number of the word at `start` up to, not including, `end`; -1 where the list is full and does not have it. */
  number(units: Uint16Array, start: number, end: number): number;
  /** Whether a phrase may begin and end with it: no filler word, no number and no lone letter. */
  isEdge(word: number): boolean;
  /** In UTF-16 units. */
  length(word: number): number;
  text(word: number): string;
}

/** Words known at most; those met later are rare and count as unknown. */
const maxWords = 1 << 20;
const fillers = new Set(
  "and or for with the a an in of on to by from de la le les el los del des du et en y con para por pour avec und der die das mit für von im".split(
    " ",
  ),
);

export function createWordList(): WordList {
  let count = 0;
  let units = new Uint16Array(1 << 12);
  let starts = new Uint32Array(1 << 10);
  let hashes = new Uint32Array(1 << 10);
  let edges = new Uint8Array(1 << 10);
  /** Hash -> number + 1; 0: free. At least twice as many as words. */
  let slots = new Uint32Array(1 << 11);

  const textOf = (word: number) => String.fromCharCode(...units.subarray(starts[word], starts[word + 1]));
  const isAt = (word: number, other: Uint16Array, start: number, end: number): boolean => {
    const from = starts[word] as number;
    if ((starts[word + 1] as number) - from !== end - start) return false;
    for (let index = start; index < end; index += 1) if (units[from + index - start] !== other[index]) return false;
    return true;
  };
  const grow = (): void => {
    starts = widened(starts);
    hashes = widened(hashes);
    edges = widened(edges);
    slots = new Uint32Array(slots.length * 2);
    const mask = slots.length - 1;
    for (let word = 0; word < count; word += 1) {
      let slot = (hashes[word] as number) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = word + 1;
    }
  };
  const add = (other: Uint16Array, start: number, end: number, hash: number): number => {
    if (count === maxWords) return -1;
    if (count + 1 === starts.length) grow();
    const from = starts[count] as number;
    while (from + end - start > units.length) units = widened(units);
    for (let index = start; index < end; index += 1) units[from + index - start] = other[index] as number;
    starts[count + 1] = from + end - start;
    hashes[count] = hash;
    edges[count] = isGoodEdge(textOf(count)) ? 1 : 0;
    const mask = slots.length - 1;
    let slot = hash & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = count + 1;
    count += 1;
    return count - 1;
  };
  return {
    get count() {
      return count;
    },
    number(other, start, end) {
      const hash = hashOf(other, start, end);
      const mask = slots.length - 1;
      for (let slot = hash & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
        const word = (slots[slot] as number) - 1;
        if (hashes[word] === hash && isAt(word, other, start, end)) return word;
      }
      return add(other, start, end, hash);
    },
    isEdge: (word) => edges[word] === 1,
    length: (word) => (starts[word + 1] as number) - (starts[word] as number),
    text: textOf,
  };
}

/** Twice as long, with the same values at its start. */
export function widened<T extends Uint8Array | Uint16Array | Uint32Array>(values: T): T {
  const wider = new (values.constructor as new (length: number) => T)(values.length * 2);
  wider.set(values);
  return wider;
}

function hashOf(units: Uint16Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let index = start; index < end; index += 1) hash = Math.imul(hash ^ (units[index] as number), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}

function isGoodEdge(word: string): boolean {
  if (fillers.has(word)) return false;
  if (/^[\x00-\x7f]*$/.test(word)) return word.length >= 3 && !/[0-9]/.test(word);
  return /\p{L}/u.test(word) && !/\p{N}/u.test(word);
}
