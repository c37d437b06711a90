import type { Template } from "@vitrine/liquid";
import type { Config } from "../../config/settings.ts";
import { getOrCreate } from "../../runtime/cache.ts";
import { createLiquid } from "../liquid/liquid.ts";
import { addFileName } from "../liquid/with-location.ts";
import { replaceShopModules } from "./asset-files.ts";
import { type CompiledTheme, findSchema, getSnippetFile, listSectionFiles } from "./compiled-theme.ts";
import { type DataReads, type Dependencies, findDependencies } from "./dependencies.ts";
import { generateAssets } from "./generated-assets.ts";
import { detectInlineCode } from "./inline-code.ts";
import {
  type JsonTemplate,
  parseJson,
  parseJsonTemplate,
  parsePlacements,
  type SectionPlacement,
} from "./json-template.ts";
import { keepValidFiles } from "./last-good.ts";
import {
  emptySchema,
  parseSchema,
  parseThemeName,
  parseThemeSettings,
  type SectionSchema,
  type SettingSchema,
} from "./schema.ts";
import { splitSource, type ThemeSource } from "./source.ts";
import type { ThemeFolder } from "./theme-folder.ts";
import { readTexts } from "./theme-texts.ts";

/** Section around blocks that were generated in Shopify's theme editor. */
const wrapperSectionFile = "sections/_blocks.liquid";
const wrapperSection =
  '{% content_for "blocks" %}{% schema %}{ "name": "Blocks", "blocks": [{ "type": "@theme" }, { "type": "@app" }] }{% endschema %}';

/** Adds the section `_blocks`, which Shopify provides to themes that do not contain it. */
function addWrapperSection(folder: ThemeFolder): ThemeFolder {
  return { ...folder, texts: new Map([[wrapperSectionFile, wrapperSection], ...folder.texts]) };
}

/**
 * Compiles one revision of a theme.
 * @param currentFolder the current files
 * @param defaultLocale language used for missing translations
 * @param previousTheme the previous revision; its files replace broken files, and its parsed files are reused
 * @param config settings for rendering assets that contain Liquid
 */
export function compileTheme(
  currentFolder: ThemeFolder,
  defaultLocale: string,
  previousTheme: CompiledTheme | undefined,
  config: Config,
): CompiledTheme {
  const validFolder =
    previousTheme === undefined
      ? { folder: currentFolder, errors: [] }
      : keepValidFiles(currentFolder, previousTheme.folder);
  const folder = config.compat.script ? addWrapperSection(validFolder.folder) : validFolder.folder;
  const errors: Error[] = [...validFolder.errors];
  const previousFiles = previousTheme === undefined ? undefined : parsedFilesByTheme.get(previousTheme);
  const parsedFiles = new Map<string, ParsedFile>();
  for (const [file, text] of folder.texts) {
    const previousFile = previousFiles?.get(file);
    parsedFiles.set(file, previousFile?.text === text ? previousFile : { text });
  }
  // Missing files are not stored, because requests name files of their choice.
  const openFile = (file: string): Partial<ParsedFile> => parsedFiles.get(file) ?? {};
  const readSource = (file: string): ThemeSource => {
    const parsedFile = openFile(file);
    const { text } = parsedFile;
    if (text === undefined)
      throw new Error(`${file}: ${folder.rejectedFiles.get(file) ?? "no such file in the theme"}`);
    parsedFile.source ??= splitSource(config.compat.script ? replaceScriptUrls(text) : text);
    return parsedFile.source;
  };
  const liquid = previousTheme?.liquid ?? createLiquid();

  const parseFile = <T>(file: string, parse: (text: string) => T, fallback: T): T => {
    const text = folder.texts.get(file);
    if (text === undefined) return fallback;
    try {
      return parse(text);
    } catch (error) {
      errors.push(addFileName(file, error));
      return fallback;
    }
  };

  const jsonFiles = [...folder.texts].filter(([file]) => /^(?:templates|sections)\/.+\.json$/.test(file));
  for (const [file, text] of jsonFiles) {
    const parsedFile = openFile(file);
    parsedFile.json ??= tryParse(() => parseJsonTemplate(text), file);
    if (parsedFile.json instanceof Error) errors.push(parsedFile.json);
  }
  const texts = readTexts(
    folder,
    defaultLocale,
    parseFile,
    (section) => findSchema(theme, `sections/${section}.liquid`)?.locales ?? {},
  );

  const snippets = new Map<string, Template>();
  const dataReadsByFiles = new Map<string, DataReads>();
  const settingsDataFile = "config/settings_data.json";
  const currentValues = parseFile(settingsDataFile, (text) => parseValues(text), {});
  const preset = config.themePreset;
  const values =
    preset === undefined
      ? currentValues
      : parseFile(settingsDataFile, (text) => parseValues(text, preset), currentValues);
  const theme: CompiledTheme = {
    folder,
    currentFolder,
    liquid,
    has: (file) => folder.texts.has(file),
    template(file) {
      const parsedFile = openFile(file);
      parsedFile.template ??= tryParse(() => liquid.parse(readSource(file).liquid, file), file);
      return getValueOrThrow(parsedFile.template);
    },
    getSnippet: (name) => snippets.get(name) ?? getOrCreate(snippets, name, () => theme.template(getSnippetFile(name))),
    dependencies(file) {
      const parsedFile = openFile(file);
      parsedFile.dependencies ??= findDependencies(parsedFile.text === undefined ? "" : readSource(file).liquid);
      return parsedFile.dependencies;
    },
    source: readSource,
    schema(file) {
      const parsedFile = openFile(file);
      parsedFile.schema ??= tryParse(() => {
        const { schema, schemaLine } = readSource(file);
        return schema === undefined ? emptySchema : parseSchema(schema, schemaLine);
      }, file);
      return getValueOrThrow(parsedFile.schema);
    },
    json(file) {
      const { json } = openFile(file);
      return json === undefined ? undefined : getValueOrThrow(json);
    },
    groups: jsonFiles.map(([file]) => file).filter((file) => file.startsWith("sections/")),
    settings: parseFile<readonly SettingSchema[]>("config/settings_schema.json", parseThemeSettings, []),
    values,
    homeSections: parseFile(settingsDataFile, () => parseHomeSections(values), []),
    name: parseFile("config/settings_schema.json", parseThemeName, ""),
    ...texts,
    inlineCode: detectInlineCode(folder),
    generateAsset: (name) => generateAsset(name),
    findDataReads: (files) => getOrCreate(dataReadsByFiles, files.join("\n"), () => collectDataReads(files, theme)),
    errors,
  };
  const generateAsset = generateAssets(theme, config);
  parsedFilesByTheme.set(theme, parsedFiles);
  return theme;
}

