import type { Translations } from "../product.ts";
import { type AddFault, type Fields, openFields } from "./fields.ts";
import { seoFields } from "./parse-seo.ts";

/** Reads `translations`: language -> field -> text. @param known fields of this kind that can be translated */
export function parseTranslations(fields: Fields, known: ReadonlySet<string>): Translations {
  const value = fields.values.translations;
  if (value === undefined || value === null) return none;
  const path = `${fields.path}translations`;
  if (typeof value !== "object" || Array.isArray(value)) {
    fields.fault(path, 'must map languages to texts, like { "fr": { "title": "…" } }');
    return none;
  }
  const translations: [string, Readonly<Record<string, unknown>>][] = [];
  for (const [locale, texts] of Object.entries(value)) {
    const at = `${path}.${locale.slice(0, 20)}`;
    if (!/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(locale)) fields.fault(at, 'must be a language like "fr" or "pt-BR"');
    const opened = openFields(texts, `${at}.`, known, "a translation", fields.fault);
    if (opened === undefined) continue;
    for (const [name, text] of Object.entries(opened.values)) checkText(name, text, `${at}.${name}`, fields.fault);
    translations.push([locale, opened.values]);
  }
  return Object.fromEntries(translations);
}

const none: Translations = {};
const listNames: ReadonlySet<string> = new Set(["tags", "options"]);

function checkText(name: string, value: unknown, path: string, fault: AddFault): void {
  const isText = (one: unknown): boolean => typeof one === "string" && !one.includes("\0") && one.isWellFormed();
  if (listNames.has(name)) {
    if (!Array.isArray(value) || !value.every(isText)) fault(path, "must be a list of texts");
  } else if (name === "option_values") {
    const isMap = typeof value === "object" && value !== null && !Array.isArray(value);
    if (!isMap || !Object.values(value).every(isText)) fault(path, "must map an option's values to texts");
  } else if (name === "seo") {
    const opened = openFields(value, `${path}.`, seoFields, "what search engines are told", fault);
    for (const [field, text] of Object.entries(opened?.values ?? {}))
      if (!isText(text)) fault(`${path}.${field}`, "must be a text");
  } else if (!isText(value)) fault(path, "must be a text");
}
