import { type CompiledTheme, templateFault } from "../files/compiled-theme.ts";

/** A file of `templates/`, without extension. */
export interface ChosenTemplate {
  readonly template: string;
  /** Why the alternate template cannot be used. */
  readonly fault?: Error;
}

/**
 * Returns the first alternate template of a type that exists and can be parsed, else the type's default template.
 * @param suffixes names of alternate templates, in order of preference
 */
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
