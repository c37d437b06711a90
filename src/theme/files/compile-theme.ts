import type { Template } from "@vitrine/liquid";
import type { Config } from "../../config/settings.ts";
import { getOrCreate } from "../../runtime/cache.ts";
import { createLiquid } from "../liquid/liquid.ts";
import { type CompiledTheme, sectionFiles } from "./compiled-theme.ts";
import { type Dependencies, findDependencies } from "./dependencies.ts";
import { generateAssets } from "./generated-assets.ts";
import { inlineCode } from "./inline-code.ts";
import { type JsonTemplate, type Placement, parseJson, parseJsonTemplate, parsePlacements } from "./json-template.ts";
import { keepLastGood } from "./last-good.ts";
import {
  emptySchema,
  parseSchema,
  parseThemeName,
  parseThemeSettings,
  type SectionSchema,
  type SettingSchema,
} from "./schema.ts";
import { type Source, splitSource } from "./source.ts";
import type { ThemeFolder } from "./theme-folder.ts";
import { readTexts } from "./theme-texts.ts";

/**
 * Compiles one revision of a theme.
 * @param now the current files
 * @param defaultLocale language of missing translations
 * @param before the previous revision, which replaces broken files and provides the parsed form of unchanged files
 * @param config settings for rendering assets that contain Liquid
 */
export function compileTheme(
  now: ThemeFolder,
  defaultLocale: string,
  before?: CompiledTheme,
  config?: Config,
): CompiledTheme {
  const served = before === undefined ? { folder: now, errors: [] } : keepLastGood(now, before.folder);
  const { folder } = served;
  const errors: Error[] = [...served.errors];
  const parsed = openParsedFiles(folder.texts, before === undefined ? undefined : parsedOf.get(before));
  const { sources, json, templates, schemas, dependencies } = parsed;
  const source = (file: string): Source => {
    const text = folder.texts.get(file);
    if (text === undefined) throw new Error(`${file}: ${folder.rejected.get(file) ?? "no such file in the theme"}`);
    return getOrCreate(sources, file, () => splitSource(config?.compat.script === true ? useLocalEvents(text) : text));
  };
  const liquid = before?.liquid ?? createLiquid();

  const read = <T>(file: string, parse: (text: string) => T, fallback: T): T => {
    const text = folder.texts.get(file);
    if (text === undefined) return fallback;
    try {
      return parse(text);
    } catch (error) {
      errors.push(located(file, error));
      return fallback;
    }
  };

  const jsonFiles = [...folder.texts].filter(([file]) => /^(?:templates|sections)\/.+\.json$/.test(file));
  for (const [file, text] of jsonFiles) {
    const found = getOrCreate(json, file, () => attempt(() => parseJsonTemplate(text), file));
    if (found instanceof Error) errors.push(found);
  }
  const texts = readTexts(folder, defaultLocale, read, (section) => {
    const file = `sections/${section}.liquid`;
    const schema = theme.has(file) ? attempt(() => theme.schema(file), file) : emptySchema;
    return schema instanceof Error ? {} : schema.locales;
  });

  const snippets = new Map<string, Template>();
  const reads = (what: Named): ((files: readonly string[]) => boolean) => {
    const known = new Map<string, boolean>();
    return (files) => getOrCreate(known, files.join("\n"), () => names(what, files, theme));
  };
  const dependenciesOf = (file: string): Dependencies =>
    getOrCreate(dependencies, file, () => {
      try {
        return findDependencies(source(file).liquid);
      } catch {
        return findDependencies("");
      }
    });

  const values = read<Record<string, unknown>>("config/settings_data.json", parseValues, {});
  const theme: CompiledTheme = {
    folder,
    read: now,
    liquid,
    has: (file) => folder.texts.has(file),
    template: (file) => {
      const known = templates.get(file);
      if (known !== undefined) return orThrow(known);
      return orThrow(getOrCreate(templates, file, () => attempt(() => liquid.parse(source(file).liquid, file), file)));
    },
    snippet: (name) =>
      snippets.get(name) ?? getOrCreate(snippets, name, () => theme.template(`snippets/${name}.liquid`)),
    dependencies: dependenciesOf,
    source,
    schema: (file) =>
      orThrow(
        getOrCreate(schemas, file, () =>
          attempt(() => {
            const { schema, schemaLine } = source(file);
            return schema === undefined ? emptySchema : parseSchema(schema, schemaLine);
          }, file),
        ),
      ),
    json: (file) => {
      const found = json.get(file);
      return found === undefined ? undefined : orThrow(found);
    },
    groups: jsonFiles.map(([file]) => file).filter((file) => file.startsWith("sections/")),
    settings: read<readonly SettingSchema[]>("config/settings_schema.json", parseThemeSettings, []),
    values,
    index: read("config/settings_data.json", () => indexSections(values), []),
    name: read("config/settings_schema.json", parseThemeName, ""),
    ...texts,
    inline: inlineCode(folder),
    generated: (name) => generate(name),
    readsCart: reads("namesCart"),
    readsCustomer: reads("namesCustomer"),
    readsOrders: reads("namesOrders"),
    errors,
  };
  const generate = generateAssets(theme, config);
  parsedOf.set(theme, parsed);
  return theme;
}

