import { readFileSync, statSync } from "node:fs";
import type { Context } from "@vitrine/liquid";
import { getOrCreate, memoizePerObject } from "../../runtime/cache.ts";
import { getAssetPath, getAssetVersion } from "../files/asset-files.ts";
import type { CompiledTheme } from "../files/compiled-theme.ts";
import { maxSectionLength } from "../liquid/limits.ts";
import { renderAttribute, SafeHtml } from "../liquid/safe-html.ts";
import { stateOf } from "../render-state.ts";
import { getFileUrlPrefix } from "../view.ts";
import { type FilterFamily, splitArguments, textOf } from "./filter.ts";
import { sanitizeUrl } from "./images/image-url.ts";

export const assetFilters: FilterFamily = {
  asset_url(value) {
    return getAssetUrl(this, textOf(value));
  },
  /**
   * Returns the URL of a file that themes load from another platform. The theme's own file has precedence over the
   * shop's replacement. Without either, returns an empty string.
   */
  shopify_asset_url: formatForeignAssetUrl,
  global_asset_url: formatForeignAssetUrl,
  /** Returns a `link` element for a stylesheet: `stylesheet_tag: media: 'print', preload: true`. */
  stylesheet_tag(value, ...args) {
    const { namedArgs } = splitArguments(args);
    if (textOf(value) === "") return "";
    const hrefAttribute = renderAttribute("href", resolveUrl(this, textOf(value)));
    const mediaAttribute = renderAttribute(
      "media",
      namedArgs.has("media") ? textOf(namedArgs.get("media")) : undefined,
    );
    const preloadLink = namedArgs.get("preload") === true ? `<link rel="preload"${hrefAttribute} as="style">` : "";
    return toSafeHtml(`${preloadLink}<link rel="stylesheet"${hrefAttribute}${mediaAttribute}>`);
  },
  /**
   * Returns a `script` element: `script_tag: type: 'module', defer: true`. Scripts are not deferred by default, because
   * inline code after them may need them.
   */
  script_tag(value, ...args) {
    const { namedArgs } = splitArguments(args);
    if (textOf(value) === "") return "";
    const source = resolveUrl(this, textOf(value));
    const attributes = new Map([["src", source], ["type", "text/javascript"], ...namedArgs, ["src", source]]);
    return toSafeHtml(`<script${[...attributes].map(formatAttribute).join("")}></script>`);
  },
  /** Returns a preload link: `preload_tag: as: 'script'`. */
  preload_tag(value, ...args) {
    const { namedArgs } = splitArguments(args);
    if (textOf(value) === "") return "";
    const attributes = new Map([["href", resolveUrl(this, textOf(value))], ...namedArgs]);
    return toSafeHtml(`<link rel="preload"${[...attributes].map(formatAttribute).join("")}>`);
  },
  /** Returns the content of an asset, typically an SVG image. Filters such as `link_to` do not escape its elements. */
  inline_asset_content(value) {
    const path = stateOf(this).theme.folder.assets.get(textOf(value));
    if (path === undefined) return "";
    return getOrCreate(contentCache(stateOf(this).theme), path, () => {
      if (statSync(path).size > maxSectionLength)
        throw new Error(`${textOf(value)} is longer than ${maxSectionLength} bytes`);
      const content = readFileSync(path, "utf8");
      return content.includes("<") ? toSafeHtml(content) : content;
    });
  },
};

function formatForeignAssetUrl(this: Context, value: unknown): string {
  const name = textOf(value);
  const { theme, view } = stateOf(this);
  if (getAssetVersion(theme, name) !== undefined) return getAssetUrl(this, name);
  return legacyScripts.has(name) && view.config.compat.script ? "/vitrine/vintage.js" : "";
}

/** Scripts that older themes load from another platform's servers. */
const legacyScripts: ReadonlySet<string> = new Set([
  "option_selection.js",
  "api.jquery.js",
  "api.js",
  "shopify_common.js",
  "customer_area.js",
]);

function formatAttribute([name, value]: readonly [string, unknown]): string {
  return renderAttribute(name.replace(/[^\w-]/g, ""), typeof value === "boolean" ? value : textOf(value));
}

/** Returns the URL of an asset. A full URL is returned unchanged. */
function resolveUrl(call: Context, text: string): string {
  return text.includes("/") ? sanitizeUrl(text) : getAssetUrl(call, text);
}

function getAssetUrl(call: Context, name: string): string {
  const { theme, view } = stateOf(call);
  return getFileUrlPrefix(view) + getAssetPath(theme, name);
}

function toSafeHtml(html: string): SafeHtml {
  return new SafeHtml(html, html);
}

const contentCache = memoizePerObject((_: CompiledTheme) => new Map<string, SafeHtml | string>());
