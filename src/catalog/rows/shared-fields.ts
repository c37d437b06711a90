import { isObject } from "../../runtime/is-object.ts";
import type { Seo, Translations } from "../product.ts";
import { isUnitPriceMeasure, type Measure, type UnitPriceMeasure, unitsOfMeasure } from "../unit-price.ts";
import * as read from "./fields.ts";
import { type ErrorReporter, type Fields, parseObject, parseObjectField, report } from "./fields.ts";

/** Parses `seo`, the title and description for search engines. The result is spread into the row. */
export function parseSeo(fields: Fields): { readonly seo?: Seo } {
  const seoObject = parseObjectField(fields, "seo", seoFields, "seo");
  if (seoObject === undefined) return emptySeo;
  const title = read.parseName(seoObject, "title");
  const description = read.parseName(seoObject, "description");
  if (title === undefined && description === undefined) return emptySeo;
  return { seo: { ...read.createField("title", title), ...read.createField("description", description) } };
}

const emptySeo = {};
const seoFields: ReadonlySet<string> = new Set(["title", "description"]);

/** Parses `translations`: texts by locale and field name.  @param translatableFields fields that may be translated */
export function parseTranslations(fields: Fields, translatableFields: ReadonlySet<string>): Translations {
  const value = fields.values.translations;
  if (value === undefined || value === null) return emptySeo;
  const path = `${fields.path}translations`;
  if (!isObject(value)) {
    fields.addError(path, 'must map languages to translations, like { "fr": { "title": "…" } }');
    return emptySeo;
  }
  const translations: [string, Readonly<Record<string, unknown>>][] = [];
  for (const [locale, texts] of Object.entries(value)) {
    const localePath = `${path}.${locale.slice(0, 20)}`;
    if (!/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(locale))
      fields.addError(localePath, 'must be a language like "fr" or "pt-BR"');
    const textObject = parseObject(texts, `${localePath}.`, translatableFields, "a translation", fields.addError);
    if (textObject === undefined) continue;
    for (const [name, text] of Object.entries(textObject.values))
      checkText(name, text, `${localePath}.${name}`, fields.addError);
    translations.push([locale, textObject.values]);
  }
  return Object.fromEntries(translations);
}

const textListFields: ReadonlySet<string> = new Set(["tags", "options"]);

function checkText(name: string, value: unknown, path: string, addError: ErrorReporter): void {
  const isText = (item: unknown): boolean => typeof item === "string" && !item.includes("\0") && item.isWellFormed();
  if (textListFields.has(name)) {
    if (!Array.isArray(value) || !value.every(isText)) addError(path, "must be a list of strings");
  } else if (name === "option_values") {
    if (!isObject(value) || !Object.values(value).every(isText))
      addError(path, "must map the option's values to strings");
  } else if (name === "seo") {
    const seoObject = parseObject(value, `${path}.`, seoFields, "seo", addError);
    for (const [field, text] of Object.entries(seoObject?.values ?? {}))
      if (!isText(text)) addError(`${path}.${field}`, "must be a string");
  } else if (!isText(value)) addError(path, "must be a string");
}

/** Parses `template_suffix`. The result is spread into the row. */
export function parseTemplateSuffix(fields: Fields): { readonly templateSuffix?: string } {
  const templateSuffix = read.parseName(fields, "template_suffix");
  if (templateSuffix === undefined) return {};
  if (!/^[\w.-]{1,100}$/.test(templateSuffix))
    report(
      fields,
      "template_suffix",
      'must be the part of a file name after the type, such as "wide" in product.wide.json',
    );
  return { templateSuffix };
}

/** Parses the `unit_price_measure` of a variant. */
export function parseUnitPriceMeasure(fields: Fields): UnitPriceMeasure | undefined {
  const priceMeasure = parseObjectField(fields, "unit_price_measure", measureNames, "a unit price measure");
  if (priceMeasure === undefined) return undefined;
  const [quantity, reference] = [parseMeasure(priceMeasure, "quantity"), parseMeasure(priceMeasure, "reference")];
  if (quantity === undefined || reference === undefined) return undefined;
  if (isUnitPriceMeasure({ quantity, reference })) return { quantity, reference };
  report(
    priceMeasure,
    "reference",
    "must have a unit of the same kind as the quantity, and both values must be more than 0",
  );
  return undefined;
}

const measureNames: ReadonlySet<string> = new Set(["quantity", "reference"]);
const measureFields: ReadonlySet<string> = new Set(["value", "unit"]);

function parseMeasure(fields: Fields, name: string): Measure | undefined {
  const parsedMeasure = parseObject(
    fields.values[name],
    `${fields.path}${name}.`,
    measureFields,
    "a measure",
    fields.addError,
  );
  if (parsedMeasure === undefined) return undefined;
  const value = read.parseNumber(parsedMeasure, "value", 1_000_000_000);
  const unit = read.parseChoice(parsedMeasure, "unit", unitsOfMeasure);
  if (value === undefined) report(parsedMeasure, "value", "is required");
  if (unit === undefined && read.isMissing(parsedMeasure, "unit")) report(parsedMeasure, "unit", "is required");
  return value === undefined || unit === undefined ? undefined : { value, unit };
}
