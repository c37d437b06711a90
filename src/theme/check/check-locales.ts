import { entriesOf, getTextValue, type JsonNode } from "../files/json-tree.ts";
import { isShopifyKey } from "../filters/translate.ts";
import type { CheckContext } from "./check-context.ts";
import { findDefaultLocaleFile, pluralForms } from "./known-names.ts";

/**
 * Compares the translations of each language with the theme's default language.
 * @param locale the shop's default language
 */
export function checkLocales(context: CheckContext, locale: string): void {
  const defaultFile = findDefaultLocaleFile(context, locale);
  const files = context.listFiles("locales", ".json");
  const treesByFile = new Map(files.map((file) => [file, context.json(file, "locale")] as const));
  const defaultJson = defaultFile === undefined ? undefined : treesByFile.get(defaultFile);
  if (defaultJson === undefined || defaultFile === undefined) return;
  const defaultTexts = collectTexts(defaultJson);
  checkPlurals(context, defaultFile, defaultTexts);
  for (const [file, tree] of treesByFile) {
    if (tree === undefined || file === defaultFile || file.endsWith(".schema.json")) continue;
    compareKeys(context, { file, texts: collectTexts(tree) }, { file: defaultFile, texts: defaultTexts });
    checkPlurals(context, file, collectTexts(tree));
  }
}

interface LocaleText {
  readonly offset: number;
  readonly text: string;
}

interface LocaleFile {
  readonly file: string;
  readonly texts: ReadonlyMap<string, LocaleText>;
}

/** Returns the texts of a file by key, without those of Shopify's own pages, which are not shown here. */
function collectTexts(root: JsonNode): Map<string, LocaleText> {
  const texts = new Map<string, LocaleText>();
  const collectNodeTexts = (node: JsonNode, prefix: string): void => {
    for (const { key, offset, value } of entriesOf(node)) {
      const text = getTextValue(value);
      if (text === undefined) collectNodeTexts(value, `${prefix}${key}.`);
      else if (!isShopifyKey(prefix + key)) texts.set(prefix + key, { offset, text });
    }
  };
  collectNodeTexts(root, "");
  return texts;
}

/** Removes the plural form from a key such as "items.one", if one of the two files has plural forms for it. */
function removePluralForm(key: string, localeFile: LocaleFile, defaultFile: LocaleFile): string {
  const dotIndex = key.lastIndexOf(".");
  if (!pluralForms.includes(key.slice(dotIndex + 1))) return key;
  const parent = key.slice(0, Math.max(dotIndex, 0));
  return localeFile.texts.has(`${parent}.other`) || defaultFile.texts.has(`${parent}.other`) ? parent : key;
}

function compareKeys(context: CheckContext, localeFile: LocaleFile, defaultFile: LocaleFile): void {
  const baseKeys = new Set([...localeFile.texts.keys()].map((key) => removePluralForm(key, localeFile, defaultFile)));
  const defaultKeys = new Set(
    [...defaultFile.texts.keys()].map((key) => removePluralForm(key, localeFile, defaultFile)),
  );
  const report = context.createReporter("locale", localeFile.file);
  const missingKeys = [...defaultKeys].filter((key) => !baseKeys.has(key));
  if (missingKeys.length > 0)
    report(
      "warning",
      0,
      `lacks ${formatCount(missingKeys)}, shown in the language of ${defaultFile.file}: ${formatKeys(missingKeys)}`,
    );
  const extraKeys = [...baseKeys].filter((key) => !defaultKeys.has(key));
  if (extraKeys.length > 0)
    report("warning", 0, `has ${formatCount(extraKeys)} that ${defaultFile.file} lacks: ${formatKeys(extraKeys)}`);
  for (const [key, { offset, text }] of localeFile.texts) {
    const name = removePluralForm(key, localeFile, defaultFile);
    const usedPlaceholders = findPlaceholders(text);
    if (usedPlaceholders.length === 0 || !defaultKeys.has(name)) continue;
    const allowedPlaceholders = new Set(
      pluralForms.flatMap((form) => findPlaceholders(defaultFile.texts.get(`${name}.${form}`)?.text)),
    );
    for (const placeholder of [...findPlaceholders(defaultFile.texts.get(name)?.text), "count"])
      allowedPlaceholders.add(placeholder);
    for (const placeholder of usedPlaceholders)
      if (!allowedPlaceholders.has(placeholder))
        report(
          "warning",
          offset,
          `"${key}" names {{ ${placeholder} }}, which the text of ${defaultFile.file} does not`,
        );
  }
}

/**
 * Checks that each translation has all plural forms of the language. A missing form is a warning if the form `other`
 * exists, and else an error.
 */
function checkPlurals(context: CheckContext, file: string, texts: ReadonlyMap<string, LocaleText>): void {
  const [, locale = "en"] = /^locales\/([\w-]+)/.exec(file) ?? [];
  const report = context.createReporter("locale", file);
  const categories = listPluralCategories(locale);
  const groups = Map.groupBy(texts, ([key]) => key.slice(0, Math.max(key.lastIndexOf("."), 0)));
  const keysByMissingForm = new Map<string, string[]>();
  for (const [name, groupTexts] of groups) {
    const forms = groupTexts.map(([key]) => key.slice(key.lastIndexOf(".") + 1));
    const isPlural =
      forms.every((form) => pluralForms.includes(form)) && (forms.includes("other") || forms.includes("one"));
    if (!isPlural || name === "") continue;
    const missingForms = categories.filter((category) => !forms.includes(category));
    const offset = texts.get(`${name}.${forms[0]}`)?.offset ?? 0;
    if (missingForms.length > 0 && !forms.includes("other"))
      report("error", offset, `"${name}" has no plural form "other"`);
    else for (const form of missingForms) keysByMissingForm.set(form, [...(keysByMissingForm.get(form) ?? []), name]);
  }
  for (const [form, names] of keysByMissingForm)
    report(
      "warning",
      0,
      `${formatCount(names)} without the plural form "${form}", "other" is shown: ${formatKeys(names)}`,
    );
}

/**
 * Returns the plural forms that a language uses for numbers up to 120. Some languages have an additional form for
 * numbers such as a million, which shops do not need.
 */
function listPluralCategories(locale: string): readonly string[] {
  try {
    const rules = new Intl.PluralRules(locale);
    return [...new Set(Array.from({ length: 121 }, (_, number) => rules.select(number)))];
  } catch {
    return ["other"];
  }
}

function findPlaceholders(text = ""): string[] {
  return !text.includes("{{") ? [] : [...text.matchAll(/\{\{\s*([\w-]+)\s*\}\}/g)].map((match) => match[1] as string);
}

function formatCount(keys: readonly string[]): string {
  return keys.length === 1 ? "1 text" : `${keys.length} texts`;
}

function formatKeys(keys: readonly string[]): string {
  const listedKeys = keys.slice(0, 5).join(", ");
  return keys.length > 5 ? `${listedKeys} …` : listedKeys;
}