/** Parsed files of each revision, which the next revision reuses. */
const parsedOf = new WeakMap<CompiledTheme, ParsedFiles>();

type Named = "namesCart" | "namesCustomer" | "namesOrders";

function names(what: Named, files: readonly string[], theme: CompiledTheme): boolean {
  const seen = new Set<string>();
  const open = [...files];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    const found = theme.dependencies(file);
    if (found[what]) return true;
    open.push(...found.snippets.map((name) => `snippets/${name}.liquid`));
    open.push(...found.blocks.map((name) => `blocks/${name}.liquid`));
    open.push(...found.sections.map((name) => `sections/${name}.liquid`));
    for (const name of found.groups) open.push(...sectionFiles(theme, `sections/${name}.json`));
  }
  return false;
}

function parseValues(text: string): Record<string, unknown> {
  const root = parseJson(text);
  const data = root as { readonly current?: unknown; readonly presets?: Readonly<Record<string, unknown>> } | null;
  const current = typeof data?.current === "string" ? data.presets?.[data.current] : data?.current;
  return typeof current === "object" && current !== null ? { ...current } : {};
}

function indexSections({ sections, content_for_index: order }: Readonly<Record<string, unknown>>): Placement[] {
  return Array.isArray(order) ? parsePlacements(sections, order) : [];
}

function attempt<T>(make: () => T, file: string): T | Error {
  try {
    return make();
  } catch (error) {
    return located(file, error);
  }
}

/** Returns an error whose message starts with the file name. */
function located(file: string, error: unknown): Error {
  const message = error instanceof Error ? error.message : String(error);
  return message.includes(file) ? (error as Error) : new Error(`${file}: ${message}`, { cause: error });
}

function orThrow<T>(value: T | Error): T {
  if (value instanceof Error) throw value;
  return value;
}

/**
 * Replaces the URL of the standard events library, which themes load from another platform's servers, with the shop's
 * own file.
 */
function useLocalEvents(text: string): string {
  return text.replaceAll("https://cdn.shopify.com/storefront/standard-events.js", "/vitrine/standard-events.js");
}

/** Parsed files of a theme, by name. A file that cannot be parsed has an error instead. */
export interface ParsedFiles {
  /** Source of the parsed files. */
  readonly texts: ThemeFolder["texts"];
  readonly sources: Map<string, Source>;
  readonly json: Map<string, JsonTemplate | Error>;
  readonly templates: Map<string, Template | Error>;
  readonly schemas: Map<string, SectionSchema | Error>;
  readonly dependencies: Map<string, Dependencies>;
}

/** Creates the cache of parsed files.  @param before parsed files of an earlier revision, reused for unchanged files */
export function openParsedFiles(texts: ThemeFolder["texts"], before?: ParsedFiles): ParsedFiles {
  const same = <Value>(known: ReadonlyMap<string, Value> | undefined): Map<string, Value> => {
    const entries = [...(known ?? [])];
    return new Map(entries.filter(([file]) => texts.has(file) && texts.get(file) === before?.texts.get(file)));
  };
  return {
    texts,
    sources: same(before?.sources),
    json: same(before?.json),
    templates: same(before?.templates),
    schemas: same(before?.schemas),
    dependencies: same(before?.dependencies),
  };
}