/** Parsed files of each theme revision. The next revision reuses those that did not change. */
const parsedFilesByTheme = new WeakMap<CompiledTheme, ReadonlyMap<string, ParsedFile>>();

/** Returns the data that files read, directly or in a file that they render. */
function collectDataReads(files: readonly string[], theme: CompiledTheme): DataReads {
  const dataReads = { cart: false, customer: false, orders: false };
  const visitedFiles = new Set<string>();
  const pendingFiles = [...files];
  for (let file = pendingFiles.pop(); file !== undefined; file = pendingFiles.pop()) {
    if (visitedFiles.has(file)) continue;
    visitedFiles.add(file);
    const { reads, snippets, blocks, sections, groups } = theme.dependencies(file);
    dataReads.cart ||= reads.cart;
    dataReads.customer ||= reads.customer;
    dataReads.orders ||= reads.orders;
    pendingFiles.push(...snippets.map(getSnippetFile));
    pendingFiles.push(...blocks.map((name) => `blocks/${name}.liquid`));
    pendingFiles.push(...sections.map((name) => `sections/${name}.liquid`));
    for (const name of groups) pendingFiles.push(...listSectionFiles(theme, `sections/${name}.json`));
  }
  return dataReads;
}

/**
 * Parses the setting values in `config/settings_data.json`.
 * @param presetName name of a preset whose values replace the current values
 * @throws Error if there is no preset of this name
 */
function parseValues(text: string, presetName?: string): Record<string, unknown> {
  const { current, presets = {} } = (parseJson(text) ?? {}) as {
    readonly current?: unknown;
    readonly presets?: Readonly<Record<string, unknown>>;
  };
  const name = presetName === undefined ? current : findPreset(Object.keys(presets), presetName);
  const values = typeof name === "string" ? presets[name] : current;
  return typeof values === "object" && values !== null ? { ...values } : {};
}

/**
 * Returns the preset of this name; case is ignored.
 * @param names names of the theme's presets
 * @throws Error if there is no such preset
 */
export function findPreset(names: readonly string[], name: string): string {
  const preset = names.find((otherName) => otherName.toLowerCase() === name.toLowerCase());
  if (preset !== undefined) return preset;
  throw new Error(`no preset "${name}": use ${names.join(", ") || "a theme with presets"}`);
}

function parseHomeSections({
  sections,
  content_for_index: order,
}: Readonly<Record<string, unknown>>): SectionPlacement[] {
  return Array.isArray(order) ? parsePlacements(sections, order) : [];
}

function tryParse<T>(parse: () => T, file: string): T | Error {
  try {
    return parse();
  } catch (error) {
    return addFileName(file, error);
  }
}

function getValueOrThrow<T>(value: T | Error): T {
  if (value instanceof Error) throw value;
  return value;
}

/** Replaces the URLs of scripts on Shopify's servers with the URLs of the shop's own versions of these scripts. */
function replaceScriptUrls(text: string): string {
  return replaceShopModules(text)
    .replaceAll("https://cdn.shopify.com/storefront/standard-events.js", "/vitrine/standard-events.js")
    .replace(
      /(?:https?:)?\/\/cdn\.shopify\.com\/s\/javascripts\/currencies\.js/g,
      "/services/javascripts/currencies.js",
    );
}

/** A file of a theme, and its parsed forms. If a form cannot be parsed, its error is stored instead. */
interface ParsedFile {
  readonly text: string;
  source?: ThemeSource;
  json?: JsonTemplate | Error;
  template?: Template | Error;
  schema?: SectionSchema | Error;
  dependencies?: Dependencies;
}
