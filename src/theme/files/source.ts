/**
 * A Liquid file without its data blocks such as `{% schema %}`. A comment replaces each block, so that line numbers and
 * trimmed whitespace stay the same.
 */
export interface ThemeSource {
  readonly liquid: string;
  /** Body of `{% schema %}`, or undefined. */
  readonly schema?: string;
  /** Number of lines before the schema. */
  readonly schemaLine?: number;
  /** Joined bodies of `{% stylesheet %}`. */
  readonly stylesheet: string;
  readonly javascript: string;
}

/**
 * Splits a Liquid file. Removes the byte order mark and the blocks `schema`, `stylesheet`, `javascript` and `doc`,
 * whose content is not Liquid.
 */
export function splitSource(fileContent: string): ThemeSource {
  const text = fileContent.replace(/^\uFEFF/, "");
  const openingTag = /\{%-?\s*(schema|stylesheet|javascript|doc)\b[^%]*%\}/g;
  const unclosedTags = new Set<string>();
  let schema: { readonly schema: string; readonly schemaLine: number } | undefined;
  const assets = { stylesheet: "", javascript: "" };
  let liquid = "";
  let copiedLength = 0;
  for (let match = openingTag.exec(text); match !== null; match = openingTag.exec(text)) {
    const name = match[1] as string;
    if (unclosedTags.has(name)) continue;
    const closingTag = new RegExp(`\\{%-?\\s*end${name}\\s*-?%\\}`, "g");
    closingTag.lastIndex = openingTag.lastIndex;
    const closingMatch = closingTag.exec(text);
    if (closingMatch === null) {
      unclosedTags.add(name);
      continue;
    }
    const body = text.slice(openingTag.lastIndex, closingMatch.index);
    if (name === "schema")
      schema ??= { schema: body, schemaLine: text.slice(0, openingTag.lastIndex).split("\n").length - 1 };
    if (name === "stylesheet" || name === "javascript") assets[name] += `${body.trim()}\n`;
    const block = text.slice(match.index, closingTag.lastIndex);
    const openingDelimiter = block.startsWith("{%-") ? "{%-" : "{%";
    const closingDelimiter = block.endsWith("-%}") ? "-%}" : "%}";
    liquid += `${text.slice(copiedLength, match.index)}${openingDelimiter} #${"\n".repeat(block.split("\n").length - 1)} ${closingDelimiter}`;
    copiedLength = closingTag.lastIndex;
    openingTag.lastIndex = copiedLength;
  }
  liquid += text.slice(copiedLength);
  return { liquid, ...schema, ...assets };
}
