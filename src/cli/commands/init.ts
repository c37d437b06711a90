import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { basename, join, relative, resolve, sep } from "node:path";
import { writeSettings } from "../../config/setting-line.ts";
import { findCurrency, findTimezone } from "../../pricing/default-countries.ts";
import { isCurrency } from "../../pricing/money.ts";
import { SetupError } from "../../setup-error.ts";
import { findPreset } from "../../theme/files/compile-theme.ts";
import { defineCommand, text, UsageError } from "../arguments.ts";
import { type InitAnswers, readInitAnswers } from "../first-answers.ts";
import { type CommandIo, getPackagePath, quoteForShell } from "../io.ts";
import { createAboutPage, createPolicyPages } from "../starter-pages.ts";

const usage = `Usage: vitrine init <dir> [--name TEXT] [--country DE] [--language de] [--import FILE] [--currency EUR] [--preset NAME]

Creates a store folder: vitrine.config.ts, a small catalog, policy pages to fill in, the default theme, package.json, tsconfig.json, README.md, and a Dockerfile.
On a terminal, asks for the first four if they are missing.
  --name TEXT     name of the shop (default: My shop)
  --country DE    country of the shop: a code, or its English name; sets the time zone, too
  --language de   language of the shop (default: en)
  --import FILE   product export of Shopify, WooCommerce, Squarespace, or Google, instead of example products
  --currency EUR  currency of the store (default: that of the country, else USD)
  --preset NAME   colors and fonts: clothes (default), food, tools, books, art, harbour`;

const options = { name: text, country: text, language: text, import: text, currency: text, preset: text };

/** Runs `vitrine init`. Never writes to a folder with files, except a new Git repository. */
export const run = defineCommand(usage, options, async ({ values, positionals }, io) => {
  const [name, ...extraArguments] = positionals;
  if (name === undefined || extraArguments.length > 0) throw new UsageError("init takes one folder.");
  const currencyOption = values.currency?.toUpperCase();
  if (currencyOption !== undefined && !isCurrency(currencyOption))
    throw new UsageError(`"${currencyOption}" is not a currency: use three letters, like EUR.`);
  const themeSettings = await readThemeSettings(values.preset ?? "clothes");
  const dir = resolve(io.cwd, name);
  await createEmptyFolder(dir, name);
  const flagValues = { name: values.name, country: values.country, language: values.language, export: values.import };
  const answers = await readInitAnswers(flagValues, dir, io);
  const currency =
    currencyOption ?? (answers.country === undefined ? undefined : findCurrency(answers.country)) ?? "USD";
  try {
    await writeStore(dir, { ...answers, currency, themeSettings });
  } catch (error) {
    // The folder was empty, so the command can be repeated in it.
    await Promise.all((await listFiles(dir)).map((file) => rm(join(dir, file), { recursive: true, force: true })));
    throw error;
  }
  const relativeDir = relative(io.cwd, dir) || ".";
  const path = quoteForShell(relativeDir.startsWith("..") ? dir : relativeDir);
  const catalogText =
    answers.export === undefined
      ? `products and pages: three example products; import yours with "${io.program} import"`
      : "pages; your products go into the database";
  io.stdout.write(`Created a store in ${dir}

  catalog/           ${catalogText}
  theme/             templates, styles, and translations
  vitrine.config.ts  settings: name, currency (${currency}), languages, and others
  README.md          an overview, and the next steps

`);
  const exitCode = answers.export === undefined ? 0 : await importFile(dir, answers.export, currency, io);
  const nextStep = `${io.program} serve ${path}`;
  io.stdout.write(
    exitCode === 0
      ? `Next: ${nextStep}\n`
      : `The store was created, but the products were not imported. Next: "${io.program} import <file> --store ${path}" with the corrected file, then "${nextStep}".\n`,
  );
  return exitCode;
});

interface NewStore extends InitAnswers {
  readonly currency: string;
  /** Text of the settings file of the theme. */
  readonly themeSettings: string;
}

/** Writes the files of a store into an empty folder. */
async function writeStore(dir: string, store: NewStore): Promise<void> {
  const { currency, themeSettings, country, name, language = "en" } = store;
  await cp(getPackagePath("examples/starter"), dir, { recursive: true, filter: (path) => !/[\\/]data$/.test(path) });
  await cp(getPackagePath("themes/default"), join(dir, "theme"), { recursive: true });
  await writeFile(join(dir, "theme", themeSettingsFile), themeSettings);
  await writeFile(join(dir, "catalog", "pages.jsonl"), createAboutPage(language));
  await writeFile(join(dir, "catalog", "policies.jsonl"), createPolicyPages(language));
  for (const file of ["Dockerfile", "compose.yaml"]) await cp(getPackagePath(`deploy/${file}`), join(dir, file));
  await cp(getPackagePath("deploy/Dockerfile.dockerignore"), join(dir, ".dockerignore"));
  for (const [file, content] of Object.entries(await generateFiles(dir))) await writeFile(join(dir, file), content);
  const firstSettings = [
    { path: ["currency"], value: currency },
    { path: ["name"], value: name },
    { path: ["timezone"], value: country && findTimezone(country, getMachineTimezone()) },
    { path: ["locales", "default"], value: language },
    { path: ["contact", "address", "country"], value: country },
  ];
  writeSettings(
    dir,
    firstSettings.filter(({ value }) => value !== undefined),
  );
}

