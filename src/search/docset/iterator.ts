import type { Leaf, LeafReader, Partition } from "../index/leaf.ts";
import { type BitSet, batchLength, docIdAt, findDocIds } from "./bit-set.ts";
import { deletedOf } from "./filter-cache.ts";

/** Places of one source that were found and not yet met. */
class Stream {
  readonly #leaf: Leaf;
  readonly #sets: readonly BitSet[];
  readonly #deleted: BitSet | undefined;
  readonly #end: number;
  readonly #list: number;
  /** Places looked for at once. */
  #most: number;
  #count = 0;
  #at = 0;
  /** The next docId; `Infinity`: there is no other. */
  next = 0;

  constructor(reader: LeafReader, sets: readonly BitSet[], { from, to }: Partition, list: number, expected: number) {
    this.#leaf = reader.leaf;
    this.#sets = sets;
    this.#deleted = deletedOf(reader);
    this.#end = to;
    this.#list = list;
    this.#most = Math.min(batchLength, expected);
    this.#fill(from);
  }

  advance(): void {
    this.#at += 1;
    if (this.#at < this.#count) this.next = docIdAt(this.#list, this.#at);
    else if (this.#count < this.#most) this.next = Number.POSITIVE_INFINITY;
    else {
      this.#most = batchLength;
      this.#fill(this.next + 1);
    }
  }

  #fill(from: number): void {
    this.#count = findDocIds(this.#sets, this.#deleted, from, this.#end, this.#list, this.#most);
    this.#at = 0;
    this.next = this.#count === 0 ? Number.POSITIVE_INFINITY : docIdAt(this.#list, 0);
    touch(this.#leaf, this.#list, this.#count);
  }
}

/** Looks at the documents of a list, so that they are near when they are read one by one: what does not depend on each other is
 *  fetched from far memory many at a time. */
function touch({ naming, body, documents: { docValues } }: Leaf, list: number, count: number): void {
  const { starts, terms, payloads } = naming.forward;
  let sum = 0;
  for (let entry = 0; entry < count; entry += 1) {
    const docId = docIdAt(list, entry);
    const at = starts[docId] as number;
    sum ^=
      (terms[at] as number) ^
      (payloads[at] as number) ^
      (docValues[docId] as number) ^
      (body.forward.starts[docId] as number);
  }
  touched[0] = sum;
}

/** What is never asked for; but what is read has to go somewhere to be read at all. */
const touched = new Uint32Array(1);

/** Calls back with docIds of a partition whose documents count, ascending, until told true.
 *  @param sources docIds in all sets of one of these, two at most; no docId is in two
 *  @param expected docIds that will be enough, likely */
export function eachDocId(
  sources: readonly (readonly BitSet[])[],
  reader: LeafReader,
  partition: Partition,
  expected: number,
  isEnough: (docId: number) => boolean,
): void {
  const streams = sources.map((sets, list) => new Stream(reader, sets, partition, list, expected));
  for (;;) {
    let first = streams[0];
    for (let index = 1; index < streams.length; index += 1)
      if ((streams[index] as Stream).next < (first as Stream).next) first = streams[index];
    if (first === undefined || first.next === Number.POSITIVE_INFINITY || isEnough(first.next)) return;
    first.advance();
  }
}
