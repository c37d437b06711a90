import { getOrCreate } from "../../runtime/cache.ts";
import { DEFAULT_VARIANT_TITLE, type Row } from "../catalog.ts";
import type { Product, QuantityRule, Variant } from "../product.ts";

/**
 * Formats a row as one line of a catalog file, without default values. Parsing the line returns the same row. Field
 * names become snake_case; `translations` and `metafields` are written unchanged.
 */
export function formatRow(row: Row): string {
  const fields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(row)) {
    if (isDefaultValue(name, value, row.kind)) continue;
    fields[toSnakeCase(name)] =
      name === "variants" ? formatVariants(value as Product["variants"]) : formatValue(name, value);
  }
  return JSON.stringify(fields);
}

/** Returns an id as a JSON value: a number if it is an integer, as catalog files usually contain, else a string. */
function formatId(id: string): string | number {
  const number = Number(id);
  return /^[1-9]\d{0,15}$/.test(id) && Number.isSafeInteger(number) ? number : id;
}

function formatValue(name: string, value: unknown): unknown {
  if (name === "id") return formatId(String(value));
  if (name === "addresses") return (value as readonly object[]).map(formatAddress);
  if (name !== "rules") return value;
  return Object.fromEntries(Object.entries(value as object).map(([key, rule]) => [toSnakeCase(key), rule]));
}

function formatAddress(address: object): object {
  const fields = Object.entries(address).map(([name, value]) => [toSnakeCase(name), formatValue(name, value)]);
  return Object.fromEntries(fields);
}

function formatVariants(variants: readonly Variant[]): readonly object[] {
  return variants.map((variant) => {
    const fields: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(variant)) {
      if (!isVariantDefault(name, value, variant)) fields[toSnakeCase(name)] = name === "id" ? formatId(value) : value;
    }
    return fields;
  });
}

/** Returns whether the value is the default of its field, so that `parseRow` restores it if the field is omitted. */
function isDefaultValue(name: string, value: unknown, kind: Row["kind"]): boolean {
  if (name === "published" || name === "combines") return value === true;
  if (name === "requiresCustomer" || name === "giftCard") return value === false;
  if (name === "popularity" || name === "minimumSubtotal" || name === "storeCredit") return value === 0;
  if (name === "rules" || name === "image") return false;
  if (name === "title" && kind === "discount") return false;
  return isEmpty(value);
}

function isVariantDefault(name: string, value: unknown, variant: Variant): boolean {
  if (name === "title")
    return value === (variant.options.length === 0 ? DEFAULT_VARIANT_TITLE : variant.options.join(" / "));
  if (name === "inventoryPolicy") return value === "deny";
  if (name === "requiresShipping" || name === "taxable") return value === true;
  if (name === "grams") return value === 0;
  if (name === "quantityRule") {
    const { min, max, increment } = value as QuantityRule;
    return min === 1 && max === undefined && increment === 1;
  }
  return isEmpty(value);
}

function isEmpty(value: unknown): boolean {
  if (typeof value === "string") return value === "";
  if (typeof value !== "object" || value === null) return false;
  return Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0;
}

const snakeCaseNames = new Map<string, string>();

/** Converts a field name to snake_case. Only field names of row types occur, so the cache stays small. */
function toSnakeCase(name: string): string {
  return getOrCreate(snakeCaseNames, name, () => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
}
