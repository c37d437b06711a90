import { existsSync, readFileSync, statSync } from "node:fs";
import { SetupError } from "../setup-error.ts";
import { checkSettings } from "./check-settings.ts";
import { type CodeGeneration, importDefault } from "./merchant-module.ts";
import type { Config, StoreSettings } from "./settings.ts";
import { configFile, refuseFile } from "./store-folder.ts";

/** Reads the settings of a store folder.
 *  @param overrides settings that beat the file's  @param anew as of `importDefault`
 *  @throws SetupError that names the file, the line and the setting */
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
    anew || ownStamp(file),
  );
  return checkSettings(merge(written, overrides), file, readFileSync(file, "utf8"));
}

/** Another one than at first where the file was written since this process began: an import writes the currency that it asked for. */
function ownStamp(file: string): string {
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
