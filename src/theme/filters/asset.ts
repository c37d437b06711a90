import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { maxText } from "../budget.ts";
import type { CompiledTheme } from "../compiled-theme.ts";
import { stateOf } from "../render-state.ts";
import { attribute, SafeHtml } from "../safe-html.ts";
import { type FilterCall, type FilterFamily, splitArguments, textOf } from "./filter.ts";
import { safeAddress } from "./image.ts";

export const assetFilters: FilterFamily = {
  asset_url(value) {
    return assetAddress(this, textOf(value));
  },
  stylesheet_tag(value, ...args) {
    const { named } = splitArguments(args);
    const media = named.get("media");
    const href = address(this, textOf(value));
    return tag(`<link rel="stylesheet"${attribute("href", href)}${attribute("media", media as string | undefined)}>`);
  },
  /** `script_tag: type: 'module'`; other scripts are deferred. */
  script_tag(value, ...args) {
    const { named } = splitArguments(args);
    const isModule = named.get("type") === "module";
    const source = attribute("src", address(this, textOf(value)));
    return tag(isModule ? `<script type="module"${source}></script>` : `<script${source} defer></script>`);
  },
  preload_tag(value, ...args) {
    const { named } = splitArguments(args);
    const href = attribute("href", address(this, textOf(value)));
    return tag(`<link rel="preload"${href}${attribute("as", textOf(named.get("as")))}>`);
  },
  /** The file's own text: pictures in SVG, mostly. */
  inline_asset_content(value) {
    const path = stateOf(this.context).theme.folder.assets.get(textOf(value));
    if (path === undefined) return "";
    if (statSync(path).size > maxText) throw new Error(`${textOf(value)} is longer than ${maxText} bytes`);
    return cached(stateOf(this.context).theme, `text ${path}`, () => readFileSync(path, "utf8"));
  },
};

/** `stylesheet_tag` takes an asset's name or a whole address. */
function address(call: FilterCall, text: string): string {
  return text.includes("/") ? safeAddress(text) : assetAddress(call, text);
}

/** "/assets/theme.css?v=…": the fingerprint changes with the file, so that answers may be kept for ever. */
function assetAddress(call: FilterCall, name: string): string {
  const { theme } = stateOf(call.context);
  const path = theme.folder.assets.get(name);
  const plain = `/assets/${encodeURIComponent(name.toWellFormed())}`;
  if (path === undefined) return plain;
  const print = cached(theme, `print ${path}`, () =>
    createHash("sha256").update(readFileSync(path)).digest("base64url").slice(0, 12),
  );
  return `${plain}?v=${print}`;
}

function tag(html: string): SafeHtml {
  return new SafeHtml(html, html);
}

function cached(theme: CompiledTheme, key: string, make: () => string): string {
  let known = contents.get(theme);
  if (known === undefined) {
    known = new Map();
    contents.set(theme, known);
  }
  let value = known.get(key);
  if (value === undefined) {
    value = make();
    known.set(key, value);
  }
  return value;
}

const contents = new WeakMap<CompiledTheme, Map<string, string>>();
