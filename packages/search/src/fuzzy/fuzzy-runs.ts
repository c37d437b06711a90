/** Terms `low` up to, not including, `high` are `edits` edits away from a word. */
export interface FuzzyRun {
  readonly low: number;
  readonly high: number;
  readonly edits: number;
  /** Whether the term itself is within the distance; otherwise only a prefix of it. */
  readonly isFullTerm: boolean;
}

/** Terms `lows[n]` up to, not including, `highs[n]`. */
export interface TermRanges {
  readonly lows: Uint32Array;
  readonly highs: Uint32Array;
}

/** Runs of adjacent terms; those with the same distance are joined. */
export class FuzzyRunList {
  readonly found: { low: number; high: number; edits: number; isFullTerm: boolean }[] = [];
  readonly #among: TermRanges | undefined;
  #next = 0;

  constructor(among: TermRanges | undefined) {
    this.#among = among;
  }

  /** Returns whether a text of a node may match; called for nodes in ascending order of their texts. */
  isAmong(firstTexts: Uint32Array, node: number): boolean {
    if (this.#among === undefined) return true;
    const low = firstTexts[node] as number;
    const high = firstTexts[node + 1] as number;
    const { lows, highs } = this.#among;
    while (this.#next < lows.length && (highs[this.#next] as number) <= low) this.#next += 1;
    return this.#next < lows.length && (lows[this.#next] as number) < high;
  }

  add(low: number, high: number, edits: number, isFullTerm: boolean): void {
    if (low === high) return;
    const last = this.found.at(-1);
    if (last !== undefined && last.high === low && last.edits === edits && last.isFullTerm === isFullTerm)
      last.high = high;
    else this.found.push({ low, high, edits, isFullTerm });
  }
}
