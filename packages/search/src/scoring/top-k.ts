/**
 * Stores the `k` best entries, ordered by descending score, then by ascending external id. It is a heap with the worst
 * entry on top, so one comparison rejects most entries.
 */
export class TopK {
  readonly #capacity: number;
  readonly #scores: number[] = [];
  readonly #externalIds: number[] = [];

  constructor(k: number) {
    this.#capacity = k;
  }

  /** Minimum score with which an entry may be accepted. */
  get minScore(): number {
    return this.#externalIds.length < this.#capacity
      ? Number.NEGATIVE_INFINITY
      : (this.#scores[0] ?? Number.POSITIVE_INFINITY);
  }

  /** Returns whether an entry would be accepted. */
  canAccept(score: number, externalId: number): boolean {
    if (this.#externalIds.length < this.#capacity) return true;
    if (this.#capacity === 0) return false;
    return isRankedBefore(score, externalId, this.#scores[0] as number, this.#externalIds[0] as number);
  }

  offer(score: number, externalId: number): void {
    if (!this.canAccept(score, externalId)) return;
    if (this.#externalIds.length < this.#capacity) this.#insert(score, externalId);
    else this.#replace(0, score, externalId);
  }

  /** Raises the score of an entry if the new score is higher.  @returns whether the entry is stored */
  raiseScore(score: number, externalId: number): boolean {
    const index = this.#externalIds.indexOf(externalId);
    if (index < 0) return false;
    if (score > (this.#scores[index] as number)) this.#replace(index, score, externalId);
    return true;
  }

  /** Returns the entries, best first, and clears the heap. */
  take(): { readonly externalId: number; readonly score: number }[] {
    const entries: { readonly externalId: number; readonly score: number }[] = [];
    while (this.#externalIds.length > 0) {
      entries.push({ externalId: this.#externalIds[0] as number, score: this.#scores[0] as number });
      const score = this.#scores.pop() as number;
      const externalId = this.#externalIds.pop() as number;
      if (this.#externalIds.length > 0) this.#replace(0, score, externalId);
    }
    return entries.reverse();
  }

  #insert(score: number, externalId: number): void {
    const scores = this.#scores;
    const externalIds = this.#externalIds;
    let index = externalIds.length;
    scores.push(score);
    externalIds.push(externalId);
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!isRankedBefore(scores[parent] as number, externalIds[parent] as number, score, externalId)) break;
      scores[index] = scores[parent] as number;
      externalIds[index] = externalIds[parent] as number;
      index = parent;
    }
    scores[index] = score;
    externalIds[index] = externalId;
  }

  /** Replaces an entry and restores the heap order.  @param from index of the entry in the heap */
  #replace(from: number, score: number, externalId: number): void {
    const scores = this.#scores;
    const externalIds = this.#externalIds;
    let index = from;
    for (;;) {
      let childIndex = index * 2 + 1;
      if (childIndex >= externalIds.length) break;
      const rightChild = childIndex + 1;
      if (
        rightChild < externalIds.length &&
        isRankedBefore(
          scores[childIndex] as number,
          externalIds[childIndex] as number,
          scores[rightChild] as number,
          externalIds[rightChild] as number,
        )
      )
        childIndex = rightChild;
      if (!isRankedBefore(score, externalId, scores[childIndex] as number, externalIds[childIndex] as number)) break;
      scores[index] = scores[childIndex] as number;
      externalIds[index] = externalIds[childIndex] as number;
      index = childIndex;
    }
    scores[index] = score;
    externalIds[index] = externalId;
  }
}

function isRankedBefore(score: number, externalId: number, otherScore: number, otherExternalId: number): boolean {
  return score > otherScore || (score === otherScore && externalId < otherExternalId);
}
