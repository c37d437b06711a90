import { type CompiledTheme, findTemplateError } from "../files/compiled-theme.ts";

/** The template file used for a page. */
export interface TemplateSelection {
  readonly template: string;
  /** Error of an alternative template that would be used but is invalid. */
  readonly error?: Error;
}

/**
 * Returns the first alternative template that exists and is valid, or else the default template for the type of page.
 * @param suffixes names of alternative templates, in order of preference
 */
export function selectTemplate(
  theme: CompiledTheme,
  type: string,
  suffixes: readonly (string | null | undefined)[],
): TemplateSelection {
  const names = suffixes.filter((suffix) => typeof suffix === "string").map((suffix) => `${type}.${suffix}`);
  const templateName = names.find(
    (name) => theme.has(`templates/${name}.json`) || theme.has(`templates/${name}.liquid`),
  );
  if (templateName === undefined) return { template: type };
  const error = findTemplateError(theme, templateName);
  return error === undefined ? { template: templateName } : { template: type, error };
}
