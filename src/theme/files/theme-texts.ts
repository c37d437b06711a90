import { inLocale } from "../../catalog/localize.ts";
import { getOrCreate } from "../../runtime/cache.ts";
import { createTranslator, parseLocale, type Texts, type Translator, textsIn } from "./locales.ts";
import type { ThemeFolder } from "./theme-folder.ts";

/** Translations in a theme's `locales/`. */
export interface ThemeTexts {
  /** Returns the translator of texts for shoppers: `locales/fr.json`. */
  translator(locale: string): Translator;
  /** Returns the translator of keys that schemas name by `t:`: `locales/fr.schema.json`, then `locales/fr.json`. */
  schemaTranslator(locale: string): Translator;
}

/**
 * Creates the translators of a theme. Languages match without case: `locales/pt-br.json` is for pt-BR. A key is looked
 * up in the language, its parent (`fr` of `fr-CA`), the theme's default and the shop's default.
 * @param read parses a file of the theme, or returns the fallback if the file is broken
 * @param ownTexts the `locales` of a section's schema, whose keys start with `sections.<name>.`
 */
export function readTexts(
  folder: ThemeFolder,
  defaultLocale: string,
  read: (file: string, parse: (text: string) => Texts, fallback: Texts) => Texts,
  ownTexts: (section: string) => Readonly<Record<string, unknown>>,
): ThemeTexts {
  const shown = new Map<string, string>();
  const schemas = new Map<string, string>();
  let themeLocale = defaultLocale;
  for (const file of folder.texts.keys()) {
    const [, locale, isDefault, isSchema] = /^locales\/([\w-]+?)(\.default)?(\.schema)?\.json$/.exec(file) ?? [];
    if (locale === undefined) continue;
    (isSchema === undefined ? shown : schemas).set(locale.toLowerCase(), file);
    if (isDefault !== undefined) themeLocale = locale;
  }
  const parsed = new Map<string, Texts>();
  const textsOf = (file: string): Texts => getOrCreate(parsed, file, () => read(file, parseLocale, new Map()));
  // Locale files are parsed now to report broken files. Translations of schemas are parsed when a schema needs them.
  for (const file of shown.values()) textsOf(file);

  const languages = (locale: string): string[] => [
    ...new Set([locale, locale.split("-")[0] as string, themeLocale, defaultLocale]),
  ];
  const chain = (files: ReadonlyMap<string, string>, locale: string): (readonly [string, Texts])[] =>
    languages(locale).flatMap((one) => {
      const file = files.get(one.toLowerCase());
      return file === undefined ? [] : [[one, textsOf(file)] as const];
    });
  const translators = new Map<string, Translator>();
  const cached = (key: string, make: () => Translator): Translator => {
    const translator = translators.get(key) ?? make();
    translators.set(key, translator);
    return translator;
  };
  const sectionTranslator = (section: string, locale: string): Translator =>
    cached(`${locale} of ${section}`, () => {
      const byLocale = ownTexts(section);
      return createTranslator(
        languages(locale).flatMap((one) => {
          const texts = inLocale(byLocale, one);
          return typeof texts === "object" && texts !== null ? [[one, textsIn(texts, `sections.${section}.`)]] : [];
        }),
      );
    });
  return {
    translator: (locale) =>
      cached(locale, () => {
        const translate = createTranslator(chain(shown, locale));
        return (key, values) => {
          const found = translate(key, values);
          if (found !== undefined) return found;
          const [, section] = /^sections\.([\w-]+)\../.exec(key) ?? [];
          return section === undefined ? undefined : sectionTranslator(section, locale)(key, values);
        };
      }),
    schemaTranslator: (locale) =>
      cached(`${locale} schema`, () => createTranslator([...chain(schemas, locale), ...chain(shown, locale)])),
  };
}
