/** `(1..5)`: integers with both bounds included; empty if the last is before the first. */
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

  /** @param limit maximum items of a list */
  toArray(limit: number): number[] {
    return Array.from({ length: Math.min(this.size, limit) }, (_, index) => this.first + index);
  }
}
