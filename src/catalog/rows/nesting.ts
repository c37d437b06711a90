/** How deep a row may be nested: whoever reads it again, as templates do, goes down into it by recursion. */
export const MAX_NESTING = 64;

/** What is wrong with a value that is nested deeper; it continues "line 7 ". */
export const nestedTooDeep = `is nested more than ${MAX_NESTING} levels deep`;

/** Looked at level by level, so that depth costs no stack. */
export function isNestedTooDeep(value: unknown): boolean {
  let level = [value].filter(isNested);
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === MAX_NESTING) return true;
    level = level.flatMap((one) => Object.values(one).filter(isNested));
  }
  return false;
}

function isNested(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
