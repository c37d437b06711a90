import { existsSync } from "node:fs";
import { chmod, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { loadConfig } from "../../config/load-config.ts";
import { addSetting } from "../../config/setting-line.ts";
import type { Config } from "../../config/settings.ts";
import { SetupError } from "../../setup-error.ts";
import { system } from "../../system.ts";
import { checkTheme } from "../../theme/check/check-theme.ts";
import { type Finding, removeExistingEntries } from "../../theme/check/finding.ts";
import { knownStore } from "../../theme/check/known-store.ts";
import { readArguments, reportWrongUsage } from "../arguments.ts";
import { type Io, quoteWord, sanitize } from "../io.ts";
import { compileSass } from "../theme/compile-sass.ts";
import { type CopiedTheme, copyTheme } from "../theme/copy-theme.ts";
import { describeFindings, describeMenus } from "../theme/describe-findings.ts";
import { withThemeSource } from "../theme/theme-source.ts";

const usage = `Usage: vitrine theme add [--store DIR] <folder, zip file, or git URL> [--replace] [--dry-run]

Adds a theme made for Shopify: copies it to theme/, turns on "compat" in vitrine.config.ts, compiles Sass with npx, and checks the theme.
  --store DIR  folder of the store (default: the current folder)
  --replace    move an existing theme/ to theme-<time>/
  --dry-run    show what would be done, and change nothing`;

/** Runs `vitrine theme`. */
export async function run(args: readonly string[], io: Io): Promise<number> {
  const flag = { type: "boolean" } as const;
  const options = { store: { type: "string" }, replace: flag, "dry-run": flag } as const;
  const parsedArguments = readArguments(args, options, usage, io);
  if (typeof parsedArguments === "number") return parsedArguments;
  const { values, positionals } = parsedArguments;
  const [action, source, ...others] = positionals;
  if (action !== "add") return reportWrongUsage("use add.", usage, io);
  if (source === undefined || others.length > 0) return reportWrongUsage("add takes one theme.", usage, io);
  const storeDir = resolve(io.cwd, String(values.store ?? "."));
  await addTheme({ source, storeDir, isReplacing: values.replace === true, isDryRun: values["dry-run"] === true }, io);
  return 0;
}

interface AddOptions {
  /** Folder, zip file, or URL, as given. */
  readonly source: string;
  readonly storeDir: string;
  readonly isReplacing: boolean;
  readonly isDryRun: boolean;
}

async function addTheme({ source, storeDir, isReplacing, isDryRun }: AddOptions, io: Io): Promise<void> {
  const config = await loadConfig(storeDir);
  const themeDir = join(storeDir, "theme");
  const oldName = existsSync(themeDir) ? `theme-${formatTime(system.now())}` : undefined;
  if (oldName !== undefined && !isReplacing && !isDryRun)
    throw new SetupError(`${themeDir}: exists. Add --replace, which moves it to ${oldName}/.`);
  const print = (line: string): unknown => io.stdout.write(`${line}\n`);
  // In the store, the folder can be renamed to theme/ in one step.
  const stagingDir = await mkdtemp(join(isDryRun ? tmpdir() : storeDir, ".vitrine-theme-"));
  try {
    const copiedTheme = await withThemeSource(source, resolve(io.cwd, source), (themeSource) =>
      copyTheme(source, themeSource, stagingDir),
    );
    const sassLines = await compileSass(stagingDir, !isDryRun);
    const compatConfig = await loadConfig(storeDir, { compat: true });
    const findings = removeExistingEntries(
      checkTheme(stagingDir, compatConfig, knownStore(storeDir, config)),
      () => true,
    );
    // The folder of mkdtemp is private, but the server may run as another user.
    await chmod(stagingDir, 0o755);
    if (isDryRun) print("Nothing was changed. The command without --dry-run has these results:");
    else await moveIntoPlace(stagingDir, themeDir, oldName === undefined ? undefined : join(storeDir, oldName));
    printSteps({ copiedTheme, oldName, compatLine: turnOnCompat(storeDir, config, isDryRun), sassLines }, print);
    printFindings(findings, print);
    if (!isDryRun) print(`\nPreview: ${io.program} dev ${quoteWord(storeDir)}`);
  } finally {
    await rm(stagingDir, { recursive: true, force: true });
  }
}

/** Formats a time for the name of a folder: "20260131-120000". */
function formatTime(timeMs: number): string {
  return new Date(timeMs)
    .toISOString()
    .replace(/[-:]|\..*/g, "")
    .replace("T", "-");
}

async function moveIntoPlace(stagingDir: string, themeDir: string, oldDir: string | undefined): Promise<void> {
  if (oldDir !== undefined) await rename(themeDir, oldDir);
  try {
    await rename(stagingDir, themeDir);
  } catch (error) {
    if (oldDir !== undefined) await rename(oldDir, themeDir);
    throw error;
  }
}

/** Turns on the compatibility mode in the settings file.  @returns a line about what was done, or has to be done */
function turnOnCompat(storeDir: string, { compat }: Config, isDryRun: boolean): string {
  if (compat.script && compat.forms && compat.sectionClass === "shopify-section") return '"compat" is already on.';
  const line = "compat: true,";
  if (isDryRun) return `Added "${line}" to vitrine.config.ts, if it can be edited.`;
  return addSetting(storeDir, "compat", line)
    ? `Added "${line}" to vitrine.config.ts.`
    : `To do: set "${line}" in vitrine.config.ts, which this command cannot edit.`;
}

interface Steps {
  readonly copiedTheme: CopiedTheme;
  readonly oldName: string | undefined;
  readonly compatLine: string;
  readonly sassLines: readonly string[];
}

function printSteps({ copiedTheme, oldName, compatLine, sassLines }: Steps, print: (line: string) => unknown): void {
  const { copied, skipped } = copiedTheme;
  if (oldName !== undefined) print(`Moved the old theme to ${oldName}/.`);
  print(`Copied ${copied.length} files to theme/.`);
  if (skipped.length > 0)
    print(`Skipped ${skipped.length} links or files with unusable names: ${sanitize(skipped.slice(0, 3).join(", "))}`);
  print(compatLine);
  for (const line of sassLines) print(`Sass: theme/${line}.`);
}

function printFindings(findings: readonly Finding[], print: (line: string) => unknown): void {
  for (const line of [...describeMenus(findings), ...describeFindings(findings)]) print(line);
}
