import { parseLocale, type ThemeTranslations } from "../files/locales.ts";
import { isShopifyKey } from "../filters/translate.ts";
import { listGlobalTypes } from "../render/globals.ts";
import type { CheckContext } from "./check-context.ts";
import { parseType, type Value } from "./liquid/value.ts";
import { suggestName } from "./nearest.ts";

/** Checks that the theme or the engine defines the names that Liquid files use. */
export class KnownNames {
  readonly #checkContext: CheckContext;
  readonly #texts: ThemeTranslations;
  readonly #textsFile: string;
  #schemaTexts: readonly ThemeTranslations[] | undefined;

  /** @param locale the shop's default language */
  constructor(context: CheckContext, locale: string) {
    this.#checkContext = context;
    this.#textsFile = findDefaultLocaleFile(context, locale) ?? `locales/${locale}.default.json`;
    this.#texts = readLocaleFile(context, this.#textsFile);
  }

  checkFilter(name: string, file: string, offset: number): void {
    const { filters } = this.#checkContext.theme.liquid;
    if (filters.has(name)) return;
    this.#reportError("unknown-filter", file, offset, `unknown filter "${name}"${suggestName(name, filters.keys())}`);
  }

  checkTag(name: string, file: string, offset: number): void {
    const { tags } = this.#checkContext.theme.liquid;
    if (name === "" || tags.has(name)) return;
    this.#reportError("unknown-tag", file, offset, `unknown tag "${name}"${suggestName(name, tags.keys())}`);
  }

  checkTranslation(key: string, file: string, offset: number): void {
    if (key === "" || isShopifyKey(key) || this.#texts.has(key) || this.#hasPlural(key) || this.#isSectionKey(key))
      return;
    const knownKeys = new Set([...this.#texts.keys()].map((key) => key.replace(pluralSuffix, "")));
    this.#reportError(
      "missing-translation",
      file,
      offset,
      `no text "${key}" in ${this.#textsFile}${suggestName(key, knownKeys)}`,
    );
  }

  /** Returns whether the theme has a translation for a key that a schema contains as "t:<key>". */
  hasSchemaText(key: string): boolean {
    this.#schemaTexts ??= this.#checkContext
      .listFiles("locales", ".json")
      .filter((file) => file.endsWith(".default.schema.json"))
      .map((file) => readLocaleFile(this.#checkContext, file));
    return this.#texts.has(key) || this.#schemaTexts.some((texts) => texts.has(key));
  }

  checkAsset(name: string, file: string, offset: number): void {
    const { folder } = this.#checkContext.theme;
    if (name === "" || folder.assets.has(name) || folder.texts.has(`assets/${name}.liquid`)) return;
    if (this.#checkContext.theme.generateAsset(name) !== undefined) return;
    const assetNames = [...folder.assets.keys()];
    this.#reportError("missing-asset", file, offset, `no file assets/${name}${suggestName(name, assetNames)}`);
  }

  /** Reports an error if the theme has no file for the snippet, section, block or layout that a tag names. */
  checkFile(path: string, file: string, offset: number): void {
    const { texts, rejectedFiles } = this.#checkContext.theme.folder;
    if (texts.has(path) || rejectedFiles.has(path)) return;
    const [, folder = "", name = "", extension = ""] = /^(\w+\/)(.*)(\.\w+)$/.exec(path) ?? [];
    const candidates = [...texts.keys()].filter((file) => file.startsWith(folder) && file.endsWith(extension));
    const names = candidates.map((candidate) => candidate.slice(folder.length, -extension.length));
    this.#reportError("missing-file", file, offset, `no file ${path}${suggestName(name, names)}`);
  }

  #hasPlural(key: string): boolean {
    return pluralForms.some((form) => this.#texts.has(`${key}.${form}`));
  }

  /** Returns whether a translation key ("sections.<name>.<key>") names a section whose schema contains translations. */
  #isSectionKey(key: string): boolean {
    const [, name] = /^sections\.([\w-]+)\./.exec(key) ?? [];
    const file = `sections/${name}.liquid`;
    try {
      return (
        name !== undefined &&
        this.#checkContext.theme.has(file) &&
        Object.keys(this.#checkContext.theme.schema(file).locales).length > 0
      );
    } catch {
      return false;
    }
  }

  #reportError(rule: string, file: string, offset: number, message: string): void {
    const source = this.#checkContext.theme.source(file).liquid;
    this.#checkContext.add("error", rule, this.#checkContext.locate(file, offset, source), message);
  }
}

/** Plural forms that the `t` filter can select, depending on the argument `count`. */
export const pluralForms = ["zero", "one", "two", "few", "many", "other"];
const pluralSuffix = new RegExp(`\\.(?:${pluralForms.join("|")})$`);

/** Returns the path of `locales/*.default.json`, or of the file for the shop's default language. */
export function findDefaultLocaleFile(context: CheckContext, locale: string): string | undefined {
  const files = context.listFiles("locales", ".json");
  return (
    files.find((file) => file.endsWith(".default.json")) ?? files.find((file) => file === `locales/${locale}.json`)
  );
}

/** Returns the translations of a file. The result is empty if the file is missing or broken. */
export function readLocaleFile(context: CheckContext, file: string): ThemeTranslations {
  try {
    return parseLocale(context.theme.folder.texts.get(file) ?? "{}");
  } catch {
    return new Map();
  }
}

/** Variables that are defined in every template, with their known types and fields. */
export const globalVariables: ReadonlyMap<string, Value> = new Map<string, Value>([
  ...["block", "closest", "content_for_layout", "forloop", "tablerowloop"].map((name) => [name, {}] as const),
  ...["form", "paginate", "section"].map((name) => [name, parseType(name)] as const),
  ...[...listGlobalTypes()].map(([name, type]) => [name, parseType(type)] as const),
]);
