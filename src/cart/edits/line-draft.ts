import type { Line } from "../cart.ts";

/** A cart's lines while an edit works on them, in their order: found by key, with the units of each variant counted. */
export interface LineDraft {
  get(key: string): Line | undefined;
  /** Puts a line in the place of the one with its key, else at the end. */
  set(line: Line): void;
  delete(key: string): void;
  /** Units of a variant in all lines. */
  unitsOf(variantId: string): number;
  lines(): readonly Line[];
}

/** A draft that begins as `lines`, which stay as they are. */
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
