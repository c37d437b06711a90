import { getLocaleValue } from "../../catalog/localize.ts";
import { isSameLanguage, matchLanguages } from "../../messages/match-languages.ts";
import { getOrCreate } from "../../runtime/cache.ts";
import { collectTexts, createTranslator, parseLocale, type ThemeTranslations, type Translator } from "./locales.ts";
import type { ThemeFolder } from "./theme-folder.ts";

/** Translations in a theme's `locales/`. */
export interface ThemeTexts {
  /** Returns the translator for text that shoppers see. It uses files such as `locales/fr.json`. */
  getTranslator(locale: string): Translator;
  /**
   * Returns the translator for keys that schemas write as "t:<key>". It uses `locales/fr.schema.json`, then
   * `locales/fr.json`.
   */
  getSchemaTranslator(locale: string): Translator;
  /** Returns the language that shoppers of a locale see: the locale, or another one if the theme does not have it. */
  getDisplayLanguage(locale: string): string;
}

/**
 * Creates the translators of a theme. Languages match without case: `locales/pt-br.json` is for pt-BR. A key is looked
 * up in the languages that `matchLanguages` returns for the locale, the theme's default and the shop's default.
 * @param parseFile parses a file of the theme, or returns the fallback if the file is broken
 * @param findSectionTexts the `locales` of a section's schema, whose keys start with `sections.<name>.`
 */
export function readTexts(
  folder: ThemeFolder,
  defaultLocale: string,
  parseFile: (
    file: string,
    parse: (text: string) => ThemeTranslations,
    fallback: ThemeTranslations,
  ) => ThemeTranslations,
  findSectionTexts: (section: string) => Readonly<Record<string, unknown>>,
): ThemeTexts {
  const shopperTextFiles = new Map<string, string>();
  const schemaFiles = new Map<string, string>();
  let themeLocale = defaultLocale;
  for (const file of folder.texts.keys()) {
    const [, locale, defaultSuffix, schemaSuffix] =
      /^locales\/([\w-]+?)(\.default)?(\.schema)?\.json$/.exec(file) ?? [];
    if (locale === undefined) continue;
    (schemaSuffix === undefined ? shopperTextFiles : schemaFiles).set(locale.toLowerCase(), file);
    if (defaultSuffix !== undefined) themeLocale = locale;
  }
  const parsedFiles = new Map<string, ThemeTranslations>();
  const getFileTexts = (file: string): ThemeTranslations =>
    getOrCreate(parsedFiles, file, () => parseFile(file, parseLocale, new Map()));
  // All locale files for shoppers are parsed at once, to report broken files early. Schema translations are parsed on
  // first use.
  for (const file of shopperTextFiles.values()) getFileTexts(file);

  const listLanguages = (knownLanguages: Iterable<string>, locale: string): ReadonlySet<string> => {
    const languages = [...knownLanguages];
    return new Set(
      [locale, themeLocale, defaultLocale].flatMap((preferredLocale) => matchLanguages(preferredLocale, languages)),
    );
  };
  const listTextsInOrder = (
    files: ReadonlyMap<string, string>,
    locale: string,
  ): (readonly [string, ThemeTranslations])[] =>
    [...listLanguages(files.keys(), locale)].map((language) => [language, getFileTexts(files.get(language) ?? "")]);
  const shownLanguages = new Map<string, string>();
  const translators = new Map<string, Translator>();
  const createSectionTranslator = (section: string, locale: string): Translator =>
    getOrCreate(translators, `${locale} of ${section}`, () => {
      const textsByLocale = findSectionTexts(section);
      return createTranslator(
        [...listLanguages(Object.keys(textsByLocale), locale)].flatMap((language) => {
          const texts = getLocaleValue(textsByLocale, language);
          return typeof texts === "object" && texts !== null
            ? [[language, collectTexts(texts, `sections.${section}.`)]]
            : [];
        }),
      );
    });
  return {
    getTranslator: (locale) =>
      getOrCreate(translators, locale, () => {
        const translate = createTranslator(listTextsInOrder(shopperTextFiles, locale));
        return (key, values, keepsPlaceholders) => {
          const translation = translate(key, values, keepsPlaceholders);
          if (translation !== undefined) return translation;
          const [, section] = /^sections\.([\w-]+)\../.exec(key) ?? [];
          return section === undefined
            ? undefined
            : createSectionTranslator(section, locale)(key, values, keepsPlaceholders);
        };
      }),
    getSchemaTranslator: (locale) =>
      getOrCreate(translators, `${locale} schema`, () =>
        createTranslator([...listTextsInOrder(schemaFiles, locale), ...listTextsInOrder(shopperTextFiles, locale)]),
      ),
    getDisplayLanguage: (locale) =>
      getOrCreate(shownLanguages, locale, () => {
        if (shopperTextFiles.size === 0) return locale;
        const language = matchLanguages(locale, shopperTextFiles.keys())[0] ?? themeLocale;
        return isSameLanguage(language, locale) ? locale : language;
      }),
  };
}
