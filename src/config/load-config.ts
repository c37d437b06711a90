import { existsSync, readFileSync, statSync } from "node:fs";
import * as v from "valibot";
import { inferCountries } from "../pricing/default-countries.ts";
import { isObject } from "../runtime/is-object.ts";
import { SetupError } from "../setup-error.ts";
import { importModule, type MerchantCode } from "./merchant-module.ts";
import { findSettingLine, formatSettingPath } from "./setting-line.ts";
import { type Config, type StoreSettings, settingsSchema } from "./settings.ts";
import type { SettingPath } from "./settings-source.ts";
import { findConfigFile, rejectFilePath } from "./store-folder.ts";

/**
 * Reads the settings of a store folder.
 * @param overrides settings that replace those in the file
 * @param version version of the file. The file is loaded again if no earlier call had the same version
 * @throws SetupError that names the file, the line, and the setting
 */
export async function loadConfig(
  storeDir: string,
  overrides: StoreSettings = {},
  version: string | MerchantCode = "",
): Promise<Config> {
  const file = findConfigFile(storeDir);
  if (file === undefined) {
    rejectFilePath(storeDir);
    throw new SetupError(
      existsSync(storeDir)
        ? `${storeDir}: is not a store: it contains no vitrine.config.ts. Name the folder of the store, or create one with "vitrine init <new folder>".`
        : `${storeDir}: no such folder. Make a store with "vitrine init ${storeDir}".`,
    );
  }
  const writtenSettings = await importModule(
    file,
    'export the settings: "export default defineStore({ … })"',
    version || getFileVersion(file),
  );
  return checkSettings(mergeSettings(writtenSettings, overrides), file, readFileSync(file, "utf8"));
}

/**
 * Returns the modification time of a file that was changed after this process started, for example when an import set
 * the currency. Returns "" for an unchanged file.
 */
function getFileVersion(file: string): string {
  const modificationTimeMs = statSync(file).mtimeMs;
  return modificationTimeMs > performance.timeOrigin ? String(modificationTimeMs) : "";
}

function mergeSettings(settings: unknown, overrides: StoreSettings): unknown {
  if (typeof settings !== "object" || settings === null) return settings;
  const mergedSettings: Record<string, unknown> = { ...settings };
  for (const [key, value] of Object.entries(overrides)) {
    const previousValue = mergedSettings[key];
    mergedSettings[key] = isObject(previousValue) && isObject(value) ? { ...previousValue, ...value } : value;
  }
  return mergedSettings;
}

/**
 * Validates a merchant's settings and adds the defaults.
 * @param file file name for error messages
 * @param text content of the file, to find line numbers
 * @throws SetupError that lists each unknown or invalid setting
 */
export function checkSettings(configSettings: unknown, file: string, text = ""): Config {
  const result = parseSettings(configSettings);
  if ("config" in result) return result.config;
  const errors = result.errors.map(({ path, message }) => {
    const line = findSettingLine(text, path);
    return `${line === undefined ? file : `${file}:${line}`}: ${formatSettingPath(path) || "the settings"} ${message}.`;
  });
  throw new SetupError(`${errors.join("\n")} Correct the setting and start again.`);
}

/** An unknown or invalid setting. `message` completes the sentence that starts with the path, such as "must be …". */
export interface SettingError {
  /** Empty for all settings. */
  readonly path: SettingPath;
  readonly message: string;
}

/** Validates a merchant's settings and adds the defaults.  @returns the settings, or each error */
export function parseSettings(
  configSettings: unknown,
): { readonly config: Config } | { readonly errors: readonly SettingError[] } {
  const result = v.safeParse(settingsSchema, configSettings, { abortPipeEarly: true });
  if (!result.success)
    return {
      errors: result.issues.map(({ path = [], message }) => ({
        path: path.map(({ key }) => key as string | number),
        message,
      })),
    };
  const errors = findCdnErrors(result.output);
  return errors.length > 0 ? { errors } : { config: addDefaultCountries(result.output, configSettings) };
}

/** Returns errors of the setting `cdn` that depend on other settings. */
function findCdnErrors({ cdn, origin }: Config): readonly SettingError[] {
  if (cdn === undefined) return [];
  if (origin === undefined)
    return [
      { path: ["cdn"], message: "needs origin, because a CDN would store pages with the host name of any request" },
    ];
  return cdn.purge !== undefined && cdn.purge.url === undefined
    ? [{ path: ["cdn", "purge"], message: "needs url" }]
    : [];
}

/** Returns the settings with default shipping countries if the merchant configured no shipping. */
function addDefaultCountries(config: Config, configSettings: unknown): Config {
  const { shipping } = configSettings as { readonly shipping?: { readonly countries?: unknown } };
  if (shipping?.countries !== undefined || config.shipping.rates.length > 0 || config.hooks !== undefined)
    return config;
  return { ...config, shipping: { ...config.shipping, countries: inferCountries(config) } };
}
