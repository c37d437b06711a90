/** `(1..5)`: the integers from one to the other, both included; none where the last is before the first. */
export class Range {
  readonly first: number;
  readonly last: number;

  constructor(first: number, last: number) {
    this.first = first;
    this.last = last;
  }

  get size(): number {
    return Math.max(0, this.last - this.first + 1);
  }

  /** @param limit items; no more than a list may have */
  toArray(limit: number): number[] {
    return Array.from({ length: Math.min(this.size, limit) }, (_, index) => this.first + index);
  }
}
