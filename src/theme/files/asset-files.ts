import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { getOrCreate, memoizePerObject } from "../../runtime/cache.ts";
import type { CompiledTheme } from "./compiled-theme.ts";

/**
 * A file of `assets/` as it is served: the file at `path`, or `text` if the file is generated or URLs in it were
 * rewritten. To detect that the file at `path` has changed, compare `hashContent` of its content with `version`.
 */
export type AssetFile = {
  /** Version in the URL (`?v=`). */
  readonly version: string;
} & ({ readonly path: string } | { readonly text: string });

/** Returns a hash of the content, with 12 characters. */
export function hashContent(content: string | Uint8Array): string {
  return hash("sha256", content, "base64url").slice(0, 12);
}

/**
 * Returns a file of the theme, or a file that is generated from the theme's files. In scripts (`from "./cart.js"`) and
 * styles (`url(dots.svg)`), the version of each referenced asset is added to its URL, so that browsers can cache the
 * asset forever.
 * @returns undefined if the theme has no such file
 * @throws Error if a generated file fails
 */
export function getAssetFile(theme: CompiledTheme, name: string): AssetFile | undefined {
  return getOrCreate(getAssetCache(theme).assets, name, () => {
    const version = getAssetVersion(theme, name);
    if (version === undefined) return undefined;
    const path = theme.folder.assets.get(name);
    const content = readContent(theme, name);
    const isServedUnchanged = content?.hasShopModule !== true && listDirectReferences(theme, name).length === 0;
    if (path !== undefined && isServedUnchanged) return { version, path };
    const text = replaceShopModules(content?.text ?? theme.generateAsset(name) ?? "");
    return { version, text: rewriteReferences(text, name, (reference) => formatVersionedName(theme, reference)) };
  });
}

/**
 * Returns the version of an asset for `?v=`, or undefined if the theme has no such file. The version changes with the
 * file and with all files that it references, directly or indirectly. References can form a cycle.
 */
export function getAssetVersion(theme: CompiledTheme, name: string): string | undefined {
  return getOrCreate(getAssetCache(theme).versions, name, () => {
    const version = readContent(theme, name)?.version;
    const references = version === undefined ? [] : findReferences(theme, name);
    if (version === undefined || references.length === 0) return version;
    return hashContent(
      [version, ...references.map((reference) => `${reference} ${readContent(theme, reference)?.version}`)].join("\n"),
    );
  });
}

/** Maximum size in bytes of files whose references are rewritten. Longer files are served unchanged. */
const maxRewrittenBytes = 2_000_000;

/** Cached versions and contents of the assets of one theme revision, by name. */
interface AssetCache {
  readonly assets: Map<string, AssetFile | undefined>;
  readonly versions: Map<string, string | undefined>;
  readonly contents: Map<string, AssetContent | undefined>;
}

/** Content and version of a file. Both come from a single read, so they always match. */
interface AssetContent {
  readonly version: string;
  /** Names of referenced files, including files that the theme does not have. */
  readonly names: readonly string[];
  /** Text of the file. Undefined if it references no file and imports no module of the shop. */
  readonly text: string | undefined;
  /** Whether the script imports a module that the shop provides. */
  readonly hasShopModule: boolean;
}

const getAssetCache = memoizePerObject(
  (_: CompiledTheme): AssetCache => ({ assets: new Map(), versions: new Map(), contents: new Map() }),
);

/**
 * Returns "/assets/theme.css?v=…". The version changes with the file, so that responses can be cached forever.
 * @param name name of a file. In older themes, a query or fragment follows: "icons.svg?v=4.0.3#icons"
 */
export function getAssetPath(theme: CompiledTheme, name: string): string {
  const [, source = "", query, fragment = ""] = /^([^?#]*)(?:\?([^#]*))?(.*)$/s.exec(name.toWellFormed()) ?? [];
  // Themes link to "theme.scss" or to "theme.scss.css", which is the compiled file.
  const compiled = `${source}.css`;
  const file = /\.s[ac]ss$/.test(source) && getAssetVersion(theme, compiled) !== undefined ? compiled : source;
  const version = getAssetVersion(theme, file);
  const queries = [version === undefined ? "" : `v=${version}`, encodeURI(query ?? "")].filter(Boolean).join("&");
  return `/assets/${encodeURIComponent(file)}${queries === "" ? "" : `?${queries}`}${encodeURI(fragment)}`;
}

function formatVersionedName(theme: CompiledTheme, name: string): string {
  const version = getAssetVersion(theme, name);
  return version === undefined ? name : `${name}?v=${version}`;
}

/** Returns the assets that a file references, directly or indirectly, without the file itself and in a fixed order. */
function findReferences(theme: CompiledTheme, name: string): readonly string[] {
  const references = new Set<string>();
  const pendingNames = [name];
  for (let currentName = pendingNames.pop(); currentName !== undefined; currentName = pendingNames.pop()) {
    for (const reference of listDirectReferences(theme, currentName)) {
      if (reference === name || references.has(reference)) continue;
      references.add(reference);
      pendingNames.push(reference);
    }
  }
  return [...references].sort();
}

/** Returns the assets that a file references directly. */
function listDirectReferences(theme: CompiledTheme, name: string): readonly string[] {
  return (readContent(theme, name)?.names ?? []).filter((reference) => readContent(theme, reference) !== undefined);
}

/** Replaces names of Shopify's script modules ("@shopify/partial-rendering") with URLs of the shop's modules. */
export function replaceShopModules(text: string): string {
  return text.replace(/(["'])@shopify\/partial-rendering\1/g, "$1/vitrine/partials.js$1");
}

/** Replaces the referenced file names in a script or style. */
function rewriteReferences(text: string, name: string, mapName: (name: string) => string): string {
  const pattern = name.endsWith(".css") ? styleReferencePattern : scriptReferencePattern;
  return text.replace(
    pattern,
    (_, prefix: string, reference: string, suffix: string) => prefix + mapName(reference) + suffix,
  );
}

const scriptReferencePattern = /(\b(?:from|import)\s*\(?\s*["']\.\/)([\w.-]+)(["'])/g;
const styleReferencePattern = /(\burl\(\s*["']?(?:\.\/)?)([\w.-]+)(["']?\s*\))/g;

function readContent(theme: CompiledTheme, name: string): AssetContent | undefined {
  return getOrCreate(getAssetCache(theme).contents, name, () => {
    const path = theme.folder.assets.get(name);
    const content = path === undefined ? theme.generateAsset(name) : readFileSync(path);
    if (content === undefined) return undefined;
    const names = new Set<string>();
    const mayContainReferences =
      /\.(?:m?js|css)$/.test(name) && (path === undefined || content.length <= maxRewrittenBytes);
    const text = mayContainReferences ? content.toString() : "";
    rewriteReferences(text, name, (reference) => {
      names.add(reference);
      return reference;
    });
    const hasShopModule = !name.endsWith(".css") && replaceShopModules(text) !== text;
    const isRewritten = names.size > 0 || hasShopModule;
    return { version: hashContent(content), names: [...names], text: isRewritten ? text : undefined, hasShopModule };
  });
}
