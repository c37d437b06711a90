import { type Liquid, type Template, toValueSync } from "liquidjs";
import { type Dependencies, findDependencies } from "./dependencies.ts";
import { type JsonTemplate, parseJsonTemplate, withoutComments } from "./json-template.ts";
import { createLiquid } from "./liquid.ts";
import { createTranslator, parseLocale, type Texts, type Translator } from "./locales.ts";
import { emptySchema, parseSchema, parseThemeSettings, type SectionSchema, type SettingSchema } from "./schema.ts";
import { type Source, splitSource } from "./source.ts";
import type { ThemeFolder } from "./theme-folder.ts";

/** One revision of a theme, ready to be rendered; files are parsed when first needed. */
export interface CompiledTheme {
  readonly folder: ThemeFolder;
  readonly liquid: Liquid;
  has(file: string): boolean;
  /** @throws Error with file and line where it is missing or broken */
  template(file: string): Template[];
  /** None where the file is missing or broken. */
  dependencies(file: string): Dependencies;
  /** Of a section's file. @throws Error with the file where it is broken */
  schema(file: string): SectionSchema;
  /** undefined where there is no such file. @throws Error with the file where it is broken and was never right */
  json(file: string): JsonTemplate | undefined;
  /** Names of `sections/*.json` files. */
  readonly groups: readonly string[];
  readonly settings: readonly SettingSchema[];
  /** Values of `config/settings_data.json`. */
  readonly values: Readonly<Record<string, unknown>>;
  translator(locale: string): Translator;
  /** Whether any of these files, or what they render and place, names the cart. */
  readsCart(files: readonly string[]): boolean;
  /** What is wrong with JSON files, each with its file. */
  readonly faults: readonly Error[];
}

/** @param before takes the place of JSON files that are broken now  @param defaultLocale language of missing texts */
export function compileTheme(folder: ThemeFolder, defaultLocale: string, before?: CompiledTheme): CompiledTheme {
  const sources = new Map<string, Source>();
  const faults: Error[] = [];
  const source = (file: string): Source => {
    const text = folder.texts.get(file);
    if (text === undefined) throw new Error(`${file}: ${folder.refused.get(file) ?? "no such file in the theme"}`);
    return remember(sources, file, () => splitSource(text));
  };
  const liquid = createLiquid({ has: (file) => folder.texts.has(file), read: (file) => accepted(file) });

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
  const texts = new Map<string, Texts>();
  let themeLocale = defaultLocale;
  for (const file of folder.texts.keys()) {
    if (/^(?:templates|sections)\/.+\.json$/.test(file)) {
      const parsed = attempt(() => parseJsonTemplate(folder.texts.get(file) as string), file);
      if (parsed instanceof Error) faults.push(parsed);
      json.set(file, parsed instanceof Error ? (previous(before, file) ?? parsed) : parsed);
    }
    const [, locale, isDefault] = /^locales\/([\w-]+?)(\.default)?\.json$/.exec(file) ?? [];
    if (locale === undefined) continue;
    texts.set(locale, read<Texts>(file, parseLocale, new Map()));
    if (isDefault !== undefined) themeLocale = locale;
  }

  const templates = new Map<string, Template[] | Error>();
  const schemas = new Map<string, SectionSchema | Error>();
  const dependencies = new Map<string, Dependencies>();
  const readers = new Map<string, boolean>();
  const translators = new Map<string, Translator>();
  const dependenciesOf = (file: string): Dependencies =>
    remember(dependencies, file, () => {
      try {
        return findDependencies(source(file).liquid, file, liquid);
      } catch {
        return { namesCart: false, snippets: [], sections: [], groups: [] };
      }
    });

  const accepted = (file: string): string => {
    const { refusal } = dependenciesOf(file);
    if (refusal !== undefined) throw new Error(`${file}: ${refusal}`);
    return source(file).liquid;
  };

  /** Parses what a file renders too, so that the first render has as much time as the later ones. */
  const parse = (file: string): Template[] => {
    const parsed = liquid.parse(accepted(file), file);
    const open = [...dependenciesOf(file).snippets];
    const seen = new Set<string>();
    for (let name = open.pop(); name !== undefined; name = open.pop()) {
      if (seen.has(name)) continue;
      seen.add(name);
      attempt(() => toValueSync(liquid._parsePartialFile(name, true)), name);
      open.push(...dependenciesOf(`snippets/${name}.liquid`).snippets);
    }
    return parsed;
  };

  const theme: CompiledTheme = {
    folder,
    liquid,
    has: (file) => folder.texts.has(file),
    template: (file) => orThrow(remember(templates, file, () => attempt(() => parse(file), file))),
    dependencies: dependenciesOf,
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
    translator: (locale) =>
      remember(translators, locale, () =>
        createTranslator(
          [...new Set([locale, locale.split("-")[0] as string, themeLocale, defaultLocale])].flatMap((one) => {
            const found = texts.get(one);
            return found === undefined ? [] : [[one, found] as const];
          }),
        ),
      ),
    readsCart: (files) => remember(readers, files.join("\n"), () => readsCart(files, theme)),
    faults,
  };
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
    open.push(...found.sections.map((name) => `sections/${name}.liquid`));
    for (const name of found.groups) open.push(...sectionFiles(theme, `sections/${name}.json`));
  }
  return false;
}

/** The files of the sections that a JSON template or group places; none where it is broken. */
export function sectionFiles(theme: CompiledTheme, file: string): string[] {
  try {
    return theme.json(file)?.sections.map((section) => `sections/${section.type}.liquid`) ?? [];
  } catch {
    return [];
  }
}

function parseValues(text: string): Record<string, unknown> {
  const root: unknown = JSON.parse(withoutComments(text));
  const data = root as { readonly current?: unknown; readonly presets?: Readonly<Record<string, unknown>> } | null;
  const current = typeof data?.current === "string" ? data.presets?.[data.current] : data?.current;
  return typeof current === "object" && current !== null ? { ...current } : {};
}

function previous(before: CompiledTheme | undefined, file: string): JsonTemplate | undefined {
  try {
    return before?.json(file);
  } catch {
    return undefined;
  }
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
