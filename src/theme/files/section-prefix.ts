import { readFileSync, statSync } from "node:fs";
import type { Config } from "../../config/settings.ts";
import { ignoreNotFound } from "../../not-found.ts";
import { memoizePerObject } from "../../runtime/cache.ts";
import type { ThemeFolder } from "./theme-folder.ts";

/** Prefix of the `id` attributes of sections.  @see spec 4.1 */
export const storeIdPrefix = "store-section-";
/** Prefix of the `id` attributes of sections on Shopify. */
export const shopifyIdPrefix = "shopify-section-";

/** Maximum size in bytes of the assets that `listAssetTexts` reads. Larger files are usually libraries. */
const MAX_ASSET_BYTES = 2_000_000;

/**
 * Returns the prefix of the `id` attributes of a theme's sections: the setting `sectionPrefix`, or, in a theme made for
 * Shopify, the prefix that the theme's own files use. Default: "store-section-".
 */
export function getSectionPrefix(
  { folder }: { readonly folder: ThemeFolder },
  { sectionClass, sectionPrefix }: Config["compat"],
): string {
  return sectionPrefix ?? (sectionClass === undefined ? storeIdPrefix : findNamedPrefix(folder));
}

const findNamedPrefix = memoizePerObject((folder: ThemeFolder): string => {
  const texts = [...folder.texts.values(), ...Array.from(listAssetTexts(folder), ([, text]) => text)];
  const isPrefixUsed = (prefix: string): boolean =>
    texts.some((text) => text.includes(prefix) && createWrapperIdPattern(prefix).test(text));
  return isPrefixUsed(shopifyIdPrefix) && !isPrefixUsed(storeIdPrefix) ? shopifyIdPrefix : storeIdPrefix;
});

/**
 * Returns a pattern for the id of a section's element, as a literal (`#shopify-section-x`, `id="shopify-section-x"`) or
 * concatenated. It does not match class selectors, because themes define classes with this prefix themselves.
 */
export function createWrapperIdPattern(prefix: string): RegExp {
  return new RegExp(
    `(?:#|(?<![\\w-])id\\s*=\\s*["']?|getElementById\\(\\s*["'\`])${prefix}|(?<!\\.)${prefix}(?=["'\`]|\\$\\{|\\{\\{)`,
    "g",
  );
}

/** Yields the scripts and styles of `assets/`, except very long and deleted files. */
export function* listAssetTexts({ assets }: ThemeFolder): Generator<readonly [file: string, text: string]> {
  for (const [name, path] of assets) {
    if (!/\.(?:js|mjs|css)$/.test(name)) continue;
    const text = readAsset(path);
    if (text !== undefined) yield [`assets/${name}`, text];
  }
}

function readAsset(path: string): string | undefined {
  try {
    return statSync(path).size <= MAX_ASSET_BYTES ? readFileSync(path, "utf8") : undefined;
  } catch (error) {
    return ignoreNotFound(error);
  }
}
