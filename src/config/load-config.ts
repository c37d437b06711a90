import { existsSync, readFileSync, statSync } from "node:fs";
import * as v from "valibot";
import { defaultCountries } from "../pricing/default-countries.ts";
import { SetupError } from "../setup-error.ts";
import { type CodeGeneration, importDefault } from "./merchant-module.ts";
import { settingLine } from "./setting-line.ts";
import { type Config, type StoreSettings, settings } from "./settings.ts";
import { configFile, refuseFile } from "./store-folder.ts";

/**
 * Reads the settings of a store folder.
 * @param overrides settings that take precedence over the file
 * @param version version of the file, as in `importDefault`
 * @throws SetupError that names the file, the line, and the setting
 */
export async function loadConfig(
  storeDir: string,
  overrides: StoreSettings = {},
  anew: string | CodeGeneration = "",
): Promise<Config> {
  const file = configFile(storeDir);
  if (file === undefined) {
    refuseFile(storeDir);
    throw new SetupError(
      existsSync(storeDir)
        ? `${storeDir}: is no store, as it holds no vitrine.config.ts. Name the store's folder, or make one with "vitrine init <new folder>".`
        : `${storeDir}: no such folder. Make a store with "vitrine init ${storeDir}".`,
    );
  }
  const written = await importDefault(
    file,
    'export the settings: "export default defineStore({ … })"',
    anew || fileStamp(file),
  );
  return checkSettings(merge(written, overrides), file, readFileSync(file, "utf8"));
}

/**
 * Returns a version for a file that was written after this process started, for example by an import that set the
 * currency. Returns "" otherwise.
 */
function fileStamp(file: string): string {
  const written = statSync(file).mtimeMs;
  return written > performance.timeOrigin ? String(written) : "";
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

/**
 * Validates the settings of a merchant and adds the defaults.
 * @param file name of the file in error messages
 * @param text text of the file, to find line numbers
 * @throws SetupError that lists each unknown or invalid setting
 */
export function checkSettings(written: unknown, file: string, text = ""): Config {
  const result = v.safeParse(settings, written, { abortPipeEarly: true });
  if (result.success) return withDefaultCountries(result.output, written);
  const errors = result.issues.map(({ path, message }) => {
    const name = nameOf(path ?? []);
    const line = settingLine(text, name);
    return `${line === undefined ? file : `${file}:${line}`}: ${name === "" ? "the settings" : name} ${message}.`;
  });
  throw new SetupError(`${errors.join("\n")} Correct the setting and start again.`);
}

/** Returns a config whose shop ships to its default countries if no shipping settings are present. */
function withDefaultCountries(config: Config, written: unknown): Config {
  const { shipping } = written as { readonly shipping?: { readonly countries?: unknown } };
  if (shipping?.countries !== undefined || config.shipping.rates.length > 0 || config.hooks !== undefined)
    return config;
  return { ...config, shipping: { ...config.shipping, countries: defaultCountries(config) } };
}

/** Formats the path of a setting, such as "menus.main[0].url". */
function nameOf(path: readonly v.IssuePathItem[]): string {
  return path
    .map(({ key }) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`))
    .join("")
    .replace(/^\./, "");
}
