import { existsSync, readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";
import { checkSettings } from "./config-check.ts";
import { SetupError } from "./setup-error.ts";
import { configFile } from "./store-folder.ts";

/** A store's settings, complete and checked. */
export interface Config {
  readonly name: string;
  /** ISO 4217. */
  readonly currency: string;
  readonly locales: { readonly default: string; readonly others: readonly string[] };
  /** An IANA name, as "Europe/Berlin": where dates without a zone are, and in which all are shown. */
  readonly timezone: string;
  /** "https://shop.example"; absent: the request's own scheme and Host. */
  readonly origin?: string;
  readonly trustProxy: boolean | readonly string[];
  readonly cart: { readonly maxLines: number; readonly maxQuantity: number; readonly cookieDays: number };
  readonly search: { readonly synonyms: readonly (readonly string[])[]; readonly typoTolerance: boolean };
  readonly checkout: { readonly handoffUrl?: string };
  /** For themes made elsewhere. */
  readonly compat: {
    /** Bodies of forms are read on every write. */
    readonly forms: boolean;
    /** A class beside the id of sections' wrappers. */
    readonly sectionClass?: string;
    /** Pages load `/vitrine/compat.js`, which adds the token to the theme's own requests. */
    readonly script: boolean;
  };
  readonly images: {
    /** Megabytes of resized pictures that are kept in `data/images`. */
    readonly cacheMegabytes: number;
  };
  /** What rendering the theme may use. A step is a node of a template that is rendered, an item of a list or 64 characters of a text that a
   *  filter is given or gives back: the same on every machine. The times are the last resort. */
  readonly rendering: {
    /** Steps of one section. */
    readonly sectionSteps: number;
    /** Steps of all sections of a page together; as many for its template, and for its layout. */
    readonly pageSteps: number;
    /** Milliseconds of work, where the steps are slow ones; of a section, and of as much as `pageSteps` are for. */
    readonly sectionTime: number;
    readonly pageTime: number;
  };
  /** Menus of the theme: handle -> links. */
  readonly menus: Readonly<Record<string, readonly MenuLink[]>>;
}

export interface MenuLink {
  readonly title: string;
  readonly url: string;
  readonly links: readonly MenuLink[];
  /** locale -> title */
  readonly translations: Readonly<Record<string, string>>;
}

/** What a merchant writes: any part of a config; the rest has defaults. */
export type StoreSettings = {
  readonly [Key in Exclude<keyof Config, "menus" | "locales" | "compat">]?: Config[Key] extends object
    ? Partial<Config[Key]>
    : Config[Key];
} & {
  readonly locales?: { readonly default?: string; readonly others?: readonly string[] };
  readonly menus?: Readonly<Record<string, readonly MenuSettings[]>>;
  /** `true`: forms, the script, and the class "shopify-section". */
  readonly compat?: boolean | Partial<Config["compat"]>;
};

type MenuSettings = Pick<MenuLink, "title" | "url"> & {
  readonly links?: readonly MenuSettings[];
  readonly translations?: Readonly<Record<string, string>>;
};

/** Types a store's settings; `vitrine.config.ts` exports what it returns. */
export function defineStore(settings: StoreSettings): StoreSettings {
  return settings;
}

/** Reads the settings of a store folder.
 *  @param overrides settings that beat the file's  @throws SetupError that names the file, the line and the setting */
export async function loadConfig(storeDir: string, overrides: StoreSettings = {}): Promise<Config> {
  const file = configFile(storeDir);
  if (file === undefined) {
    throw new SetupError(
      existsSync(storeDir)
        ? `${storeDir}: is no store, as it holds no vitrine.config.ts. Name the store's folder, or make one with "vitrine init <new folder>".`
        : `${storeDir}: no such folder. Make a store with "vitrine init ${storeDir}".`,
    );
  }
  return checkSettings(merge(await importSettings(file), overrides), file, readFileSync(file, "utf8"));
}

async function importSettings(file: string): Promise<unknown> {
  resolveOwnName();
  const { href } = pathToFileURL(file);
  try {
    const loaded: { readonly default?: unknown } = await import(href);
    if (loaded.default === undefined)
      throw new SetupError(`${file}: export the settings: "export default defineStore({ … })".`);
    return loaded.default;
  } catch (error) {
    if (error instanceof SetupError) throw error;
    const { message, stack = "" } = error instanceof Error ? error : new Error(String(error));
    const line = new RegExp(`${RegExp.escape(href)}:\\d+`).exec(stack)?.[0].slice(href.length) ?? "";
    throw new SetupError(`${file}${line}: cannot be read: ${message}`);
  }
}

let isRegistered = false;

/** A store folder anywhere imports "vitrine": that name means this very package. */
function resolveOwnName(): void {
  if (isRegistered) return;
  isRegistered = true;
  const self = new URL(import.meta.url.endsWith(".ts") ? "./index.ts" : "./index.js", import.meta.url).href;
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier === "vitrine") return { url: self, shortCircuit: true };
      const found = next(specifier, context);
      // A store folder has no package.json that would say so. Read as TypeScript, a fault of syntax is told with its line.
      return /\/vitrine\.config\.[jt]s$/.test(found.url) ? { ...found, format: "module-typescript" } : found;
    },
  });
}

function merge(settings: unknown, overrides: StoreSettings): unknown {
  if (typeof settings !== "object" || settings === null) return settings;
  const merged: Record<string, unknown> = { ...settings };
  for (const [key, value] of Object.entries(overrides)) {
    const before = merged[key];
    const isPlain = (one: unknown): one is object => typeof one === "object" && one !== null && !Array.isArray(one);
    merged[key] = isPlain(before) && isPlain(value) ? { ...before, ...value } : value;
  }
  return merged;
}
