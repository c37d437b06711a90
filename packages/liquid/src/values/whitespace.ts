/** The characters that Liquid trims: only ASCII whitespace, so a no-break space stays. */
const whitespaceCharacters: ReadonlySet<string> = new Set([" ", "\t", "\r", "\n", "\f", "\v", "\0"]);

export function isBlankText(text: string): boolean {
  return !/[^ \t\r\n\f\v]/.test(text);
}

export function trimStart(text: string): string {
  let start = 0;
  while (start < text.length && whitespaceCharacters.has(text[start] as string)) start += 1;
  return text.slice(start);
}

export function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && whitespaceCharacters.has(text[end - 1] as string)) end -= 1;
  return text.slice(0, end);
}

export function trim(text: string): string {
  return trimEnd(trimStart(text));
}
