/** The best documents so far, best first. A document that is offered twice counts with the higher value. */
export class ChampionList {
  length = 0;
  readonly docIds: Uint32Array;
  readonly #values: Int32Array;
  /** An offer must have a higher value than this, or the same and a doc id below `last`. */
  floor = -1;
  last = -1;

  /** @param capacity maximum length */
  constructor(capacity: number) {
    this.docIds = new Uint32Array(capacity);
    this.#values = new Int32Array(capacity);
  }

  offerAll(other: ChampionList): void {
    for (let index = 0; index < other.length; index += 1) {
      const value = other.#values[index] as number;
      const docId = other.docIds[index] as number;
      if (value > this.floor || (value === this.floor && docId < this.last)) this.offer(value, docId);
    }
  }

  offer(value: number, docId: number): void {
    const { docIds } = this;
    const capacity = docIds.length;
    const values = this.#values;
    let end = this.length;
    for (let index = 0; index < this.length; index += 1) if (docIds[index] === docId) end = index;
    if (end < this.length) {
      if ((values[end] as number) >= value) return;
    } else if (end < capacity) this.length += 1;
    else end -= 1;
    // Shifts worse entries by one, over the last one.
    let at = end;
    for (; at > 0; at -= 1) {
      const before = values[at - 1] as number;
      if (before > value || (before === value && (docIds[at - 1] as number) < docId)) break;
      values[at] = before;
      docIds[at] = docIds[at - 1] as number;
    }
    values[at] = value;
    docIds[at] = docId;
    if (this.length < capacity) return;
    this.floor = values[capacity - 1] as number;
    this.last = docIds[capacity - 1] as number;
  }
}
