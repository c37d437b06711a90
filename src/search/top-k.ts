/** Keeps the best `k` of what is offered: higher scores first, lower numbers among equals.
 *  A heap with the worst on top, so that most offers are refused by one comparison. */
export class TopK {
  readonly #k: number;
  readonly #scores: number[] = [];
  readonly #numbers: number[] = [];

  constructor(k: number) {
    this.#k = k;
  }

  /** No offer below this is kept. */
  get floor(): number {
    return this.#numbers.length < this.#k ? Number.NEGATIVE_INFINITY : (this.#scores[0] ?? Number.POSITIVE_INFINITY);
  }

  /** Whether an offer would be kept. */
  wants(score: number, number: number): boolean {
    if (this.#numbers.length < this.#k) return true;
    if (this.#k === 0) return false;
    return isBefore(score, number, this.#scores[0] as number, this.#numbers[0] as number);
  }

  offer(score: number, number: number): void {
    if (!this.wants(score, number)) return;
    const scores = this.#scores;
    const numbers = this.#numbers;
    let at = numbers.length;
    if (at < this.#k) {
      scores.push(score);
      numbers.push(number);
      while (at > 0) {
        const parent = (at - 1) >> 1;
        if (!isBefore(scores[parent] as number, numbers[parent] as number, score, number)) break;
        scores[at] = scores[parent] as number;
        numbers[at] = numbers[parent] as number;
        at = parent;
      }
    } else {
      at = 0;
      for (;;) {
        let child = at * 2 + 1;
        if (child >= numbers.length) break;
        if (
          child + 1 < numbers.length &&
          isBefore(
            scores[child] as number,
            numbers[child] as number,
            scores[child + 1] as number,
            numbers[child + 1] as number,
          )
        )
          child += 1;
        if (!isBefore(score, number, scores[child] as number, numbers[child] as number)) break;
        scores[at] = scores[child] as number;
        numbers[at] = numbers[child] as number;
        at = child;
      }
    }
    scores[at] = score;
    numbers[at] = number;
  }

  /** Best first. */
  take(): { readonly number: number; readonly score: number }[] {
    return this.#numbers
      .map((number, index) => ({ number, score: this.#scores[index] as number }))
      .sort((one, other) => other.score - one.score || one.number - other.number);
  }
}

function isBefore(score: number, number: number, otherScore: number, otherNumber: number): boolean {
  return score > otherScore || (score === otherScore && number < otherNumber);
}