function getMachineTimezone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Imports the products of another shop system in place of the examples.  @returns the exit code */
async function importFile(dir: string, file: string, currency: string, io: CommandIo): Promise<number> {
  await rm(join(dir, "catalog", "products.jsonl"));
  const { run: runImport } = await import("./import.ts");
  // Import `catalog/` of the new store too, because a server imports it only into an empty database.
  return runImport([join(dir, "catalog"), file, "--store", dir, "--currency", currency], io);
}

const themeSettingsFile = "config/settings_data.json";

/** Returns the settings of the default theme with this preset.  @throws SetupError if there is no such preset */
async function readThemeSettings(presetName: string): Promise<string> {
  const text = await readFile(join(getPackagePath("themes/default"), themeSettingsFile), "utf8");
  const { current, presets } = JSON.parse(text) as { readonly current: string; readonly presets: object };
  try {
    return text.replace(`"current": "${current}"`, `"current": "${findPreset(Object.keys(presets), presetName)}"`);
  } catch (error) {
    throw new SetupError(`--preset: ${(error as Error).message}.`);
  }
}

/** Returns the names of the entries of a folder that prevent a new store in it. */
async function listFiles(dir: string): Promise<readonly string[]> {
  return (await readdir(dir)).filter((name) => name !== ".git" && name !== ".DS_Store");
}

async function createEmptyFolder(dir: string, name: string): Promise<void> {
  try {
    await mkdir(dir, { recursive: true });
  } catch (error) {
    if (!["EEXIST", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    throw new SetupError(`${dir}: is a file or is inside one. Use a new folder.`);
  }
  const entries = await listFiles(dir);
  if (entries.length === 0) return;
  const firstEntries = entries.slice(0, 3).join(", ");
  const otherName = join(name, "..", `${basename(dir)}-2`);
  throw new SetupError(
    `${dir}: the folder is not empty (it contains ${firstEntries}${entries.length > 3 ? " …" : ""}). Use a new folder: "vitrine init ${quoteForShell(otherName)}".`,
  );
}

/** Generates the files that differ between stores, and the files that npm does not pack. */
async function generateFiles(dir: string): Promise<Readonly<Record<string, string>>> {
  const { version, engines } = JSON.parse(await readFile(getPackagePath("package.json"), "utf8")) as Manifest;
  // A Git checkout is not published to a registry, so the store runs its source code.
  const isSourceCheckout = existsSync(getPackagePath("src"));
  const resolvedDir = await realpath(dir);
  const toPackagePath = (path: string): string => relative(resolvedDir, getPackagePath(path)).replaceAll(sep, "/");
  const command = isSourceCheckout
    ? `"${toPackagePath("node_modules/.bin/node")}" "${toPackagePath("src/main.ts")}"`
    : "vitrine";
  const manifest = {
    name: toPackageName(basename(dir)),
    private: true,
    type: "module",
    scripts: { start: `${command} serve`, check: `${command} check`, vitrine: command },
    ...(isSourceCheckout ? {} : { dependencies: { vitrine: version } }),
    engines,
  };
  const readme = await readFile(getPackagePath("examples/starter/README.md"), "utf8");
  return {
    ...(isSourceCheckout ? { "README.md": adaptReadme(readme, toPackagePath("docs")) } : {}),
    ".gitignore":
      "# The database, the signing secret, backups, and generated files.\ndata/\n/backup*\n/*.tar.gz\nnode_modules/\n# Secrets of compose.yaml.\n.env\n",
    "package.json": `${JSON.stringify(manifest, null, 2)}\n`,
  };
}

/**
 * Adapts the README of the starter to a store in a Git checkout: commands run through npm scripts, and links lead to
 * the guides of the checkout.
 * @param docsPath path of the guides, relative to the folder of the store
 */
function adaptReadme(readme: string, docsPath: string): string {
  return readme
    .replace(/^npm install .*\n/m, "")
    .replaceAll("npx vitrine", "npm run -s vitrine --")
    .replace("node_modules/vitrine/docs", docsPath);
}

interface Manifest {
  readonly version: string;
  readonly engines: { readonly node: string };
}

/** Returns a valid npm package name for a folder: "My shop" -> "my-shop". */
function toPackageName(folder: string): string {
  const normalizedName = folder
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9._~-]+/g, "-")
    .replace(/^[._-]+|-+$/g, "");
  return normalizedName === "" || normalizedName === "node_modules" ? "store" : normalizedName;
}
