import { type CompiledTheme, templateFault } from "../files/compiled-theme.ts";

/** A file of `templates/`, without its ending. */
export interface ChosenTemplate {
  readonly template: string;
  /** Why the alternate template is not the one. */
  readonly fault?: Error;
}

/** The first alternate template of a type that the theme has, if it can be read; otherwise the type's usual one.
 *  @param suffixes names of alternate templates, the most wanted first */
export function chosenTemplate(
  theme: CompiledTheme,
  type: string,
  suffixes: readonly (string | null | undefined)[],
): ChosenTemplate {
  const names = suffixes.filter((suffix) => typeof suffix === "string").map((suffix) => `${type}.${suffix}`);
  const wanted = names.find((name) => theme.has(`templates/${name}.json`) || theme.has(`templates/${name}.liquid`));
  if (wanted === undefined) return { template: type };
  const fault = templateFault(theme, wanted);
  return fault === undefined ? { template: wanted } : { template: type, fault };
}
