import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { getOrCreate, memoizePerObject } from "../../runtime/cache.ts";
import type { CompiledTheme } from "./compiled-theme.ts";

/**
 * A file of `assets/` as it is served: `text` if its references were rewritten, else the bytes at `path`. If the file
 * changed on disk, its bytes no longer match `version`. `contentVersion` detects this.
 */
export type AssetFile = {
  /** Version in the URL (`?v=`). */
  readonly version: string;
} & ({ readonly path: string } | { readonly text: string });

/** Returns 12 characters that change with the content. */
export function contentVersion(content: string | Uint8Array): string {
  return hash("sha256", content, "base64url").slice(0, 12);
}

/**
 * Returns a file of the theme, or a file that is generated from the theme's files. URLs of other assets in scripts
 * (`from "./cart.js"`) and styles (`url(dots.svg)`) contain the version of their target and can be cached forever.
 * @returns undefined if the theme has no such file
 * @throws Error if a generated file fails
 */
export function assetFile(theme: CompiledTheme, name: string): AssetFile | undefined {
  return getOrCreate(knownOf(theme).files, name, () => {
    const version = assetVersion(theme, name);
    if (version === undefined) return undefined;
    const path = theme.folder.assets.get(name);
    if (path !== undefined && namedBy(theme, name).length === 0) return { version, path };
    const text = contentOf(theme, name)?.text ?? theme.generated(name) ?? "";
    return { version, text: rewrite(text, name, (other) => addressOf(theme, other)) };
  });
}

/**
 * Returns the version of an asset for `?v=`, or undefined if the theme has no such file. The version covers the file
 * and all files that it references, directly or indirectly. References can form a cycle.
 */
export function assetVersion(theme: CompiledTheme, name: string): string | undefined {
  return getOrCreate(knownOf(theme).versions, name, () => {
    const version = contentOf(theme, name)?.version;
    const referenced = version === undefined ? [] : reachedFrom(theme, name);
    if (version === undefined || referenced.length === 0) return version;
    return contentVersion(
      [version, ...referenced.map((other) => `${other} ${contentOf(theme, other)?.version}`)].join("\n"),
    );
  });
}

/** Maximum bytes of a rewritten file. Longer files are served unchanged. */
const maxRewritten = 2_000_000;

/** Cached versions and contents of the assets of one theme revision, by name. */
interface Known {
  readonly files: Map<string, AssetFile | undefined>;
  readonly versions: Map<string, string | undefined>;
  readonly contents: Map<string, Content | undefined>;
}

/** Content of a file and its version, from a single read. */
interface Content {
  readonly version: string;
  /** Names of referenced files, including files that the theme does not have. */
  readonly names: readonly string[];
  /** Text of the file. Undefined if it references no file. */
  readonly text: string | undefined;
}

const knownOf = memoizePerObject(
  (_: CompiledTheme): Known => ({ files: new Map(), versions: new Map(), contents: new Map() }),
);

/** Returns "/assets/theme.css?v=…". The version changes with the file, so that responses can be cached forever. */
export function assetPath(theme: CompiledTheme, name: string): string {
  const version = assetVersion(theme, name);
  return `/assets/${encodeURIComponent(name.toWellFormed())}${version === undefined ? "" : `?v=${version}`}`;
}

function addressOf(theme: CompiledTheme, name: string): string {
  const version = assetVersion(theme, name);
  return version === undefined ? name : `${name}?v=${version}`;
}

/** Returns the assets that a file references, directly or indirectly, without the file itself and in a fixed order. */
function reachedFrom(theme: CompiledTheme, name: string): readonly string[] {
  const reached = new Set<string>();
  const open = [name];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    for (const other of namedBy(theme, one)) {
      if (other === name || reached.has(other)) continue;
      reached.add(other);
      open.push(other);
    }
  }
  return [...reached].sort();
}

/** Returns the assets that a file references directly. */
function namedBy(theme: CompiledTheme, name: string): readonly string[] {
  return (contentOf(theme, name)?.names ?? []).filter((other) => contentOf(theme, other) !== undefined);
}

/** Replaces the referenced file names in a script or style. */
function rewrite(text: string, name: string, replace: (name: string) => string): string {
  const pattern = name.endsWith(".css") ? inStyles : inScripts;
  return text.replace(pattern, (_, before: string, other: string, after: string) => before + replace(other) + after);
}

const inScripts = /(\b(?:from|import)\s*\(?\s*["']\.\/)([\w.-]+)(["'])/g;
const inStyles = /(\burl\(\s*["']?(?:\.\/)?)([\w.-]+)(["']?\s*\))/g;

function contentOf(theme: CompiledTheme, name: string): Content | undefined {
  return getOrCreate(knownOf(theme).contents, name, () => {
    const path = theme.folder.assets.get(name);
    const content = path === undefined ? theme.generated(name) : readFileSync(path);
    if (content === undefined) return undefined;
    const names = new Set<string>();
    const mayName = /\.(?:m?js|css)$/.test(name) && (path === undefined || content.length <= maxRewritten);
    const text = mayName ? content.toString() : "";
    rewrite(text, name, (other) => {
      names.add(other);
      return other;
    });
    return { version: contentVersion(content), names: [...names], text: names.size === 0 ? undefined : text };
  });
}
