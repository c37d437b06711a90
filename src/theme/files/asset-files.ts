import { hash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import type { CompiledTheme } from "./compiled-theme.ts";

/** A file of `assets/` as it is served: the bytes at `path`, or `text` where something was written into it. */
export type AssetFile = {
  /** 12 characters that change with what is served, for `?v=`. */
  readonly version: string;
} & ({ readonly path: string } | { readonly text: string });

/** A file of the theme, or one that is made of its files (rendered, joined). Addresses of other assets in scripts
 *  (`from "./cart.js"`) and styles (`url(dots.svg)`) carry the version of what they name, so that they may be kept for ever too.
 *  @returns undefined where the theme has none of that name  @throws Error where it is made and cannot be */
export function assetFile(theme: CompiledTheme, name: string): AssetFile | undefined {
  return remember(knownOf(theme).files, name, () => {
    const version = assetVersion(theme, name);
    if (version === undefined) return undefined;
    const path = theme.folder.assets.get(name);
    if (path !== undefined && namedBy(theme, name).length === 0) return { version, path };
    const text = textOf(theme, name) ?? theme.generated(name) ?? "";
    return { version, text: rewrite(text, name, (other) => addressOf(theme, other)) };
  });
}

/** What `?v=` of an asset's address says; undefined where the theme has none of that name.
 *  It is made of the file and of all that it names, for files may name each other in a ring. */
export function assetVersion(theme: CompiledTheme, name: string): string | undefined {
  return remember(knownOf(theme).versions, name, () => {
    const own = printOf(theme, name);
    const others = own === undefined ? [] : reachedFrom(theme, name);
    if (own === undefined || others.length === 0) return own;
    return shortHash([own, ...others.map((other) => `${other} ${printOf(theme, other)}`)].join("\n"));
  });
}

/** Files longer than this, in bytes, are served as they are. */
const maxRewritten = 2_000_000;

/** What was found out about the assets of one revision of a theme, by name. */
interface Known {
  readonly files: Map<string, AssetFile | undefined>;
  readonly versions: Map<string, string | undefined>;
  /** Hash of what a file holds itself. */
  readonly prints: Map<string, string | undefined>;
  /** The assets that a file names. */
  readonly named: Map<string, readonly string[]>;
}

const known = new WeakMap<CompiledTheme, Known>();

function knownOf(theme: CompiledTheme): Known {
  let found = known.get(theme);
  if (found === undefined) {
    found = { files: new Map(), versions: new Map(), prints: new Map(), named: new Map() };
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

function namedBy(theme: CompiledTheme, name: string): readonly string[] {
  return remember(knownOf(theme).named, name, () => {
    const found = new Set<string>();
    rewrite(textOf(theme, name) ?? "", name, (other) => {
      if (printOf(theme, other) !== undefined) found.add(other);
      return other;
    });
    return [...found];
  });
}

/** Replaces the names of neighbours in a script or a style. */
function rewrite(text: string, name: string, replace: (name: string) => string): string {
  const pattern = name.endsWith(".css") ? inStyles : inScripts;
  return text.replace(pattern, (_, before: string, other: string, after: string) => before + replace(other) + after);
}

const inScripts = /(\b(?:from|import)\s*\(?\s*["']\.\/)([\w.-]+)(["'])/g;
const inStyles = /(\burl\(\s*["']?(?:\.\/)?)([\w.-]+)(["']?\s*\))/g;

/** Of scripts and styles alone; undefined where there is nothing to look into. */
function textOf(theme: CompiledTheme, name: string): string | undefined {
  if (!/\.(?:m?js|css)$/.test(name)) return undefined;
  const path = theme.folder.assets.get(name);
  if (path === undefined) return theme.generated(name);
  return statSync(path).size > maxRewritten ? undefined : readFileSync(path, "utf8");
}

function printOf(theme: CompiledTheme, name: string): string | undefined {
  return remember(knownOf(theme).prints, name, () => {
    const path = theme.folder.assets.get(name);
    const content = path === undefined ? theme.generated(name) : readFileSync(path);
    return content === undefined ? undefined : shortHash(content);
  });
}

function shortHash(content: string | Uint8Array): string {
  return hash("sha256", content, "base64url").slice(0, 12);
}

function remember<Value>(map: Map<string, Value>, name: string, make: () => Value): Value {
  if (!map.has(name)) map.set(name, make());
  return map.get(name) as Value;
}
