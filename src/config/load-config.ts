import { existsSync, readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";
import { SetupError } from "../setup-error.ts";
import { checkSettings } from "./check-settings.ts";
import type { Config, StoreSettings } from "./settings.ts";
import { configFile } from "./store-folder.ts";

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
  const hooks = resolveOwnName();
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
  } finally {
    hooks.deregister();
  }
}

/** A store folder anywhere imports "vitrine": while its settings are imported, that name means this very package. */
function resolveOwnName(): { deregister(): void } {
  const self = new URL(import.meta.url.endsWith(".ts") ? "../index.ts" : "../index.js", import.meta.url).href;
  return registerHooks({
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
