import { hash } from "node:crypto";
import type { Config } from "./settings.ts";

/** Settings that apply without a restart. */
export const liveSettings = [
  "brand",
  "checkout",
  "contact",
  "invoices",
  "mail",
  "menus",
  "name",
  "origin",
  "paymentTypes",
  "shipping",
  "tax",
  "themePreset",
] as const satisfies readonly (keyof Config)[];

/** Settings that a running server uses. */
export interface RunningSettings {
  readonly config: Config;
  /** Hash of the settings file. "" if the file has not changed since the server started. */
  readonly revision: string;
}

/** Returns the settings of a running server with the settings of the file that apply without a restart. */
export function applyLiveSettings(runningConfig: Config, savedConfig: Config): Config {
  return { ...runningConfig, ...Object.fromEntries(liveSettings.map((name) => [name, savedConfig[name]])) };
}

/** Returns a hash that identifies the content of a settings file. */
export function hashSettings(text: string): string {
  return hash("sha256", text, "hex").slice(0, HASH_LENGTH);
}

/** Length of a hash in hexadecimal digits: 64 bits distinguish all versions of a file. */
const HASH_LENGTH = 16;
