import type { Line } from "../cart.ts";

/** The ordered lines of a cart during an edit, with lookups by key and by variant. */
export interface EditableLines {
  get(key: string): Line | undefined;
  /** Replaces the line with the same key, or appends a new line. */
  set(line: Line): void;
  /** Deletes a line and its nested lines. */
  delete(key: string): void;
  /** Returns the units of a variant in all lines. */
  countUnits(variantId: string): number;
  /** Returns the lines, with nested lines after their parent. */
  lines(): readonly Line[];
}

/** Creates a draft from a copy of `lines`. */
export function createEditableLines(lines: readonly Line[]): EditableLines {
  const linesByKey = new Map<string, Line>();
  const unitsByVariant = new Map<string, number>();
  const addUnits = ({ variantId, quantity }: Line, sign: 1 | -1): void =>
    void unitsByVariant.set(variantId, (unitsByVariant.get(variantId) ?? 0) + sign * quantity);
  const draft: EditableLines = {
    get: (key) => linesByKey.get(key),
    set(line) {
      const previousLine = linesByKey.get(line.key);
      if (previousLine !== undefined) addUnits(previousLine, -1);
      linesByKey.set(line.key, line);
      addUnits(line, 1);
    },
    delete(key) {
      for (const line of linesByKey.values()) {
        if (line.key !== key && line.parentKey !== key) continue;
        addUnits(line, -1);
        linesByKey.delete(line.key);
      }
    },
    countUnits: (variantId) => unitsByVariant.get(variantId) ?? 0,
    lines: () => moveNestedLinesAfterParents(linesByKey),
  };
  for (const line of lines) draft.set(line);
  return draft;
}

/**
 * Moves nested lines after their parent. A line whose parent is missing keeps its position: servers of earlier releases
 * removed parents without their nested lines.
 */
function moveNestedLinesAfterParents(linesByKey: ReadonlyMap<string, Line>): readonly Line[] {
  const lines = [...linesByKey.values()];
  if (lines.every(({ parentKey }) => parentKey === undefined)) return lines;
  const isNestedLine = ({ parentKey }: Line): boolean => parentKey !== undefined && linesByKey.has(parentKey);
  const linesByParent = Map.groupBy(lines.filter(isNestedLine), ({ parentKey }) => parentKey);
  return lines.flatMap((line) => (isNestedLine(line) ? [] : [line, ...(linesByParent.get(line.key) ?? [])]));
}
