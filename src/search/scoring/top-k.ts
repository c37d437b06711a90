/** Keeps the best `k` of what is offered: by higher score, then by lower number.
 *  A heap with the worst on top, so that one comparison refuses most offers. */
export class TopK {
  readonly #k: number;
  readonly #scores: number[] = [];
  readonly #externalIds: number[] = [];

  constructor(k: number) {
    this.#k = k;
  }

  /** Offers below this are not kept. */
  get floor(): number {
    return this.#externalIds.length < this.#k
      ? Number.NEGATIVE_INFINITY
      : (this.#scores[0] ?? Number.POSITIVE_INFINITY);
  }

  /** Whether an offer would be kept. */
  wants(score: number, number: number): boolean {
    if (this.#externalIds.length < this.#k) return true;
    if (this.#k === 0) return false;
    return isBefore(score, number, this.#scores[0] as number, this.#externalIds[0] as number);
  }

  offer(score: number, number: number): void {
    if (!this.wants(score, number)) return;
    const scores = this.#scores;
    const externalIds = this.#externalIds;
    let at = externalIds.length;
    if (at < this.#k) {
      scores.push(score);
      externalIds.push(number);
      while (at > 0) {
        const parent = (at - 1) >> 1;
        if (!isBefore(scores[parent] as number, externalIds[parent] as number, score, number)) break;
        scores[at] = scores[parent] as number;
        externalIds[at] = externalIds[parent] as number;
        at = parent;
      }
    } else {
      at = 0;
      for (;;) {
        let child = at * 2 + 1;
        if (child >= externalIds.length) break;
        if (
          child + 1 < externalIds.length &&
          isBefore(
            scores[child] as number,
            externalIds[child] as number,
            scores[child + 1] as number,
            externalIds[child + 1] as number,
          )
        )
          child += 1;
        if (!isBefore(score, number, scores[child] as number, externalIds[child] as number)) break;
        scores[at] = scores[child] as number;
        externalIds[at] = externalIds[child] as number;
        at = child;
      }
    }
    scores[at] = score;
    externalIds[at] = number;
  }

  /** Best first. */
  take(): { readonly number: number; readonly score: number }[] {
    return this.#externalIds
      .map((number, index) => ({ number, score: this.#scores[index] as number }))
      .sort((one, other) => other.score - one.score || one.number - other.number);
  }
}

function isBefore(score: number, number: number, otherScore: number, otherNumber: number): boolean {
  return score > otherScore || (score === otherScore && number < otherNumber);
}
