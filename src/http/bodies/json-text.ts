/**
 * Returns the error of a JSON text that parsers accept: nesting deeper than `maxDepth`, or a repeated name in one
 * object; undefined if it has none. Checked before parsing, so that depth needs no stack. Malformed text may pass: the
 * parser rejects it.
 */
export function jsonTextError(text: string, maxDepth: number): string | undefined {
  // An entry for each open bracket: the names so far in an object, undefined in an array.
  const open: (Set<string> | undefined)[] = [];
  let index = 0;
  while (index < text.length) {
    const one = text[index];
    if (one === "{" || one === "[") {
      open.push(one === "{" ? new Set() : undefined);
      if (open.length > maxDepth) return `is nested more than ${maxDepth} levels deep`;
    } else if (one === "}" || one === "]") open.pop();
    if (one !== '"') {
      index += 1;
      continue;
    }
    const end = endOfString(text, index);
    const names = open.at(-1);
    if (names !== undefined && text[endOfBlanks(text, end)] === ":") {
      const name = plain(text.slice(index, end));
      if (names.has(name)) return "gives a name twice in one object";
      names.add(name);
    }
    index = end;
  }
  return undefined;
}

/** The position after the closing quote of the string that starts at `start`. */
function endOfString(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text[index] !== '"') index += text[index] === "\\" ? 2 : 1;
  return index + 1;
}

/** The first position from `start` that is not JSON white space. */
function endOfBlanks(text: string, start: number): number {
  let index = start;
  while (" \t\r\n".includes(text[index] ?? "x")) index += 1;
  return index;
}

function plain(quoted: string): string {
  if (!quoted.includes("\\")) return quoted.slice(1, -1);
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted;
  }
}
