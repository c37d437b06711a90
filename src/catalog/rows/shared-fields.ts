import type { Seo, Translations } from "../product.ts";
import { isUnitPriceMeasure, type Measure, measureUnits, type UnitPriceMeasure } from "../unit-price.ts";
import * as read from "./fields.ts";
import { type AddError, type Fields, openFields, report } from "./fields.ts";

/** Parses `seo`, the texts for search engines. The result is spread into the row. */
export function parseSeo(fields: Fields): { readonly seo?: Seo } {
  const value = fields.values.seo;
  if (value === undefined || value === null) return none;
  const opened = openFields(value, `${fields.path}seo.`, seoFields, "seo", fields.addError);
  if (opened === undefined) return none;
  const title = read.optionalName(opened, "title");
  const description = read.optionalName(opened, "description");
  if (title === undefined && description === undefined) return none;
  return {
    seo: { ...(title === undefined ? {} : { title }), ...(description === undefined ? {} : { description }) },
  };
}

const none = {};
export const seoFields: ReadonlySet<string> = new Set(["title", "description"]);

/** Parses `translations`: texts by locale and field name.  @param known translatable fields of this kind */
export function parseTranslations(fields: Fields, known: ReadonlySet<string>): Translations {
  const value = fields.values.translations;
  if (value === undefined || value === null) return none;
  const path = `${fields.path}translations`;
  if (typeof value !== "object" || Array.isArray(value)) {
    fields.addError(path, 'must map languages to texts, like { "fr": { "title": "…" } }');
    return none;
  }
  const translations: [string, Readonly<Record<string, unknown>>][] = [];
  for (const [locale, texts] of Object.entries(value)) {
    const at = `${path}.${locale.slice(0, 20)}`;
    if (!/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(locale))
      fields.addError(at, 'must be a language like "fr" or "pt-BR"');
    const opened = openFields(texts, `${at}.`, known, "a translation", fields.addError);
    if (opened === undefined) continue;
    for (const [name, text] of Object.entries(opened.values)) checkText(name, text, `${at}.${name}`, fields.addError);
    translations.push([locale, opened.values]);
  }
  return Object.fromEntries(translations);
}

const listNames: ReadonlySet<string> = new Set(["tags", "options"]);

function checkText(name: string, value: unknown, path: string, fault: AddError): void {
  const isText = (one: unknown): boolean => typeof one === "string" && !one.includes("\0") && one.isWellFormed();
  if (listNames.has(name)) {
    if (!Array.isArray(value) || !value.every(isText)) fault(path, "must be a list of texts");
  } else if (name === "option_values") {
    const isMap = typeof value === "object" && value !== null && !Array.isArray(value);
    if (!isMap || !Object.values(value).every(isText)) fault(path, "must map an option's values to texts");
  } else if (name === "seo") {
    const opened = openFields(value, `${path}.`, seoFields, "seo", fault);
    for (const [field, text] of Object.entries(opened?.values ?? {}))
      if (!isText(text)) fault(`${path}.${field}`, "must be a text");
  } else if (!isText(value)) fault(path, "must be a text");
}

/** Parses `template_suffix`. The result is spread into the row. */
export function parseTemplateSuffix(fields: Fields): { readonly templateSuffix?: string } {
  const templateSuffix = read.optionalName(fields, "template_suffix");
  if (templateSuffix === undefined) return {};
  if (!/^[\w.-]{1,100}$/.test(templateSuffix))
    report(
      fields,
      "template_suffix",
      'must be the part of a file\'s name behind the type, like "wide" of product.wide.json',
    );
  return { templateSuffix };
}

/** Parses the `unit_price_measure` of a variant. */
export function parseUnitPriceMeasure(fields: Fields): UnitPriceMeasure | undefined {
  const value = fields.values.unit_price_measure;
  if (value === undefined || value === null) return undefined;
  const path = `${fields.path}unit_price_measure.`;
  const opened = openFields(value, path, measures, "a measure of unit prices", fields.addError);
  if (opened === undefined) return undefined;
  const [quantity, reference] = [parseMeasure(opened, "quantity"), parseMeasure(opened, "reference")];
  if (quantity === undefined || reference === undefined) return undefined;
  if (isUnitPriceMeasure({ quantity, reference })) return { quantity, reference };
  report(opened, "reference", "must measure what the quantity does, and both be more than 0");
  return undefined;
}

const measures: ReadonlySet<string> = new Set(["quantity", "reference"]);
const parts: ReadonlySet<string> = new Set(["value", "unit"]);

function parseMeasure(fields: Fields, name: string): Measure | undefined {
  const opened = openFields(fields.values[name], `${fields.path}${name}.`, parts, "a measure", fields.addError);
  if (opened === undefined) return undefined;
  const value = read.optionalNumber(opened, "value", 0, 1_000_000_000);
  const unit = read.optionalWord(opened, "unit", measureUnits);
  if (value === undefined) report(opened, "value", "is required");
  if (unit === undefined && read.isAbsent(opened, "unit")) report(opened, "unit", "is required");
  return value === undefined || unit === undefined ? undefined : { value, unit };
}
