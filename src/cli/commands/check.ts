import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import type { Row } from "../../catalog/catalog.ts";
import { findPlaceholders } from "../../catalog/content.ts";
import { readRow } from "../../catalog/rows/parse-row.ts";
import { formatRowName } from "../../catalog/rows/row-keys.ts";
import { checkSettings, loadConfig } from "../../config/load-config.ts";
import { describeMissingInvoiceData, describeMissingRates } from "../../config/missing-settings.ts";
import type { Config } from "../../config/settings.ts";
import { isStoreFolder, rejectFilePath } from "../../config/store-folder.ts";
import { addThemeSettings } from "../../config/theme-settings.ts";
import { describeUntrustedProxy } from "../../config/untrusted-proxy.ts";
import { describeCatalogFile, findCatalogFiles } from "../../import/catalog-files.ts";
import { checkCatalog } from "../../import/check-catalog.ts";
import { createCombinedListingCheck } from "../../import/combined-listing-check.ts";
import { createImportReport } from "../../import/reading-report.ts";
import { describeRowError } from "../../import/row-errors.ts";
import { checkRulesFolder } from "../../predictive-search/rules/rules-folder.ts";
import { SetupError } from "../../setup-error.ts";
import { readCatalogState } from "../../storage/catalog/catalog-store.ts";
import { findRows, readRowsOfKind } from "../../storage/catalog/lookups.ts";
import type { Database } from "../../storage/database.ts";
import { locateDatabase, openDatabase } from "../../storage/open-database.ts";
import { system } from "../../system.ts";
import { checkTheme } from "../../theme/check/check-theme.ts";
import {
  type Finding,
  type NamedEntry,
  removeExistingEntries,
  type SourceLocation,
} from "../../theme/check/finding.ts";
import { readStoreInfo } from "../../theme/check/known-store.ts";
import { getThemeDir, readLiveThemes } from "../../theme/files/store-themes.ts";
import { defineCommand, flag, text, UsageError } from "../arguments.ts";
import { checkStoreFiles } from "../check-store-files.ts";
import { formatJson, getPackagePath } from "../io.ts";
import { requireTheme } from "../theme/require-theme.ts";

const usage = `Usage: vitrine check [dir] [--theme NAME] [--json]

Checks settings, catalog files, search rules, email templates, and theme of the store in dir (default: the current folder), or a theme
alone.
Prints every finding with its file, line, and column. Errors fail the check; warnings do not.
  --theme NAME  check this theme of the store (default: the live one)
  --json   print one object: { catalog: [error], findings: [{ rule, severity, message, places: [{ file, line, column }] }] }`;

/** Runs `vitrine check`. The exit code is 1 for errors and 0 for warnings only. */
export const run = defineCommand(usage, { json: flag, theme: text }, async ({ values, positionals }, io) => {
  if (positionals.length > 1) throw new UsageError("check takes one folder.");
  const [name = "."] = positionals;
  const dir = resolve(io.cwd, name);
  rejectFilePath(dir);
  const isStoreDir = isStoreFolder(dir);
  if (!isStoreDir && !existsSync(join(dir, "layout")))
    throw new SetupError(`${dir} is neither a store (vitrine.config.ts) nor a theme (layout/).`);
  const config = isStoreDir ? await loadConfig(dir) : checkSettings({}, dir);
  const ruleMessages = await checkRulesFolder(dir, config.locales);
  const report = createImportReport();
  const entries = createEntryIndex();
  const readOptions = { now: system.now(), currency: config.currency, ...report };
  const incompletePages: string[] = [];
  const combinedListingCheck = createCombinedListingCheck();
  const onRow = (row: Row): void => {
    entries.add(row);
    combinedListingCheck.add(row);
    if (row.kind === "page" && findPlaceholders(row.content).length > 0) incompletePages.push(row.handle);
  };
  const catalogMessages = await findCatalogErrors(name, dir, io.cwd, readOptions, onRow);
  const allMessages = [...catalogMessages, ...ruleMessages.map((error) => join(name, error))];
  const themeName = values.theme ?? (isStoreDir ? (readLiveThemes(dir)[0] ?? "") : "");
  if (themeName !== "" && values.theme !== undefined) requireTheme(dir, themeName);
  const themeFolder = themeName === "" ? "" : relative(dir, getThemeDir(dir, themeName));
  const allFindings = [
    ...findThemeProblems(name, dir, themeFolder, config),
    ...combinedListingCheck.finish().map(({ message, missingHandle }) => ({
      ...createWarning("combined-listing", message, join(name, "catalog")),
      ...(missingHandle === undefined ? {} : { entry: { kind: "product" as const, handle: missingHandle } }),
    })),
  ];
  if (isStoreDir) {
    const references = allFindings.flatMap(({ entry }) => (entry === undefined || entries.has(entry) ? [] : [entry]));
    await entries.readDatabase(dir, references, io.env.DATABASE_URL);
  }
  const settingWarnings = isStoreDir
    ? {
        "untrusted-proxy": describeUntrustedProxy(dir, config),
        "no-shipping-rates": describeMissingRates(config),
        "incomplete-invoices": describeMissingInvoiceData(config),
      }
    : {};
  const findings = [
    ...(isStoreDir ? await checkStoreFiles(name, dir, config) : []),
    ...Object.entries(settingWarnings).flatMap(([rule, message]) =>
      message === undefined ? [] : [createWarning(rule, message, join(name, "vitrine.config.ts"))],
    ),
    ...(incompletePages.length === 0
      ? []
      : [createWarning("unfilled-page", describeUnfilledPages(incompletePages), join(name, "catalog"))]),
    ...removeExistingEntries(allFindings, entries.has),
  ];
  if (values.json) io.stdout.write(formatJson({ catalog: allMessages, findings }, 2));
  else for (const line of [...allMessages, ...findings.map(formatFinding)]) io.stdout.write(`${line}\n`);
  for (const line of report.lines(config.currency)) io.stderr.write(`${line}\n`);
  const errorCount = allMessages.length + findings.filter(({ severity }) => severity === "error").length;
  const warningCount = allMessages.length + findings.length - errorCount;
  io.stderr.write(`${dir}: ${formatCount(errorCount, "error")}, ${formatCount(warningCount, "warning")}.\n`);
  return errorCount === 0 ? 0 : 1;
});

