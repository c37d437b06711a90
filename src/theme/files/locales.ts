import { toText } from "@vitrine/liquid";
import { getOrCreate } from "../../runtime/cache.ts";
import { escapeHtml } from "../../runtime/escape-html.ts";
import { SafeHtml } from "../liquid/safe-html.ts";
import { parseJson } from "./json-template.ts";

/** Translations of one language by key, such as "cart.title". Plural forms have keys such as "cart.items.one". */
export type ThemeTranslations = ReadonlyMap<string, string>;

/**
 * Returns the translation of a key.
 * @param values values of placeholders such as `{{ name }}`; `count` selects the plural form
 * @param keepsPlaceholders whether placeholders without a value stay, instead of being empty
 * @returns undefined if no language of the theme has the key
 */
export type Translator = (
  key: string,
  values?: ReadonlyMap<string, unknown>,
  keepsPlaceholders?: boolean,
) => SafeHtml | undefined;

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
  const finders = languages.map(([locale, texts]) => createTemplateFinder(locale, texts));
  return (key, values, keepsPlaceholders) => {
    for (const findTemplate of finders) {
      const template = findTemplate(key, values);
      if (template !== undefined)
        return template.placeholders.length === 0
          ? template.textWithoutValues
          : fillTemplate(template, values, keepsPlaceholders);
    }
    return undefined;
  };
}

/** Returns a function that finds the translation of a key in one language. Parsed translations are cached. */
function createTemplateFinder(
  locale: string,
  texts: ThemeTranslations,
): (key: string, values: ReadonlyMap<string, unknown> | undefined) => TranslationTemplate | undefined {
  const templates = new Map<string, TranslationTemplate>();
  return (key, values) => {
    const cachedTemplate = templates.get(key);
    if (cachedTemplate !== undefined) return cachedTemplate;
    const name = texts.has(key) ? key : findPluralForm(texts, key, locale, values?.get("count"));
    const text = name === undefined ? undefined : texts.get(name);
    if (name === undefined || text === undefined) return undefined;
    return getOrCreate(templates, name, () => parseTemplate(text, htmlKeyPattern.test(name)));
  };
}

/** Matches the keys of translations with HTML, with and without a plural form. */
const htmlKeyPattern = /[._]html(?:\.(?:zero|one|two|few|many|other))?$|_html\.\w+$/;

function addNodeTexts(node: object, prefix: string, texts: Map<string, string>): void {
  for (const [key, value] of Object.entries(node)) {
    if (typeof value === "string") texts.set(prefix + key, value);
    else if (typeof value === "object" && value !== null) addNodeTexts(value, `${prefix}${key}.`, texts);
  }
}

/** Returns the key of the plural form for a number; undefined if the language has no plural forms of this key. */
function findPluralForm(texts: ThemeTranslations, key: string, locale: string, count: unknown): string | undefined {
  if (count === undefined) return undefined;
  const number = Number(toText(count));
  const forms = Number.isFinite(number)
    ? [...(number === 0 ? ["zero"] : []), getPluralCategory(number, locale), "other"]
    : ["other"];
  return forms.map((form) => `${key}.${form}`).find((name) => texts.has(name));
}

/**
 * A translation, split at its placeholders. If the key ends in `_html`, HTML tags in the text and in inserted values
 * are preserved. Otherwise both are escaped.
 */
interface TranslationTemplate {
  readonly isHtml: boolean;
  readonly placeholders: readonly { readonly name: string; readonly text: string }[];
  /** Text before each placeholder, and text after the last one. */
  readonly literals: readonly SafeHtml[];
  /** The translation with all placeholders removed. */
  readonly textWithoutValues: SafeHtml;
}

function parseTemplate(text: string, isHtml: boolean): TranslationTemplate {
  // The array alternates between text and placeholders.
  const parts = text.split(/(\{\{\s*[\w-]+\s*\}\})/);
  const literals = parts
    .filter((_, index) => index % 2 === 0)
    .map((literal) => new SafeHtml(isHtml ? literal : escapeHtml(literal), literal));
  const textWithoutValues = new SafeHtml(
    literals.map(({ html }) => html).join(""),
    literals.map((literal) => literal.text).join(""),
  );
  const placeholders = parts
    .filter((_, index) => index % 2 === 1)
    .map((placeholder) => ({ name: placeholder.slice(2, -2).trim(), text: placeholder }));
  return { isHtml, placeholders, literals, textWithoutValues };
}

function fillTemplate(
  { isHtml, placeholders, literals }: TranslationTemplate,
  values: ReadonlyMap<string, unknown> = new Map(),
  keepsPlaceholders = false,
): SafeHtml {
  let html = literals[0]?.html ?? "";
  let plainText = literals[0]?.text ?? "";
  for (const [index, { name, text: placeholderText }] of placeholders.entries()) {
    const value = keepsPlaceholders && !values.has(name) ? placeholderText : values.get(name);
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
  const { rules, forms } = getOrCreate(pluralsByLocale, locale, () => ({
    rules: new Intl.PluralRules(locale),
    forms: [],
  }));
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
