import { lowerBound } from "../../../runtime/lower-bound.ts";

/** Converts an offset in a text to line and column; both start at 1. */
export class Positions {
  readonly #starts: number[] = [0];

  constructor(text: string) {
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) this.#starts.push(at + 1);
  }

  at(offset: number): { readonly line: number; readonly column: number } {
    const line = lowerBound(0, this.#starts.length, (index) => (this.#starts[index] as number) <= offset);
    return { line, column: offset - (this.#starts[line - 1] as number) + 1 };
  }
}
