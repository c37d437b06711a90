import type { Liquid, Template } from "liquidjs";
import type { Config } from "../../config/settings.ts";
import { createLiquid } from "../liquid/liquid.ts";
import { type Dependencies, findDependencies } from "./dependencies.ts";
import { type GeneratedAssets, generateAssets } from "./generated-assets.ts";
import { type InlineCode, inlineCode } from "./inline-code.ts";
import {
  type BlockPlacement,
  type JsonTemplate,
  type Placement,
  parseJson,
  parseJsonTemplate,
} from "./json-template.ts";
import { keepLastGood } from "./last-good.ts";
import type { Translator } from "./locales.ts";
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

/** One revision of a theme, ready to be rendered; files are parsed when first needed. */
export interface CompiledTheme {
  readonly folder: ThemeFolder;
  readonly liquid: Liquid;
  has(file: string): boolean;
  /** @throws Error with file and line where it is missing or broken */
  template(file: string): Template[];
  /** None where the file is missing or broken. */
  dependencies(file: string): Dependencies;
  /** Liquid text of a file, and the bodies of its data blocks. @throws Error where there is no such file */
  source(file: string): Source;
  /** Of a section's or block's file. @throws Error with the file where it is broken */
  schema(file: string): SectionSchema;
  /** undefined where there is no such file. @throws Error with the file where it is broken */
  json(file: string): JsonTemplate | undefined;
  /** Names of `sections/*.json` files. */
  readonly groups: readonly string[];
  readonly settings: readonly SettingSchema[];
  /** Values of `config/settings_data.json`. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The theme's own name; empty: it has none. */
  readonly name: string;
  translator(locale: string): Translator;
  /** Texts that schemas name by `t:`. */
  schemaTranslator(locale: string): Translator;
  /** What the theme's files ask of a page's content security policy. */
  readonly inline: InlineCode;
  /** Text of an asset that is made from other files: "section-styles.css", "section-scripts.js", "x.css" of "x.css.liquid". */
  readonly generated: GeneratedAssets;
  /** Whether any of these files, or what they render and place, names the cart. */
  readsCart(files: readonly string[]): boolean;
  /** What is wrong with JSON files, and with files that are served as they were before, each with its file. */
  readonly faults: readonly Error[];
}

/** @param now the files as they are  @param defaultLocale language of missing texts
 *  @param before what files that are broken now are taken from  @param config what assets with Liquid in them are rendered with */
export function compileTheme(
  now: ThemeFolder,
  defaultLocale: string,
  before?: CompiledTheme,
  config?: Config,
): CompiledTheme {
  const kept = before === undefined ? { folder: now, faults: [] } : keepLastGood(now, before.folder);
  const { folder } = kept;
  const faults: Error[] = [...kept.faults];
  const sources = new Map<string, Source>();
  const source = (file: string): Source => {
    const text = folder.texts.get(file);
    if (text === undefined) throw new Error(`${file}: ${folder.refused.get(file) ?? "no such file in the theme"}`);
    return remember(sources, file, () => splitSource(text));
  };
  const liquid = createLiquid();

  const read = <T>(file: string, parse: (text: string) => T, fallback: T): T => {
    const text = folder.texts.get(file);
    if (text === undefined) return fallback;
    try {
      return parse(text);
    } catch (error) {
      faults.push(located(file, error));
      return fallback;
    }
  };

  const json = new Map<string, JsonTemplate | Error>();
  for (const file of folder.texts.keys()) {
    if (!/^(?:templates|sections)\/.+\.json$/.test(file)) continue;
    const parsed = attempt(() => parseJsonTemplate(folder.texts.get(file) as string), file);
    if (parsed instanceof Error) faults.push(parsed);
    json.set(file, parsed);
  }
  const texts = readTexts(folder, defaultLocale, read, (section) => {
    const file = `sections/${section}.liquid`;
    const schema = theme.has(file) ? attempt(() => theme.schema(file), file) : emptySchema;
    return schema instanceof Error ? {} : schema.locales;
  });

  const templates = new Map<string, Template[] | Error>();
  const schemas = new Map<string, SectionSchema | Error>();
  const dependencies = new Map<string, Dependencies>();
  const readers = new Map<string, boolean>();
  const dependenciesOf = (file: string): Dependencies =>
    remember(dependencies, file, () => {
      try {
        return findDependencies(source(file).liquid, file, liquid);
      } catch {
        return { namesCart: false, snippets: [], sections: [], groups: [], blocks: [] };
      }
    });

  const accepted = (file: string): string => {
    const { refusal } = dependenciesOf(file);
    if (refusal !== undefined) throw new Error(`${file}: ${refusal}`);
    return source(file).liquid;
  };

  const theme: CompiledTheme = {
    folder,
    liquid,
    has: (file) => folder.texts.has(file),
    template: (file) =>
      orThrow(remember(templates, file, () => attempt(() => liquid.parse(accepted(file), file), file))),
    dependencies: dependenciesOf,
    source,
    schema: (file) =>
      orThrow(
        remember(schemas, file, () =>
          attempt(() => {
            const { schema } = source(file);
            return schema === undefined ? emptySchema : parseSchema(schema);
          }, file),
        ),
      ),
    json: (file) => {
      const found = json.get(file);
      return found === undefined ? undefined : orThrow(found);
    },
    groups: [...json.keys()].filter((file) => file.startsWith("sections/")),
    settings: read<readonly SettingSchema[]>("config/settings_schema.json", parseThemeSettings, []),
    values: read<Record<string, unknown>>("config/settings_data.json", parseValues, {}),
    name: read("config/settings_schema.json", parseThemeName, ""),
    ...texts,
    inline: inlineCode(folder),
    generated: (name) => generate(name),
    readsCart: (files) => remember(readers, files.join("\n"), () => readsCart(files, theme)),
    faults,
  };
  const generate = generateAssets(theme, config);
  return theme;
}

