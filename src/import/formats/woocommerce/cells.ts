import { readCell, type TableRow } from "../tables/columns.ts";
import type { CellReporter } from "../tables/read-cells.ts";
import { getAttributeKey } from "./columns.ts";

/** Returns the types of a product: "simple, virtual" contains two. */
export function typesOf(row: TableRow): ReadonlySet<string> {
  return new Set(splitList(readCell(row, "Type").toLowerCase()));
}

/** Splits a list at its commas, except at escaped commas (\,). */
export function splitList(text: string): readonly string[] {
  return text
    .split(/(?<!\\),/)
    .map((part) => part.replaceAll("\\,", ",").trim())
    .filter((part) => part !== "");
}

/** Returns the names of each category and its parents, from general to specific. */
export function readCategories(row: TableRow): readonly (readonly string[])[] {
  return splitList(readCell(row, "Categories"))
    .map((path) =>
      path
        .split(">")
        .map((name) => name.trim())
        .filter((name) => name !== ""),
    )
    .filter((names) => names.length > 1 || !defaultCategories.has(names[0]?.toLowerCase() ?? ""));
}

/** Names of the category that WooCommerce gives to products without one, in the languages of the import. */
const defaultCategories: ReadonlySet<string> = new Set(
  "|uncategorized|uncategorised|unkategorisiert|sin categorizar|non classé|niet gecategoriseerd|geen categorie|ongecategoriseerd|senza categoria|non categorizzato|bez kategorii|sem categoria|okategoriserad|okategoriserade|ikke-kategoriseret|ukategoriseret|без категории".split(
    "|",
  ),
);

/** An attribute of a product or variation, such as "Colour" with the values "Red" and "Blue". */
export interface Attribute {
  readonly name: string;
  /** Name in lower case with underscores. Products and variations may spell it differently, as in WooCommerce. */
  readonly key: string;
  /** Possible values. Empty if any value is possible. */
  readonly values: readonly string[];
}

export function readAttributes(row: TableRow): readonly Attribute[] {
  const attributes: Attribute[] = [];
  for (let number = 1; row.columns.has(getAttributeKey(number, "name")); number += 1) {
    const name = readCell(row, getAttributeKey(number, "name")).replace(/^pa_/, "");
    const values = splitList(readCell(row, getAttributeKey(number, "value(s)")));
    const key = name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "_");
    if (name !== "") attributes.push({ name, key, values });
  }
  return attributes;
}

/**
 * Returns the option values of each variant that a row defines. If the row allows any value of an option ("any size"),
 * it defines one variant for each value.
 */
export function expandOptions(
  row: TableRow,
  options: readonly Attribute[],
  report: CellReporter,
): readonly (readonly string[])[] {
  const valuesByKey = new Map(readAttributes(row).map(({ key, values }) => [key, values]));
  let combinations: readonly (readonly string[])[] = [[]];
  let hasAnyValue = false;
  for (const { key, values } of options) {
    const cellValues = valuesByKey.get(key) ?? [];
    if (cellValues.length === 0) hasAnyValue = true;
    const selectedValues = cellValues.length === 0 ? values : cellValues.slice(0, 1);
    combinations = combinations.flatMap((list) => selectedValues.map((value) => [...list, value]));
    if (combinations.length > MAX_VARIANTS) {
      report.error(row, "", `has more than ${MAX_VARIANTS} variants`);
      return [];
    }
  }
  if (hasAnyValue)
    report.note(
      row,
      getAttributeKey(1, "value(s)"),
      "applies to any value of an option: imported as one variant per value",
    );
  return combinations;
}

/** Maximum number of variants of a product. */
const MAX_VARIANTS = 2_048;
