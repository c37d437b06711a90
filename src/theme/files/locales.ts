import { toText } from "@vitrine/liquid";
import { escapeHtml, SafeHtml } from "../liquid/safe-html.ts";
import { parseJson } from "./json-template.ts";

/** Translations of one language by key, such as "cart.title". Plural forms have keys such as "cart.items.one". */
export type Texts = ReadonlyMap<string, string>;

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
export function parseLocale(text: string): Texts {
  const root = parseJson(text);
  if (typeof root !== "object" || root === null || Array.isArray(root))
    throw new Error("a locale file holds an object");
  return textsIn(root);
}

/** Returns the strings of nested objects, by path.  @param prefix prefix of every path */
export function textsIn(root: object, prefix = ""): Texts {
  const texts = new Map<string, string>();
  collect(root, prefix, texts);
  return texts;
}

/** Creates a translator.  @param languages languages with their translations, in order of preference */
export function createTranslator(languages: readonly (readonly [locale: string, texts: Texts])[]): Translator {
  const plain = new Map<string, Filling>();
  const html = new Map<string, Filling>();
  const fillingOf = (key: string, text: string): Filling => {
    const isHtml = /[._]html$/.test(key) || /_html\.\w+$/.test(key);
    const fillings = isHtml ? html : plain;
    const filling = fillings.get(text) ?? parseFilling(text, isHtml);
    fillings.set(text, filling);
    return filling;
  };
  // Fast path: most keys name a string of the first language without plural forms.
  const [, first = new Map<string, string>()] = languages[0] ?? [];
  const simple = new Map<string, Filling>();
  const find = (key: string, count: unknown): Filling | undefined => {
    const text = first.get(key);
    if (text !== undefined) {
      const filling = fillingOf(key, text);
      simple.set(key, filling);
      return filling;
    }
    for (const [locale, texts] of languages) {
      const found = texts.get(key) ?? pluralForm(texts, key, locale, count);
      if (found !== undefined) return fillingOf(key, found);
    }
    return undefined;
  };
  return (key, values) => {
    const filling = simple.get(key) ?? find(key, values?.get("count"));
    if (filling === undefined) return undefined;
    return filling.names.length === 0 ? filling.bare : fill(filling, values);
  };
}

function collect(node: object, prefix: string, texts: Map<string, string>): void {
  for (const [key, value] of Object.entries(node)) {
    if (typeof value === "string") texts.set(prefix + key, value);
    else if (typeof value === "object" && value !== null) collect(value, `${prefix}${key}.`, texts);
  }
}

function pluralForm(texts: Texts, key: string, locale: string, count: unknown): string | undefined {
  if (count === undefined) return undefined;
  const amount = Number(toText(count));
  if (!Number.isFinite(amount)) return texts.get(`${key}.other`);
  const exact = amount === 0 ? texts.get(`${key}.zero`) : undefined;
  return exact ?? texts.get(`${key}.${formOf(amount, locale)}`) ?? texts.get(`${key}.other`);
}

/**
 * A translation split at its placeholders. Keys that end in `_html` keep the tags of the author and of inserted values.
 * Other keys escape both.
 */
interface Filling {
  readonly isHtml: boolean;
  readonly names: readonly string[];
  /** The parts before each placeholder and after the last one. */
  readonly literals: readonly SafeHtml[];
  /** The string with empty placeholders. */
  readonly bare: SafeHtml;
}

function parseFilling(text: string, isHtml: boolean): Filling {
  // The parts at odd indices are placeholder names.
  const parts = text.split(/\{\{\s*([\w-]+)\s*\}\}/);
  const literals = parts
    .filter((_, index) => index % 2 === 0)
    .map((literal) => new SafeHtml(isHtml ? literal : escapeHtml(literal), literal));
  const bare = new SafeHtml(literals.map(({ html }) => html).join(""), literals.map((one) => one.text).join(""));
  return { isHtml, names: parts.filter((_, index) => index % 2 === 1), literals, bare };
}

function fill({ isHtml, names, literals }: Filling, values: ReadonlyMap<string, unknown> | undefined): SafeHtml {
  let html = literals[0]?.html ?? "";
  let plain = literals[0]?.text ?? "";
  for (let index = 0; index < names.length; index += 1) {
    const value = values?.get(names[index] as string);
    const literal = literals[index + 1] as SafeHtml;
    if (value instanceof SafeHtml) {
      html += value.html;
      plain += value.text;
    } else {
      const text = toText(value);
      html += isHtml ? text : escapeHtml(text);
      plain += text;
    }
    html += literal.html;
    plain += literal.text;
  }
  return new SafeHtml(html, plain);
}

/** Returns the plural form of a number: "one", "few", "other". */
function formOf(amount: number, locale: string): string {
  let plurals = pluralsByLocale.get(locale);
  if (plurals === undefined) {
    plurals = { rules: new Intl.PluralRules(locale), forms: [] };
    pluralsByLocale.set(locale, plurals);
  }
  const { rules, forms } = plurals;
  const known = forms[amount];
  if (known !== undefined) return known;
  const form = rules.select(amount);
  if (Number.isInteger(amount) && amount >= 0 && amount < REMEMBERED) forms[amount] = form;
  return form;
}

interface Plurals {
  readonly rules: Intl.PluralRules;
  /** Cached plural forms of small numbers. `Intl.PluralRules` takes as long as the rest of a translation. */
  readonly forms: string[];
}

/** Number of integers, from 0, whose plural form is cached. */
const REMEMBERED = 100;

const pluralsByLocale = new Map<string, Plurals>();
