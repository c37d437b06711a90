import type { View } from "../view.ts";

/** Which of the alternate templates of its type an entry's page has: "wide" for `product.wide`. The setting beats what the entry says.
 *  @param path of the entry's page, not encoded  @param entry the entry, where it has a row of its own */
export function templateSuffix(
  { config }: Pick<View, "config">,
  path: string,
  entry?: { readonly templateSuffix?: string },
): string | undefined {
  return Object.hasOwn(config.templates, path) ? config.templates[path] : entry?.templateSuffix;
}