function readsCart(files: readonly string[], theme: CompiledTheme): boolean {
  const seen = new Set<string>();
  const open = [...files];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    const found = theme.dependencies(file);
    if (found.namesCart) return true;
    open.push(...found.snippets.map((name) => `snippets/${name}.liquid`));
    open.push(...found.blocks.map((name) => `blocks/${name}.liquid`));
    open.push(...found.sections.map((name) => `sections/${name}.liquid`));
    for (const name of found.groups) open.push(...sectionFiles(theme, `sections/${name}.json`));
  }
  return false;
}

/** Why a template, like "product" or "product.quick", cannot be shown: its file is missing or cannot be read. undefined where it can. */
export function templateFault(theme: CompiledTheme, name: string): Error | undefined {
  return faultOf(() => theme.json(`templates/${name}.json`) ?? theme.template(`templates/${name}.liquid`));
}

/** What looking at a file throws. */
export function faultOf(look: () => unknown): Error | undefined {
  try {
    look();
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

/** The files of the sections and blocks that a JSON template or group places; none where it is broken. */
export function sectionFiles(theme: CompiledTheme, file: string): string[] {
  try {
    return theme.json(file)?.sections.flatMap(placedFiles) ?? [];
  } catch {
    return [];
  }
}

/** The file of a section, and those of its blocks that may have one. */
export function placedFiles(placement: Placement): string[] {
  return [`sections/${placement.type}.liquid`, ...placement.blocks.flatMap(blockFiles)];
}

function blockFiles(block: BlockPlacement): string[] {
  return [`blocks/${block.type}.liquid`, ...block.blocks.flatMap(blockFiles)];
}

function parseValues(text: string): Record<string, unknown> {
  const root = parseJson(text);
  const data = root as { readonly current?: unknown; readonly presets?: Readonly<Record<string, unknown>> } | null;
  const current = typeof data?.current === "string" ? data.presets?.[data.current] : data?.current;
  return typeof current === "object" && current !== null ? { ...current } : {};
}

function attempt<T>(make: () => T, file: string): T | Error {
  try {
    return make();
  } catch (error) {
    return located(file, error);
  }
}

/** An error whose message says in which file it is. */
function located(file: string, error: unknown): Error {
  const message = error instanceof Error ? error.message : String(error);
  return message.includes(file) ? (error as Error) : new Error(`${file}: ${message}`, { cause: error });
}

function orThrow<T>(value: T | Error): T {
  if (value instanceof Error) throw value;
  return value;
}

function remember<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}
