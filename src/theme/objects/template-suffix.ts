import type { View } from "../view.ts";

/**
 * Returns the name of the alternative template for a page: "wide" for `product.wide`. The setting `templates` takes
 * precedence over the catalog entry.
 * @param path decoded path of the page
 * @param entry undefined if the page has no catalog entry
 */
export function readTemplateSuffix(
  { config }: Pick<View, "config">,
  path: string,
  entry?: { readonly templateSuffix?: string },
): string | undefined {
  return Object.hasOwn(config.templates, path) ? config.templates[path] : entry?.templateSuffix;
}
