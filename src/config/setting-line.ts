import { readFileSync, writeFileSync } from "node:fs";
import { changeSettingsSource, parseSource, type SettingChange, type SettingPath } from "./settings-source.ts";
import { findConfigFile } from "./store-folder.ts";

/**
 * Returns the line number of a setting in a settings file, starting at 1. If the setting is missing, or code computes
 * it, returns the line of its nearest parent.
 * @returns undefined if not even a parent is found
 */
export function findSettingLine(text: string, path: SettingPath): number | undefined {
  let expression = parseSource(text);
  let start: number | undefined;
  for (const key of path) {
    const entry = expression?.entries?.findLast((candidate) => candidate.key === key);
    if (entry === undefined) break;
    start = entry.start;
    expression = entry.value;
  }
  return start === undefined ? undefined : text.slice(0, start).split("\n").length;
}

/** Formats a path such as "shipping.rates[0].price". */
export function formatSettingPath(path: SettingPath): string {
  return path
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${key}`))
    .join("")
    .replace(/^\./, "");
}

/**
 * Writes settings into the settings file of a store, without checking them.
 * @returns false if code in the file computes one of them, so that nothing was written
 */
export function writeSettings(storeDir: string, changes: readonly SettingChange[]): boolean {
  const file = findConfigFile(storeDir);
  const text = file && changeSettingsSource(readFileSync(file, "utf8"), changes);
  if (file === undefined || text === undefined) return false;
  writeFileSync(file, text);
  return true;
}
