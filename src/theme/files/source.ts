/**
 * A Liquid file without its data blocks. A comment replaces each block, which preserves line numbers and whitespace
 * control.
 */
export interface Source {
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
 * Removes the byte order mark and the blocks `schema`, `stylesheet`, `javascript` and `doc`, whose bodies are not
 * Liquid.
 */
export function splitSource(written: string): Source {
  const text = written.replace(/^\uFEFF/, "");
  const opener = /\{%-?\s*(schema|stylesheet|javascript|doc)\b[^%]*%\}/g;
  const unclosed = new Set<string>();
  let schema: { readonly schema: string; readonly schemaLine: number } | undefined;
  const assets = { stylesheet: "", javascript: "" };
  let liquid = "";
  let copied = 0;
  for (let match = opener.exec(text); match !== null; match = opener.exec(text)) {
    const name = match[1] as string;
    if (unclosed.has(name)) continue;
    const closer = new RegExp(`\\{%-?\\s*end${name}\\s*-?%\\}`, "g");
    closer.lastIndex = opener.lastIndex;
    const end = closer.exec(text);
    if (end === null) {
      unclosed.add(name);
      continue;
    }
    const body = text.slice(opener.lastIndex, end.index);
    if (name === "schema")
      schema ??= { schema: body, schemaLine: text.slice(0, opener.lastIndex).split("\n").length - 1 };
    if (name === "stylesheet" || name === "javascript") assets[name] += `${body.trim()}\n`;
    const block = text.slice(match.index, closer.lastIndex);
    const left = block.startsWith("{%-") ? "{%-" : "{%";
    const right = block.endsWith("-%}") ? "-%}" : "%}";
    liquid += `${text.slice(copied, match.index)}${left} #${"\n".repeat(block.split("\n").length - 1)} ${right}`;
    copied = closer.lastIndex;
    opener.lastIndex = copied;
  }
  liquid += text.slice(copied);
  return { liquid, ...schema, ...assets };
}
