import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { CompiledTheme } from "./compiled-theme.ts";

/** A file of `assets/` as it is served: `text` if something was written into it, else the bytes at `path`. These may have changed since:
 *  they are of this version only if `contentVersion` says so. */
export type AssetFile = {
  /** For `?v=`. */
  readonly version: string;
} & ({ readonly path: string } | { readonly text: string });

/** 12 characters that change with the content. */
export function contentVersion(content: string | Uint8Array): string {
  return hash("sha256", content, "base64url").slice(0, 12);
}

/** A file of the theme, or one that is made of its files (rendered, joined). Addresses of other assets in scripts
 *  (`from "./cart.js"`) and styles (`url(dots.svg)`) carry the version of what they name, so that they may be kept for ever too.
 *  @returns undefined where the theme has none of that name  @throws Error where it is made and cannot be */
export function assetFile(theme: CompiledTheme, name: string): AssetFile | undefined {
  return remember(knownOf(theme).files, name, () => {
    const version = assetVersion(theme, name);
    if (version === undefined) return undefined;
    const path = theme.folder.assets.get(name);
    if (path !== undefined && namedBy(theme, name).length === 0) return { version, path };
    const text = contentOf(theme, name)?.text ?? theme.generated(name) ?? "";
    return { version, text: rewrite(text, name, (other) => addressOf(theme, other)) };
  });
}

/** What `?v=` of an asset's address says; undefined where the theme has none of that name.
 *  It is made of the file and of all that it names, for files may name each other in a ring. */
export function assetVersion(theme: CompiledTheme, name: string): string | undefined {
  return remember(knownOf(theme).versions, name, () => {
    const own = contentOf(theme, name)?.version;
    const others = own === undefined ? [] : reachedFrom(theme, name);
    if (own === undefined || others.length === 0) return own;
    return contentVersion([own, ...others.map((other) => `${other} ${contentOf(theme, other)?.version}`)].join("\n"));
  });
}

/** Files longer than this, in bytes, are served as they are. */
const maxRewritten = 2_000_000;

/** What was found out about the assets of one revision of a theme, by name. */
interface Known {
  readonly files: Map<string, AssetFile | undefined>;
  readonly versions: Map<string, string | undefined>;
  readonly contents: Map<string, Content | undefined>;
}

/** A file as it was read once, so that its text is of its version. */
interface Content {
  readonly version: string;
  /** Names of neighbors in it, whether the theme has them or not. */
  readonly names: readonly string[];
  /** undefined if it names none. */
  readonly text: string | undefined;
}

const known = new WeakMap<CompiledTheme, Known>();

function knownOf(theme: CompiledTheme): Known {
  let found = known.get(theme);
  if (found === undefined) {
    found = { files: new Map(), versions: new Map(), contents: new Map() };
    known.set(theme, found);
  }
  return found;
}

function addressOf(theme: CompiledTheme, name: string): string {
  const version = assetVersion(theme, name);
  return version === undefined ? name : `${name}?v=${version}`;
}

/** The assets that a file names, those that these name and so on, without itself, in a fixed order. */
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

/** The assets that a file names. */
function namedBy(theme: CompiledTheme, name: string): readonly string[] {
  return (contentOf(theme, name)?.names ?? []).filter((other) => contentOf(theme, other) !== undefined);
}

/** Replaces the names of neighbours in a script or a style. */
function rewrite(text: string, name: string, replace: (name: string) => string): string {
  const pattern = name.endsWith(".css") ? inStyles : inScripts;
  return text.replace(pattern, (_, before: string, other: string, after: string) => before + replace(other) + after);
}

const inScripts = /(\b(?:from|import)\s*\(?\s*["']\.\/)([\w.-]+)(["'])/g;
const inStyles = /(\burl\(\s*["']?(?:\.\/)?)([\w.-]+)(["']?\s*\))/g;

function contentOf(theme: CompiledTheme, name: string): Content | undefined {
  return remember(knownOf(theme).contents, name, () => {
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

function remember<Value>(map: Map<string, Value>, name: string, make: () => Value): Value {
  if (!map.has(name)) map.set(name, make());
  return map.get(name) as Value;
}
