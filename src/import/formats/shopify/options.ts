import { DEFAULT_VARIANT_TITLE } from "../../../catalog/offer-title.ts";
import { cell, type TableRow } from "../tables/columns.ts";
import { at, type CellReports } from "../tables/read-cells.ts";

/** The names of a product's options, and of each variant its values in their order. */
export function optionsOf(
  first: TableRow | undefined,
  variants: readonly TableRow[],
  told: CellReports,
): { readonly options: readonly string[]; readonly values: readonly (readonly string[])[] } {
  const used = [1, 2, 3].filter((n) => {
    const isNamed = cell(first, `Option${n} Name`) !== "";
    return isNamed || variants.some((row) => cell(row, `Option${n} Value`) !== "");
  });
  const options = used.map((n) => {
    const name = cell(first, `Option${n} Name`);
    if (name !== "" || isWithoutOptions([name], [[cell(variants[0], `Option${n} Value`)]])) return name;
    told.notes.push({ ...at(first, `Option${n} Name`), message: `is empty: the option is called "Option ${n}"` });
    return `Option ${n}`;
  });
  const values = variants.map((row) => used.map((n) => cell(row, `Option${n} Value`)));
  if (values.length > 1 && used.length === 0)
    told.errors.push({
      ...at(variants[1], "Option1 Value"),
      message: "is empty: no option tells this variant from the first",
    });
  if (values.length === 1 && isWithoutOptions(options, values)) return { options: [], values: [[]] };
  // An option without any value is none.
  const kept = options.flatMap((_, index) => (values.every((row) => row[index] === "") ? [] : [index]));
  return {
    options: kept.map((index) => options[index] ?? ""),
    values: values.map((row) => kept.map((index) => row[index] ?? "")),
  };
}

/** Shopify's mark of a product without options. */
function isWithoutOptions(names: readonly string[], [values]: readonly (readonly string[])[]): boolean {
  return ["Title", ""].includes(names[0] ?? "") && names.length === 1 && values?.[0] === DEFAULT_VARIANT_TITLE;
}
