import { toText } from "@vitrine/liquid";
import { escapeHtml, SafeHtml } from "../liquid/safe-html.ts";
import { parseJson } from "./json-template.ts";

/** Translations of one language by key, such as "cart.title". Plural forms have keys such as "cart.items.one". */
export type ThemeTranslations = ReadonlyMap<string, string>;

/**
 * Returns the translation of a key.
 * @param values values of placeholders such as `{{ name }}`; `count` selects the plural form
 * @returns undefined if no language of the theme has the key
 */
export type Translator = (key: string, values?: ReadonlyMap<string, unknown>) => SafeHtml | undefined;

/**
 * Parses a locale file: nested objects of strings, comments allowed.
 * @throws SyntaxError if the text is not JSON
 * @throws Error if the text is not an object
 */
export function parseLocale(text: string): ThemeTranslations {
  const root = parseJson(text);
  if (typeof root !== "object" || root === null || Array.isArray(root))
    throw new Error("expected an object in a locale file");
  return collectTexts(root);
}

/** Returns all strings in nested objects, with keys such as "cart.title".  @param prefix start of every key */
export function collectTexts(root: object, prefix = ""): ThemeTranslations {
  const texts = new Map<string, string>();
  addNodeTexts(root, prefix, texts);
  return texts;
}

/** Creates a translator.  @param languages locale and translations of each language, in order of preference */
export function createTranslator(
  languages: readonly (readonly [locale: string, texts: ThemeTranslations])[],
): Translator {
  const textTemplates = new Map<string, TranslationTemplate>();
  const htmlTemplates = new Map<string, TranslationTemplate>();
  const getTemplate = (key: string, text: string): TranslationTemplate => {
    const isHtml = /[._]html$/.test(key) || /_html\.\w+$/.test(key);
    const templates = isHtml ? htmlTemplates : textTemplates;
    const template = templates.get(text) ?? parseTemplate(text, isHtml);
    templates.set(text, template);
    return template;
  };
  // Fast path: most keys exist in the first language and have no plural forms.
  const [, preferredTexts = new Map<string, string>()] = languages[0] ?? [];
  const cachedTemplates = new Map<string, TranslationTemplate>();
  const findTemplate = (key: string, count: unknown): TranslationTemplate | undefined => {
    const text = preferredTexts.get(key);
    if (text !== undefined) {
      const template = getTemplate(key, text);
      cachedTemplates.set(key, template);
      return template;
    }
    for (const [locale, texts] of languages) {
      const translation = texts.get(key) ?? findPluralForm(texts, key, locale, count);
      if (translation !== undefined) return getTemplate(key, translation);
    }
    return undefined;
  };
  return (key, values) => {
    const template = cachedTemplates.get(key) ?? findTemplate(key, values?.get("count"));
    if (template === undefined) return undefined;
    return template.names.length === 0 ? template.textWithoutValues : fillTemplate(template, values);
  };
}

function addNodeTexts(node: object, prefix: string, texts: Map<string, string>): void {
  for (const [key, value] of Object.entries(node)) {
    if (typeof value === "string") texts.set(prefix + key, value);
    else if (typeof value === "object" && value !== null) addNodeTexts(value, `${prefix}${key}.`, texts);
  }
}

function findPluralForm(texts: ThemeTranslations, key: string, locale: string, count: unknown): string | undefined {
  if (count === undefined) return undefined;
  const number = Number(toText(count));
  if (!Number.isFinite(number)) return texts.get(`${key}.other`);
  const zeroText = number === 0 ? texts.get(`${key}.zero`) : undefined;
  return zeroText ?? texts.get(`${key}.${getPluralCategory(number, locale)}`) ?? texts.get(`${key}.other`);
}

/**
 * A translation, split at its placeholders. If the key ends in `_html`, HTML tags in the text and in inserted values
 * are preserved. Otherwise both are escaped.
 */
interface TranslationTemplate {
  readonly isHtml: boolean;
  readonly names: readonly string[];
  /** Text before each placeholder, and text after the last one. */
  readonly literals: readonly SafeHtml[];
  /** The translation with all placeholders removed. */
  readonly textWithoutValues: SafeHtml;
}

function parseTemplate(text: string, isHtml: boolean): TranslationTemplate {
  // The array alternates between text and placeholder names.
  const parts = text.split(/\{\{\s*([\w-]+)\s*\}\}/);
  const literals = parts
    .filter((_, index) => index % 2 === 0)
    .map((literal) => new SafeHtml(isHtml ? literal : escapeHtml(literal), literal));
  const textWithoutValues = new SafeHtml(
    literals.map(({ html }) => html).join(""),
    literals.map((literal) => literal.text).join(""),
  );
  return { isHtml, names: parts.filter((_, index) => index % 2 === 1), literals, textWithoutValues };
}

function fillTemplate(
  { isHtml, names, literals }: TranslationTemplate,
  values: ReadonlyMap<string, unknown> | undefined,
): SafeHtml {
  let html = literals[0]?.html ?? "";
  let plainText = literals[0]?.text ?? "";
  for (let index = 0; index < names.length; index += 1) {
    const value = values?.get(names[index] as string);
    const literal = literals[index + 1] as SafeHtml;
    if (value instanceof SafeHtml) {
      html += value.html;
      plainText += value.text;
    } else {
      const text = toText(value);
      html += isHtml ? text : escapeHtml(text);
      plainText += text;
    }
    html += literal.html;
    plainText += literal.text;
  }
  return new SafeHtml(html, plainText);
}

/** Returns the plural form for a number: "one", "few", "other". */
function getPluralCategory(number: number, locale: string): string {
  let localePlurals = pluralsByLocale.get(locale);
  if (localePlurals === undefined) {
    localePlurals = { rules: new Intl.PluralRules(locale), forms: [] };
    pluralsByLocale.set(locale, localePlurals);
  }
  const { rules, forms } = localePlurals;
  const cachedForm = forms[number];
  if (cachedForm !== undefined) return cachedForm;
  const form = rules.select(number);
  if (Number.isInteger(number) && number >= 0 && number < MAX_CACHED_PLURALS) forms[number] = form;
  return form;
}

interface CachedPlurals {
  readonly rules: Intl.PluralRules;
  /**
   * Cached plural forms of small integers. Without the cache, `Intl.PluralRules` would double the time of a
   * translation.
   */
  readonly forms: string[];
}

/** Plural forms are cached for the integers from 0 to 99. */
const MAX_CACHED_PLURALS = 100;

const pluralsByLocale = new Map<string, CachedPlurals>();