function describeUnfilledPages(handles: readonly string[]): string {
  return `pages with placeholders: ${handles.join(", ")}. Replace each [[…]] by your data, or remove the page`;
}

function createWarning(rule: string, message: string, file: string): Finding {
  return { rule, severity: "warning", message, places: [{ file }] };
}

async function findCatalogErrors(
  name: string,
  dir: string,
  cwd: string,
  options: Parameters<typeof checkCatalog>[1],
  onRow: (row: Row) => void,
): Promise<readonly string[]> {
  if (!existsSync(join(dir, "catalog"))) return [];
  const fileError = await describeCatalogFile(dir);
  if (fileError !== undefined) return [fileError];
  const catalogResult = await checkCatalog(await findCatalogFiles(join(name, "catalog"), cwd), options, onRow);
  const unlistedCount = catalogResult.count - catalogResult.firstErrors.length;
  return [
    ...catalogResult.firstErrors.map(describeRowError),
    ...(unlistedCount > 0 ? [`… and ${unlistedCount} more in the catalog`] : []),
  ];
}

const defaultTheme = getPackagePath("themes/default");

/** Checks a theme.  @param folder path of the theme in `dir` */
export function findThemeProblems(name: string, dir: string, folder: string, config: Config): readonly Finding[] {
  const themeConfig = addThemeSettings(config, join(dir, folder));
  const storeEntries = folder === "" ? undefined : readStoreInfo(dir, config, themeConfig);
  // Without a theme folder, the shop uses the default theme. The settings can then only lack menus, presets, and
  // languages that this theme requires.
  if (!existsSync(join(dir, folder)))
    return checkTheme(defaultTheme, config, storeEntries)
      .filter(({ rule }) => ["unknown-menu", "unknown-preset", "missing-language"].includes(rule))
      .map((finding) => ({ ...finding, places: [{ file: join(name, "vitrine.config.ts") }] }));
  return checkTheme(join(dir, folder), themeConfig, storeEntries).map((finding) => ({
    ...finding,
    places: finding.places.map((location) => ({ ...location, file: join(name, folder, location.file) })),
  }));
}

/** Formats a finding as one line. Further locations are listed on a second line. */
export function formatFinding({ rule, severity, message, places }: Finding): string {
  const [firstLocation, ...otherLocations] = places;
  const line = `${firstLocation === undefined ? "" : formatLocation(firstLocation)}: ${severity}: ${message} (${rule})`;
  if (otherLocations.length === 0) return line;
  const otherText = otherLocations.slice(0, 3).map(formatLocation).join(", ");
  return `${line}\n    ${places.length} times; also ${otherText}${otherLocations.length > 3 ? " …" : ""}`;
}

function formatLocation({ file, line, column }: SourceLocation): string {
  return [file, line, column].filter((part) => part !== undefined).join(":");
}

/** Formats a number with its noun: "no errors", "1 error". */
export function formatCount(count: number, noun: string): string {
  return `${count === 0 ? "no" : count} ${noun}${count === 1 ? "" : "s"}`;
}

/**
 * Collects the handles of products, pages, and other catalog entries of a store, from its catalog files and, on
 * request, from its database.
 */
function createEntryIndex() {
  const names = new Set<string>();
  const kinds = new Set<string>();
  const addEntry = (kind: string, handle: string): void => {
    kinds.add(kind);
    names.add(`${kind} ${handle}`);
    if (kind === "article") names.add(`blog ${handle.split("/", 1)[0]}`);
  };
  const searchInDatabase = async (database: Database, entries: readonly NamedEntry[]): Promise<void> => {
    const { revision } = await readCatalogState(database);
    for (const kind of ["product", "page"] as const) {
      const handles = entries.filter((entry) => entry.kind === kind).map(({ handle }) => handle);
      for (const { key } of await findRows(database, revision, kind, "handle", handles)) addEntry(kind, key);
    }
    for (const kind of ["article", "collection"] as const)
      for (const { json } of await readRowsOfKind(database, revision, kind))
        addEntry(kind, formatRowName(readRow(kind, json)));
    if (revision > 0) kinds.add("product");
  };
  return {
    /** Adds a row of a catalog file. */
    add(row: Row) {
      addEntry(row.kind, formatRowName(row));
    },
    /**
     * Adds those of the given entries that the store's database contains, because catalog files may be incomplete.
     */
    async readDatabase(dir: string, entries: readonly NamedEntry[], databaseUrl: string | undefined) {
      const source = locateDatabase(join(dir, "data"), databaseUrl);
      if (entries.length === 0 || ("file" in source && !existsSync(source.file))) return;
      const database = await openDatabase(source, {});
      try {
        await searchInDatabase(database, entries);
      } finally {
        await database.close();
      }
    },
    /**
     * Returns whether an entry exists. If the catalog is empty, every entry counts as existing. If it contains no
     * collections, every collection counts as existing, because the shop then derives collections from the products.
     */
    has: ({ kind, handle }: NamedEntry) =>
      kinds.size === 0 || (kind === "collection" && !kinds.has("collection")) || names.has(`${kind} ${handle}`),
  };
}
