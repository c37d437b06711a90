import type { OfferedVariant } from "../../../catalog/catalog.ts";
import { parseMoney } from "../../../pricing/money.ts";
import type { FieldError } from "../../../problem.ts";
import type { ConsoleServices } from "../console-page.ts";
import { findProducts } from "./products.ts";
import { type EditableField, editableFields, type FieldTexts, formatFields, type UploadedLine } from "./variant-csv.ts";
import type { EditableProduct, ProductEdit, VariantEdit } from "./variant-edits.ts";
import { readVariant } from "./variant-table.ts";

/** Comparison of an uploaded file with the stored products. */
export interface CsvChanges {
  readonly edits: readonly ProductEdit[];
  /** Changed values, for the preview. */
  readonly values: readonly ValueChange[];
  /** Values that other users changed after the download. The upload does not overwrite them. */
  readonly conflicts: readonly ValueChange[];
  readonly errors: readonly string[];
}

interface ValueChange {
  readonly product: EditableProduct["product"];
  readonly variant: VariantEdit["variant"];
  readonly field: EditableField;
  /** Stored value. */
  readonly from: string;
  /** Value in the file. */
  readonly to: string;
}

/** Compares the lines of a file with the stored products. */
export async function compareCsv(shop: ConsoleServices, lines: readonly UploadedLine[]): Promise<CsvChanges> {
  const { currency } = shop.config;
  const errors: string[] = [];
  const foundLines = await locateLines(shop, lines, errors);
  const ids = [...new Set(foundLines.map(({ productId }) => productId))];
  const products = new Map((await findProducts(shop, "id", ids)).map((entry) => [entry.product.id, entry] as const));
  const [values, conflicts]: [ValueChange[], ValueChange[]] = [[], []];
  const edits = new Map<string, { -readonly [Key in keyof ProductEdit]: ProductEdit[Key] }>();
  const seenVariants = new Set<string>();
  for (const [index, { line, productId, variantId }] of foundLines.entries()) {
    if (index % LINES_PER_YIELD === 0) await shop.process.scheduler.yield("background");
    const entry = products.get(productId);
    const variant = entry?.product.variants.find(({ id }) => id === variantId);
    if (entry === undefined || variant === undefined || seenVariants.has(variantId)) {
      const message = seenVariants.has(variantId) ? "the variant occurs twice" : "no product has this variant";
      errors.push(`Line ${line.line}: ${message}.`);
      continue;
    }
    seenVariants.add(variantId);
    const storedTexts = formatFields(entry, variant, currency);
    const newValues: { -readonly [Key in EditableField]?: string } = {};
    for (const field of editableFields) {
      const [to, from] = [line.texts[field], storedTexts[field]];
      if (to === undefined || from === undefined || (to === "" && field !== "compare")) continue;
      const isEqual = (a: string, b: string): boolean => areEqual(field, a, b, currency);
      const baselineValue = line.baseline[field];
      if (isEqual(to, from) || (baselineValue !== undefined && isEqual(to, baselineValue))) continue;
      const valueChange = { product: entry.product, variant, field, from, to };
      if (baselineValue !== undefined && !isEqual(baselineValue, from)) conflicts.push(valueChange);
      else {
        values.push(valueChange);
        newValues[field] = to;
      }
    }
    addEdit(edits, entry, variant, { line, texts: newValues, currency }, errors);
  }
  return { edits: [...edits.values()], values, conflicts, errors };
}

/** Returns the lines that differ from their values at the download, or do not contain them. */
export async function findChangedLines(
  { config, process }: ConsoleServices,
  lines: readonly UploadedLine[],
): Promise<readonly UploadedLine[]> {
  const changedLines: UploadedLine[] = [];
  for (const [index, line] of lines.entries()) {
    if (index % LINES_PER_YIELD === 0) await process.scheduler.yield("background");
    if (isChanged(line, config.currency)) changedLines.push(line);
  }
  return changedLines;
}

function isChanged({ texts, baseline }: UploadedLine, currency: string): boolean {
  return editableFields.some((field) => {
    const [to, from] = [texts[field], baseline[field]];
    if (to === undefined || (to === "" && field !== "compare")) return false;
    return from === undefined || !areEqual(field, to, from, currency);
  });
}

const LINES_PER_YIELD = 64;

function addEdit(
  edits: Map<string, { -readonly [Key in keyof ProductEdit]: ProductEdit[Key] }>,
  entry: EditableProduct,
  variant: VariantEdit["variant"],
  {
    line: { line, cells },
    texts,
    currency,
  }: { readonly line: UploadedLine; readonly texts: FieldTexts; readonly currency: string },
  errors: string[],
): void {
  const { product } = entry;
  const { published, ...fields } = texts;
  const fieldErrors: FieldError[] = [];
  const quantity = entry.quantities.get(variant.id);
  const variants = readVariant(
    fields,
    { variant, title: product.title, currency, language: "en", quantity, quotedFields: cells },
    fieldErrors,
  );
  if (published !== undefined && published !== "yes" && published !== "no")
    fieldErrors.push({ field: "published", rule: "enum", message: `${product.title}: Published must be yes or no.` });
  errors.push(...fieldErrors.map(({ message }) => `Line ${line}: ${message}`));
  if (fieldErrors.length > 0 || (published === undefined && variants.length === 0)) return;
  const edit = edits.get(product.id) ?? { target: entry, variants: [] };
  edit.variants = [...edit.variants, ...variants];
  if (published !== undefined) edit.published = published === "yes";
  edits.set(product.id, edit);
}

function areEqual(field: EditableField, a: string, b: string, currency: string): boolean {
  if (a === b) return true;
  if (field === "quantity") return a !== "" && b !== "" && Number(a) === Number(b);
  if (field === "published") return false;
  const [firstAmount, secondAmount] = [parseMoney(a, currency), parseMoney(b, currency)];
  return firstAmount !== undefined && firstAmount === secondAmount;
}

interface MatchedLine {
  readonly line: UploadedLine;
  readonly productId: string;
  readonly variantId: string;
}

/** Finds the variant of each line by ID or SKU, or else by the handle of the product and the title of the variant. */
async function locateLines(
  shop: ConsoleServices,
  lines: readonly UploadedLine[],
  errors: string[],
): Promise<readonly MatchedLine[]> {
  const { catalog } = shop.snapshot();
  const foundLines: MatchedLine[] = [];
  for (const [index, line] of lines.entries()) {
    if (index % LINES_PER_YIELD === 0) await shop.process.scheduler.yield("background");
    const offer = findOffer(catalog, line);
    if (offer === undefined)
      errors.push(
        `Line ${line.line}: no variant has this ID or SKU: ${(line.id || line.sku || line.handle).slice(0, 100)}.`,
      );
    else foundLines.push({ line, productId: offer.product.id, variantId: offer.variant.id });
  }
  return foundLines;
}

function findOffer(
  catalog: ReturnType<ConsoleServices["snapshot"]>["catalog"],
  { id, sku, handle, variant }: UploadedLine,
): OfferedVariant | undefined {
  const idMatch = id === "" ? undefined : catalog.findAnyVariant(id);
  if (idMatch !== undefined) return idMatch;
  const skuMatches = sku === "" ? [] : catalog.variantsBySku(sku);
  if (skuMatches.length === 1) return skuMatches[0];
  const product = handle === "" ? undefined : catalog.product(handle);
  const match = product?.variants.find(({ title }) => title === variant) ?? getOnlyItem(product?.variants);
  return product && match && { product, variant: match };
}

function getOnlyItem<T>(list: readonly T[] | undefined): T | undefined {
  return list?.length === 1 ? list[0] : undefined;
}
