/** A constant of a source file, and its new value for a run. */
export interface Override {
  /** Path from the root of the repository. */
  readonly file: string;
  /** Name of the constant, such as `closePoints`, `matchBoosts.form`, or `declared.title.weight`. */
  readonly name: string;
  readonly value: string;
}

/**
 * Parses an override.
 * @param text `packages/search/src/scoring/score.ts:closePoints=12`
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
  const { start, end } = placeOf(source, name);
  return source.slice(0, start) + value + source.slice(end);
}

/** Returns the position of a constant's value in the source text. */
function placeOf(source: string, name: string): { readonly start: number; readonly end: number } {
  const [outer = "", ...path] = name.split(".");
  const declared = new RegExp(`^(?:export )?const ${outer}\\b[^=\\n]*= `, "m").exec(source);
  if (declared === null) throw new Error(`no constant ${outer}`);
  let start = declared.index + declared[0].length;
  for (const property of path) {
    const found = new RegExp(`[\\s{]${property}: `).exec(source.slice(start));
    if (found === null) throw new Error(`no property ${property} of ${outer}`);
    start += found.index + found[0].length;
  }
  const value = /^(?:[^,;\n{}()]|\([^()]*\))+/.exec(source.slice(start))?.[0].trimEnd() ?? "";
  return { start, end: start + value.length };
}
