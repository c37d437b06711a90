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
 * whose content is not Liquid. Inside the tags `comment` and `raw`, such blocks stay unchanged.
 */
export function splitSource(fileContent: string): ThemeSource {
  const text = fileContent.replace(/^\uFEFF/, "");
  const openingTag = /\{%-?\s*(schema|stylesheet|javascript|doc|comment|raw)\b[^%]*%\}/g;
  const unclosedTags = new Set<string>();
  let schema: { readonly schema: string; readonly schemaLine: number } | undefined;
  const assets = { stylesheet: "", javascript: "" };
  let liquid = "";
  let copiedLength = 0;
  for (let match = openingTag.exec(text); match !== null; match = openingTag.exec(text)) {
    const name = match[1] as string;
    if (unclosedTags.has(name)) continue;
    const closingTagRange =
      name === "comment" ? findEndOfComment(text, openingTag.lastIndex) : findEndTag(text, name, openingTag.lastIndex);
    if (closingTagRange === undefined) {
      unclosedTags.add(name);
      continue;
    }
    if (name === "comment" || name === "raw") {
      openingTag.lastIndex = closingTagRange.end;
      continue;
    }
    const body = text.slice(openingTag.lastIndex, closingTagRange.start);
    if (name === "schema")
      schema ??= { schema: body, schemaLine: text.slice(0, openingTag.lastIndex).split("\n").length - 1 };
    if (name === "stylesheet" || name === "javascript") assets[name] += `${body.trim()}\n`;
    const block = text.slice(match.index, closingTagRange.end);
    const openingDelimiter = block.startsWith("{%-") ? "{%-" : "{%";
    const closingDelimiter = block.endsWith("-%}") ? "-%}" : "%}";
    liquid += `${text.slice(copiedLength, match.index)}${openingDelimiter} #${"\n".repeat(block.split("\n").length - 1)} ${closingDelimiter}`;
    copiedLength = closingTagRange.end;
    openingTag.lastIndex = copiedLength;
  }
  liquid += text.slice(copiedLength);
  return { liquid, ...schema, ...assets };
}

/** Position of a closing tag. */
interface TagRange {
  readonly start: number;
  readonly end: number;
}

function findEndTag(text: string, name: string, from: number): TagRange | undefined {
  const closingTag = new RegExp(`\\{%-?\\s*end${name}\\s*-?%\\}`, "g");
  closingTag.lastIndex = from;
  const match = closingTag.exec(text);
  return match === null ? undefined : { start: match.index, end: closingTag.lastIndex };
}

/** Finds the end of a comment, which may contain comments and raw text. */
function findEndOfComment(text: string, from: number): TagRange | undefined {
  const tag = /\{%-?\s*(comment|endcomment|raw)\b[^%]*%\}/g;
  tag.lastIndex = from;
  let depth = 1;
  for (let match = tag.exec(text); match !== null; match = tag.exec(text)) {
    if (match[1] === "raw") {
      const end = findEndTag(text, "raw", tag.lastIndex);
      if (end === undefined) return undefined;
      tag.lastIndex = end.end;
    } else depth += match[1] === "comment" ? 1 : -1;
    if (depth === 0) return { start: match.index, end: tag.lastIndex };
  }
  return undefined;
}
