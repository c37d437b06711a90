/**
 * Stores the `k` best entries, ordered by descending score, then by ascending number. It is a heap with the worst entry
 * on top, so one comparison rejects most entries.
 */
export class TopK {
  readonly #k: number;
  readonly #scores: number[] = [];
  readonly #externalIds: number[] = [];

  constructor(k: number) {
    this.#k = k;
  }

  /** Minimum score of an accepted entry. */
  get floor(): number {
    return this.#externalIds.length < this.#k
      ? Number.NEGATIVE_INFINITY
      : (this.#scores[0] ?? Number.POSITIVE_INFINITY);
  }

  /** Returns whether an entry would be accepted. */
  wants(score: number, number: number): boolean {
    if (this.#externalIds.length < this.#k) return true;
    if (this.#k === 0) return false;
    return isBefore(score, number, this.#scores[0] as number, this.#externalIds[0] as number);
  }

  offer(score: number, number: number): void {
    if (!this.wants(score, number)) return;
    if (this.#externalIds.length < this.#k) this.#add(score, number);
    else this.#replace(0, score, number);
  }

  /** Raises the score of a stored number to a higher score.  @returns whether the number is stored */
  raise(score: number, number: number): boolean {
    const at = this.#externalIds.indexOf(number);
    if (at < 0) return false;
    if (score > (this.#scores[at] as number)) this.#replace(at, score, number);
    return true;
  }

  /** Returns the entries, best first, and clears the heap. */
  take(): { readonly number: number; readonly score: number }[] {
    const found: { readonly number: number; readonly score: number }[] = [];
    while (this.#externalIds.length > 0) {
      found.push({ number: this.#externalIds[0] as number, score: this.#scores[0] as number });
      const score = this.#scores.pop() as number;
      const number = this.#externalIds.pop() as number;
      if (this.#externalIds.length > 0) this.#replace(0, score, number);
    }
    return found.reverse();
  }

  #add(score: number, number: number): void {
    const scores = this.#scores;
    const externalIds = this.#externalIds;
    let at = externalIds.length;
    scores.push(score);
    externalIds.push(number);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(scores[parent] as number, externalIds[parent] as number, score, number)) break;
      scores[at] = scores[parent] as number;
      externalIds[at] = externalIds[parent] as number;
      at = parent;
    }
    scores[at] = score;
    externalIds[at] = number;
  }

  /** Replaces an entry and restores the heap order.  @param from index of the entry in the heap */
  #replace(from: number, score: number, number: number): void {
    const scores = this.#scores;
    const externalIds = this.#externalIds;
    let at = from;
    for (;;) {
      let child = at * 2 + 1;
      if (child >= externalIds.length) break;
      const other = child + 1;
      if (
        other < externalIds.length &&
        isBefore(
          scores[child] as number,
          externalIds[child] as number,
          scores[other] as number,
          externalIds[other] as number,
        )
      )
        child = other;
      if (!isBefore(score, number, scores[child] as number, externalIds[child] as number)) break;
      scores[at] = scores[child] as number;
      externalIds[at] = externalIds[child] as number;
      at = child;
    }
    scores[at] = score;
    externalIds[at] = number;
  }
}

function isBefore(score: number, number: number, otherScore: number, otherNumber: number): boolean {
  return score > otherScore || (score === otherScore && number < otherNumber);
}
