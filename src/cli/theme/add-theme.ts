import { existsSync, readFileSync } from "node:fs";
import { chmod, mkdir, mkdtempDisposable, rename, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { loadConfig } from "../../config/load-config.ts";
import type { Config } from "../../config/settings.ts";
import { addThemeSettings, THEME_SETTINGS_FILE, type ThemeSettings } from "../../config/theme-settings.ts";
import { ignoreNotFound } from "../../not-found.ts";
import { SetupError } from "../../setup-error.ts";
import { system } from "../../system.ts";
import { checkTheme } from "../../theme/check/check-theme.ts";
import { type Finding, removeExistingEntries } from "../../theme/check/finding.ts";
import { readStoreInfo } from "../../theme/check/known-store.ts";
import { getThemeDir, isThemeName, MAIN_THEME_NAME, THEMES_FOLDER } from "../../theme/files/store-themes.ts";
import { readThemeFolder } from "../../theme/files/theme-folder.ts";
import { formatCount, formatFinding } from "../commands/check.ts";
import { type CommandIo, sanitize } from "../io.ts";
import { compileSass } from "./compile-sass.ts";
import { copyTheme, type ThemeCopyResult } from "./copy-theme.ts";
import { createMenus } from "./create-menus.ts";
import { createPreviewLink } from "./live-theme.ts";
import { openThemeSource } from "./theme-source.ts";

export interface AddThemeOptions {
  /** Location of the theme, as the user wrote it: a folder, a zip file, or the URL of a Git repository. */
  readonly source: string;
  readonly storeDir: string;
  /** Name of the theme. Default: derived from the source. */
  readonly name: string | undefined;
  readonly replacesTheme: boolean;
  readonly isDryRun: boolean;
  /** Days until the preview link expires. */
  readonly days: number;
}

/** Adds a theme to a store, without making it live. Prints the results, and a preview link. */
export async function addTheme(options: AddThemeOptions, io: CommandIo): Promise<void> {
  const { source, storeDir, replacesTheme, isDryRun, days } = options;
  const config = await loadConfig(storeDir);
  const name = options.name ?? deriveThemeName(source);
  if (!isThemeName(name) || name === MAIN_THEME_NAME)
    throw new SetupError(`"${sanitize(name)}" is not a name for a theme. Choose one with --name, such as "summer".`);
  const themesDir = join(storeDir, THEMES_FOLDER);
  const themeDir = getThemeDir(storeDir, name);
  const oldName = existsSync(themeDir) ? chooseBackupName(themesDir, name) : undefined;
  if (oldName !== undefined && !replacesTheme && !isDryRun)
    throw new SetupError(
      `${themeDir}: exists. Choose another --name, or add --replace, which moves it to ${THEMES_FOLDER}/${oldName}/.`,
    );
  const printLine = (line: string): unknown => io.stdout.write(`${line}\n`);
  // The temporary folder is in the store, so that it can be moved into themes/ by renaming it.
  await using stagingFolder = await mkdtempDisposable(join(isDryRun ? tmpdir() : storeDir, ".vitrine-theme-"));
  const stagingDir = stagingFolder.path;
  const copiedTheme = await openThemeSource(source, resolve(io.cwd, source), (themeSource) =>
    copyTheme(source, themeSource, stagingDir),
  );
  const sassMessages = await compileSass(stagingDir, config, !isDryRun);
  const { menus, findings } = await setUpTheme(storeDir, config, stagingDir);
  // The temporary folder is private, but the server may run as another user.
  await chmod(stagingDir, 0o755);
  if (isDryRun) printLine("Nothing was changed. The command without --dry-run has these results:");
  else await installTheme(stagingDir, themeDir, oldName === undefined ? undefined : join(themesDir, oldName));
  printNextSteps({ name, copiedTheme, oldName, menus, sassMessages }, printLine);
  for (const line of describeFindings(findings, name)) printLine(line);
  if (isDryRun) return;
  printLine(`\nPreview: ${await createPreviewLink(storeDir, config, name, days, io)}`);
  printLine(`Publish: ${io.program} theme publish ${name}`);
}

/** Derives a theme name from the location of the theme: "dawn" from "https://github.com/Shopify/dawn.git". */
function deriveThemeName(source: string): string {
  const name = basename(source.replace(/[?#].*$/, "")).replace(/\.(?:zip|git)$/i, "");
  return name
    .replace(/[^\w.-]+/g, "-")
    .replace(/^[^A-Za-z\d]+/, "")
    .slice(0, 64);
}

/**
 * Writes the settings of an added theme: the compatibility mode, and the menus that the shop lacks.
 * @returns the handles of the created menus, and the remaining findings of the theme check
 */
async function setUpTheme(
  storeDir: string,
  config: Config,
  themeDir: string,
): Promise<{ readonly menus: readonly string[]; readonly findings: readonly Finding[] }> {
  const file = join(themeDir, THEME_SETTINGS_FILE);
  const write = async (settings: ThemeSettings): Promise<Config> => {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, `${JSON.stringify(settings, null, 2)}\n`);
    return addThemeSettings(config, themeDir);
  };
  // A theme that was exported from a store of Vitrine has settings already.
  const writtenSettings = readSettings(file);
  const settings: ThemeSettings = { compat: true, ...writtenSettings };
  const compatConfig = await write(settings);
  const findings = removeExistingEntries(
    checkTheme(themeDir, compatConfig, readStoreInfo(storeDir, config, compatConfig)),
    () => true,
  );
  const menus = createMenus(findings, readThemeFolder(themeDir), compatConfig);
  if (Object.keys(menus).length > 0) await write({ ...settings, menus: { ...menus, ...settings.menus } });
  return { menus: Object.keys(menus), findings: findings.filter(({ menu }) => menu === undefined) };
}

function readSettings(file: string): ThemeSettings {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as ThemeSettings;
  } catch (error) {
    return ignoreNotFound(error) ?? {};
  }
}

/** Returns an unused name for the folder of a replaced theme: "dawn-20260131-120000", or "dawn-20260131-120000-2". */
function chooseBackupName(themesDir: string, name: string): string {
  const oldName = `${name}-${formatTime(system.now())}`;
  let unusedName = oldName;
  for (let count = 2; existsSync(join(themesDir, unusedName)); count += 1) unusedName = `${oldName}-${count}`;
  return unusedName;
}

/** Formats a time for the name of a folder: "20260131-120000". */
function formatTime(timeMs: number): string {
  return new Date(timeMs)
    .toISOString()
    .replace(/[-:]|\..*/g, "")
    .replace("T", "-");
}

async function installTheme(stagingDir: string, themeDir: string, oldDir: string | undefined): Promise<void> {
  await mkdir(dirname(themeDir), { recursive: true });
  if (oldDir !== undefined) await rename(themeDir, oldDir);
  try {
    await rename(stagingDir, themeDir);
  } catch (error) {
    if (oldDir !== undefined) await rename(oldDir, themeDir);
    throw error;
  }
}

interface NextSteps {
  readonly name: string;
  readonly copiedTheme: ThemeCopyResult;
  readonly oldName: string | undefined;
  readonly menus: readonly string[];
  readonly sassMessages: readonly string[];
}

function printNextSteps(
  { name, copiedTheme, oldName, menus, sassMessages }: NextSteps,
  printLine: (line: string) => unknown,
): void {
  const { copiedPaths, skippedFiles: skippedPaths } = copiedTheme;
  const folder = `${THEMES_FOLDER}/${name}`;
  if (oldName !== undefined) printLine(`Moved the old theme to ${THEMES_FOLDER}/${oldName}/.`);
  printLine(`Copied ${copiedPaths.length} files to ${folder}/.`);
  if (skippedPaths.length > 0)
    printLine(
      `Skipped ${skippedPaths.length} links or files with unusable names: ${sanitize(skippedPaths.slice(0, 3).join(", "))}`,
    );
  printLine(`Turned on "compat" in ${folder}/${THEME_SETTINGS_FILE}.`);
  if (menus.length > 0) printLine(`Created menus there, whose links you can edit: ${sanitize(menus.join(", "))}.`);
  for (const line of sassMessages) printLine(`Sass: ${folder}/${line}.`);
}

/** Maximum number of errors that are listed. */
const MAX_ERRORS = 20;

/** Rules whose findings do not change the pages that shoppers see. */
const ignoredRules: ReadonlySet<string> = new Set(["unused-snippet", "sass", "inline-code", "market"]);

/**
 * Lists the parts of a theme that do not work: each error, and one line for each kind of warning.
 * @param name name of the theme
 */
function describeFindings(findings: readonly Finding[], name: string): readonly string[] {
  const addThemeFolder = (finding: Finding): Finding => ({
    ...finding,
    places: finding.places.map((location) => ({ ...location, file: `${THEMES_FOLDER}/${name}/${location.file}` })),
  });
  const errors = findings.filter(({ severity }) => severity === "error");
  const warnings = findings.filter(({ severity }) => severity === "warning");
  const lines = [
    "",
    `Check: ${formatCount(errors.length, "error")}, ${formatCount(warnings.length, "warning")}. "vitrine check --theme ${name}" lists them.`,
    ...errors.slice(0, MAX_ERRORS).map((error) => `  ${formatFinding(addThemeFolder(error))}`),
    ...(errors.length > MAX_ERRORS ? [`  … and ${errors.length - MAX_ERRORS} more errors`] : []),
  ];
  const findingsByRule = Map.groupBy(
    warnings.filter(({ rule }) => !ignoredRules.has(rule)),
    ({ rule }) => rule,
  );
  for (const [rule, [firstFinding, ...otherFindings]] of findingsByRule) {
    if (firstFinding === undefined) continue;
    lines.push(`  ${formatFinding(addThemeFolder(firstFinding))}`);
    if (otherFindings.length > 0) lines.push(`    and ${otherFindings.length} more of the kind ${rule}`);
  }
  return lines;
}
