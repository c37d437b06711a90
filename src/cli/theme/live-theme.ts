import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { loadConfig } from "../../config/load-config.ts";
import type { Config } from "../../config/settings.ts";
import { addThemeSettings } from "../../config/theme-settings.ts";
import { DAY_MS } from "../../runtime/durations.ts";
import { getPreviewPath } from "../../security/theme-preview.ts";
import { SetupError } from "../../setup-error.ts";
import { system } from "../../system.ts";
import {
  getThemeDir,
  hasTheme,
  listThemes,
  MAIN_THEME_NAME,
  readLiveThemes,
  THEMES_FOLDER,
  writeLiveThemes,
} from "../../theme/files/store-themes.ts";
import type { CommandIo } from "../io.ts";
import { openKeyring } from "../store-keyring.ts";
import { requireTheme } from "./require-theme.ts";

/** Prints the themes of a store, with a mark in front of the live one. */
export async function printThemes(storeDir: string, io: CommandIo): Promise<void> {
  await loadConfig(storeDir);
  const [liveThemeName] = readLiveThemes(storeDir);
  const names = listThemes(storeDir);
  if (!names.includes(liveThemeName))
    io.stdout.write(
      liveThemeName === MAIN_THEME_NAME
        ? "* the default theme, because theme/ does not exist\n"
        : `* ${liveThemeName} does not exist\n`,
    );
  for (const name of names) io.stdout.write(`${name === liveThemeName ? "*" : " "} ${name}\n`);
}

/** Prints a link that shows a theme to the visitors who open it, until the link expires. */
export async function printPreviewLink(storeDir: string, theme: string, days: number, io: CommandIo): Promise<void> {
  const config = await loadConfig(storeDir);
  const name = themeNameOf(storeDir, theme, io);
  requireTheme(storeDir, name);
  io.stdout.write(`${await createPreviewLink(storeDir, config, name, days, io)}\n`);
  io.stderr.write(`The link shows the theme for ${days} ${days === 1 ? "day" : "days"}. The server must run.\n`);
}

/** Creates a preview link. Its origin is the setting `origin`, or that of a server on this machine. */
export async function createPreviewLink(
  storeDir: string,
  { origin }: Config,
  name: string,
  days: number,
  io: CommandIo,
): Promise<string> {
  const expiryTime = system.now() + days * DAY_MS;
  const address = origin ?? `http://127.0.0.1:${io.env.PORT ?? "3000"}`;
  return new URL(getPreviewPath(await openKeyring(storeDir, io), name, expiryTime), address).href;
}

/** Makes a theme live. */
export async function publishTheme(storeDir: string, theme: string, io: CommandIo): Promise<void> {
  const config = await loadConfig(storeDir);
  const name = themeNameOf(storeDir, theme, io);
  requireTheme(storeDir, name);
  const dir = getThemeDir(storeDir, name);
  if (!existsSync(join(dir, "layout", "theme.liquid")))
    throw new SetupError(`${dir}: layout/theme.liquid is missing, so the theme cannot be live.`);
  addThemeSettings(config, dir);
  const names = readLiveThemes(storeDir);
  if (names[0] === name) {
    io.stdout.write(`${name} is live already.\n`);
    return;
  }
  await mkdir(join(storeDir, THEMES_FOLDER), { recursive: true });
  writeLiveThemes(storeDir, [name, ...names]);
  io.stdout.write(`${name} is live. "${io.program} theme rollback" goes back to ${names[0]}.\n`);
}

/** Makes the theme live that was live before. */
export async function rollBackTheme(storeDir: string, io: CommandIo): Promise<void> {
  await loadConfig(storeDir);
  const [liveThemeName, ...otherThemes] = readLiveThemes(storeDir);
  // The name "theme" is always valid: if the folder theme/ is missing, it stands for the default theme.
  const index = otherThemes.findIndex(
    (name) => name !== liveThemeName && (name === MAIN_THEME_NAME || hasTheme(storeDir, name)),
  );
  const previousTheme = otherThemes[index];
  if (previousTheme === undefined)
    throw new SetupError(`no theme was live before "${liveThemeName}". Publish one with "vitrine theme publish".`);
  writeLiveThemes(storeDir, otherThemes.slice(index));
  io.stdout.write(
    `${previousTheme} is live again. "${io.program} theme publish ${liveThemeName}" makes ${liveThemeName} live.\n`,
  );
}

/** Returns the name of a theme that is given as a name, or as its folder in the store. */
function themeNameOf(storeDir: string, theme: string, io: CommandIo): string {
  const path = resolve(io.cwd, theme);
  const isThemeFolder = dirname(path) === join(storeDir, THEMES_FOLDER) || path === join(storeDir, MAIN_THEME_NAME);
  return isThemeFolder ? basename(path) : theme;
}
