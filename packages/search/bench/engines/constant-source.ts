/** A constant of a source file, and the value that replaces it for one run. */
export interface Override {
  /** Path of the source file, from the root of the repository. */
  readonly file: string;
  /** Name of the constant, such as `closePoints`, `matchBoosts.form`, or `declared.title.weight`. */
  readonly name: string;
  readonly value: string;
}

/**
 * Parses an override such as `packages/search/src/scoring/score.ts:closePoints=12`.
 * @throws Error if the format is invalid
 */
export function parseOverride(text: string): Override {
  const [, file, name, value] = /^([\w/.-]+\.ts):([\w.]+)=(.+)$/.exec(text) ?? [];
  if (file === undefined || name === undefined || value === undefined)
    throw new Error(`"${text}" is not of the form <file>:<constant>=<value>`);
  return { file, name, value };
}

/** Replaces the value of a constant in a source text.  @throws Error if the constant does not exist */
export function overrideConstant(source: string, name: string, value: string): string {
  const { start, end } = findValuePosition(source, name);
  return source.slice(0, start) + value + source.slice(end);
}

/** Returns the position of a constant's value in the source text. */
function findValuePosition(source: string, name: string): { readonly start: number; readonly end: number } {
  const [constantName = "", ...path] = name.split(".");
  const declaration = new RegExp(`^(?:export )?const ${constantName}\\b[^=\\n]*= `, "m").exec(source);
  if (declaration === null) throw new Error(`no constant ${constantName}`);
  let start = declaration.index + declaration[0].length;
  for (const property of path) {
    const propertyMatch = new RegExp(`[\\s{]${property}: `).exec(source.slice(start));
    if (propertyMatch === null) throw new Error(`no property ${property} of ${constantName}`);
    start += propertyMatch.index + propertyMatch[0].length;
  }
  const value = /^(?:[^,;\n{}()]|\([^()]*\))+/.exec(source.slice(start))?.[0].trimEnd() ?? "";
  return { start, end: start + value.length };
}
