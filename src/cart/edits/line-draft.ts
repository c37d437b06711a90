import type { Line } from "../cart.ts";

/** The ordered lines of a cart during an edit, with lookups by key and by variant. */
export interface LineDraft {
  get(key: string): Line | undefined;
  /** Replaces the line with the same key, or appends a new line. */
  set(line: Line): void;
  delete(key: string): void;
  /** Returns the units of a variant in all lines. */
  unitsOf(variantId: string): number;
  lines(): readonly Line[];
}

/** Creates a draft from a copy of `lines`. */
export function draftOf(lines: readonly Line[]): LineDraft {
  const byKey = new Map<string, Line>();
  const units = new Map<string, number>();
  const count = ({ variantId, quantity }: Line, sign: 1 | -1): void =>
    void units.set(variantId, (units.get(variantId) ?? 0) + sign * quantity);
  const draft: LineDraft = {
    get: (key) => byKey.get(key),
    set(line) {
      const before = byKey.get(line.key);
      if (before !== undefined) count(before, -1);
      byKey.set(line.key, line);
      count(line, 1);
    },
    delete(key) {
      const before = byKey.get(key);
      if (before !== undefined) count(before, -1);
      byKey.delete(key);
    },
    unitsOf: (variantId) => units.get(variantId) ?? 0,
    lines: () => [...byKey.values()],
  };
  for (const line of lines) draft.set(line);
  return draft;
}
