import { type CompiledTheme, templateError } from "../files/compiled-theme.ts";

/** Template file that was selected for a page. */
export interface TemplateSelection {
  readonly template: string;
  /** Error of the alternate template that cannot be used. */
  readonly error?: Error;
}

/**
 * Returns the first alternate template of a type that exists and can be parsed, else the type's default template.
 * @param suffixes names of alternate templates, in order of preference
 */
export function selectTemplate(
  theme: CompiledTheme,
  type: string,
  suffixes: readonly (string | null | undefined)[],
): TemplateSelection {
  const names = suffixes.filter((suffix) => typeof suffix === "string").map((suffix) => `${type}.${suffix}`);
  const selectedName = names.find(
    (name) => theme.has(`templates/${name}.json`) || theme.has(`templates/${name}.liquid`),
  );
  if (selectedName === undefined) return { template: type };
  const error = templateError(theme, selectedName);
  return error === undefined ? { template: selectedName } : { template: type, error };
}
