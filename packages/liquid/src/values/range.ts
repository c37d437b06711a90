/** A range of integers that includes both ends: `(1..5)`. It is empty if the end is less than the start. */
export class Range {
  readonly first: number;
  readonly last: number;

  constructor(firstNumber: number, lastNumber: number) {
    this.first = firstNumber;
    this.last = lastNumber;
  }

  get size(): number {
    return Math.max(0, this.last - this.first + 1);
  }

  /** Returns the integers of the range.  @param limit maximum number of items */
  toArray(limit: number): number[] {
    return Array.from({ length: Math.min(this.size, limit) }, (_, index) => this.first + index);
  }
}
