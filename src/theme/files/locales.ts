import { escapeHtml, SafeHtml } from "../liquid/safe-html.ts";
import { parseJson } from "./json-template.ts";

/** Texts of one language: "cart.title" -> text, plural forms under "cart.items.one" and so on. */
export type Texts = ReadonlyMap<string, string>;

/** @param values what stands in `{{ name }}`; `count` chooses a plural form
 *  @returns undefined where no language of the theme has the key */
export type Translator = (key: string, values?: ReadonlyMap<string, unknown>) => SafeHtml | undefined;

/** Reads a locale file: nested objects of texts; comments may stand in it.
 *  @throws SyntaxError where it is not JSON  @throws Error where it is no object */
export function parseLocale(text: string): Texts {
  const root = parseJson(text);
  if (typeof root !== "object" || root === null || Array.isArray(root))
    throw new Error("a locale file holds an object");
  return textsIn(root);
}

/** The texts of nested objects, by their paths. @param prefix of every path */
export function textsIn(root: object, prefix = ""): Texts {
  const texts = new Map<string, string>();
  collect(root, prefix, texts);
  return texts;
}

/** @param languages texts to try, best first, each with its language  */
export function createTranslator(languages: readonly (readonly [locale: string, texts: Texts])[]): Translator {
  return (key, values) => {
    for (const [locale, texts] of languages) {
      const text = texts.get(key) ?? pluralForm(texts, key, locale, values?.get("count"));
      if (text !== undefined) return fill(text, key, values);
    }
    return undefined;
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
  const amount = Number(count);
  if (!Number.isFinite(amount)) return texts.get(`${key}.other`);
  const exact = amount === 0 ? texts.get(`${key}.zero`) : undefined;
  return exact ?? texts.get(`${key}.${pluralRules(locale).select(amount)}`) ?? texts.get(`${key}.other`);
}

/** In keys that end in `_html` the author's tags and those of what is filled in are kept, elsewhere neither. */
function fill(text: string, key: string, values: ReadonlyMap<string, unknown> | undefined): SafeHtml {
  const isHtml = /[._]html$/.test(key) || /_html\.\w+$/.test(key);
  let html = "";
  let plain = "";
  let end = 0;
  for (const match of text.matchAll(/\{\{\s*([\w-]+)\s*\}\}/g)) {
    const literal = text.slice(end, match.index);
    const value = values?.get(match[1] as string);
    html += isHtml ? literal : escapeHtml(literal);
    html += value instanceof SafeHtml ? value.html : isHtml ? shown(value) : escapeHtml(shown(value));
    plain += literal + (value instanceof SafeHtml ? value.text : shown(value));
    end = match.index + match[0].length;
  }
  const rest = text.slice(end);
  return new SafeHtml(html + (isHtml ? rest : escapeHtml(rest)), plain + rest);
}

function shown(value: unknown): string {
  return value === undefined || value === null || typeof value === "function" ? "" : String(value);
}

function pluralRules(locale: string): Intl.PluralRules {
  let rules = rulesByLocale.get(locale);
  if (rules === undefined) {
    rules = new Intl.PluralRules(locale);
    rulesByLocale.set(locale, rules);
  }
  return rules;
}

const rulesByLocale = new Map<string, Intl.PluralRules>();
