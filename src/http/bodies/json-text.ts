/** What is wrong with a JSON text beside its syntax: nesting past `maxDepth`, or a name given twice in one object; undefined: nothing.
 *  Looked at before parsing, so that depth costs no stack. Malformed text may pass: the parser refuses it. */
export function faultOfJsonText(text: string, maxDepth: number): string | undefined {
  // One entry for each open bracket: the names seen in an object, undefined in an array.
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

/** Where the string that begins at `start` ends: after its closing quote. */
function endOfString(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text[index] !== '"') index += text[index] === "\\" ? 2 : 1;
  return index + 1;
}

/** The first place from `start` on that is no white space of JSON. */
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
