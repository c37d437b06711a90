/**
 * Checks JSON text for nesting deeper than `maxDepth` and for repeated names in an object. It runs before parsing,
 * because a parser could exhaust the stack on deeply nested text. Other syntax errors are not checked.
 * @returns the error, or undefined if there is none
 */
export function findJsonError(text: string, maxDepth: number): string | undefined {
  // One entry for each open bracket: the property names read so far in the object, or undefined for an array.
  const openBrackets: (Set<string> | undefined)[] = [];
  let index = 0;
  while (index < text.length) {
    const character = text[index];
    if (character === "{" || character === "[") {
      openBrackets.push(character === "{" ? new Set() : undefined);
      if (openBrackets.length > maxDepth) return `is nested more than ${maxDepth} levels deep`;
    } else if (character === "}" || character === "]") openBrackets.pop();
    if (character !== '"') {
      index += 1;
      continue;
    }
    const end = findStringEnd(text, index);
    const names = openBrackets.at(-1);
    if (names !== undefined && text[findWhiteSpaceEnd(text, end)] === ":") {
      const name = unquote(text.slice(index, end));
      if (names.has(name)) return "repeats a name within one object";
      names.add(name);
    }
    index = end;
  }
  return undefined;
}

/** Returns the index after the closing quote of the string that starts at `start`. */
function findStringEnd(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text[index] !== '"') index += text[index] === "\\" ? 2 : 1;
  return index + 1;
}

/** Returns the first index from `start` that is not JSON white space. */
function findWhiteSpaceEnd(text: string, start: number): number {
  let index = start;
  while (" \t\r\n".includes(text[index] ?? "x")) index += 1;
  return index;
}

function unquote(literal: string): string {
  if (!literal.includes("\\")) return literal.slice(1, -1);
  try {
    return String(JSON.parse(literal));
  } catch {
    return literal;
  }
}
