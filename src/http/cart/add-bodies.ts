import type { ItemToAdd } from "../../cart/edits/add-items.ts";
import { isValidText } from "../../catalog/rows/fields.ts";
import { createFieldProblem, createFieldsProblem, type FieldError, Problem } from "../../problem.ts";
import { type Body, isObject } from "../bodies/body.ts";
import {
  findUnsupportedFields,
  isEmpty,
  MAX_CODE_LENGTH,
  parseId,
  parseProperties,
  parseQuantity,
} from "./cart-bodies.ts";

/**
 * Parses the body of a request to add items to the cart.
 * @throws Problem `validation_failed` with all errors of the items
 * @see spec 4.3
 */
export function parseAddItems(body: Body, maxQuantity: number): readonly ItemToAdd[] {
  const { items } = body;
  if (items === undefined || items === null) {
    if (idOf(body) === undefined) throw createVariantIdProblem();
    return collectItems([parseItem(body, "", maxQuantity)]);
  }
  const unsupportedErrors = findUnsupportedFields(body, "");
  if (!Array.isArray(items) || items.length === 0) throw createVariantIdProblem();
  if (items.length > MAX_ITEMS) throw createFieldProblem("items", "max", `Add at most ${MAX_ITEMS} items at once.`);
  return collectItems([
    ...(unsupportedErrors.length === 0 ? [] : [unsupportedErrors]),
    ...items.map((item: unknown, index) => parseItem(item, `items.${index}`, maxQuantity)),
  ]);
}

/**
 * Parses the body of an express checkout.
 * @throws Problem `validation_failed`, with the path of each invalid field
 * @see spec 4.7
 */
export function parseBuyNowBody(
  body: Body,
  maxQuantity: number,
): { readonly item: ItemToAdd; readonly discountCode?: string } {
  const product = isObject(body.item) ? body.item.product : undefined;
  if (!isObject(product) || product.variantId === undefined || product.variantId === null)
    throw createFieldProblem(
      "item.product.variantId",
      "required",
      "Name the variant to buy in item.product.variantId.",
    );
  const nestingErrors = findUnsupportedFields(product, "item.product", ["parent_id", "parent_line_key"]);
  if (nestingErrors.length > 0) throw createFieldsProblem(nestingErrors);
  const [item] = collectItems([parseItem({ ...product, id: product.variantId }, "item.product", maxQuantity)]);
  if (item === undefined) throw createVariantIdProblem();
  const code = parseDiscountCode(body, "discountCode") ?? parseDiscountCode(body.item, "item.discountCode");
  return { item, ...(code === undefined ? {} : { discountCode: code }) };
}

/**
 * Returns the paths of non-empty fields that have no effect when items are added to the cart. Ignores the usual hidden
 * fields of product forms.
 */
export function findUnusedFields(body: Body): readonly string[] {
  const { items } = body;
  const listUnusedNames = (fields: Body, knownNames: ReadonlySet<string>): readonly string[] =>
    Object.keys(fields).filter((name) => !knownNames.has(name) && !isEmpty(fields[name]));
  if (!Array.isArray(items)) return listUnusedNames(body, new Set([...requestFieldNames, ...itemFieldNames]));
  return [
    ...listUnusedNames(body, requestFieldNames),
    ...items.flatMap((item: unknown, index) =>
      isObject(item) ? listUnusedNames(item, itemFieldNames).map((name) => `items.${index}.${name}`) : [],
    ),
  ];
}

const itemFieldNames: ReadonlySet<string> = new Set(
  "id variantId variant_id quantity properties selling_plan parent_id parent_line_key".split(" "),
);
/**
 * Names of all known fields at the top level of the body. The names in the second string are hidden fields of product
 * forms. `attributes` is included here because another function reports it.
 */
const requestFieldNames: ReadonlySet<string> = new Set([
  ..."items discount gift_cards sections section_ids section_ids[] section_id sections_url attributes".split(" "),
  ..."form_type utf8 product-id section-id return_to csrf_token".split(" "),
]);

const MAX_ITEMS = 100;

function parseItem(item: unknown, field: string, maxQuantity: number): ItemToAdd | readonly FieldError[] {
  const formatFieldPath = (name: string): string => (field === "" ? name : `${field}.${name}`);
  const idField = field === "item.product" ? formatFieldPath("variantId") : formatFieldPath("id");
  if (!isObject(item) || idOf(item) === undefined)
    return createFieldProblem(idField, "required", "Name a variant by its id.").fields;
  const variantId = parseId(idOf(item));
  const quantity =
    item.quantity === undefined ? 1 : parseQuantity(item.quantity, formatFieldPath("quantity"), 1, maxQuantity);
  const properties = parseProperties(item.properties, formatFieldPath("properties"));
  const parent = parseParent(item, formatFieldPath);
  const unsupportedErrors = findUnsupportedFields(item, field, ["selling_plan"]);
  const errors = [
    ...unsupportedErrors,
    ...(variantId === undefined
      ? createFieldProblem(idField, "exists", "This product variant doesn’t exist.").fields
      : []),
    ...(quantity instanceof Problem ? quantity.fields : []),
    ...(properties instanceof Problem ? properties.fields : []),
    ...(parent instanceof Problem ? parent.fields : []),
  ];
  if (
    variantId === undefined ||
    quantity instanceof Problem ||
    properties instanceof Problem ||
    parent instanceof Problem ||
    unsupportedErrors.length > 0
  )
    return errors;
  return { variantId, quantity, properties, ...(parent === undefined ? {} : { parent }), field };
}

function parseParent(item: Body, formatFieldPath: (name: string) => string): ItemToAdd["parent"] | Problem {
  const { parent_id: parentId, parent_line_key: parentLineKey } = item;
  if (!isEmpty(parentId) && !isEmpty(parentLineKey))
    return createFieldProblem(formatFieldPath("parent_id"), "conflict", "Send either parent_id or parent_line_key.");
  if (!isEmpty(parentId)) {
    const variantId = parseId(parentId);
    return variantId === undefined
      ? createFieldProblem(formatFieldPath("parent_id"), "exists", "The parent is not the id of a variant.")
      : { variantId };
  }
  if (isEmpty(parentLineKey)) return undefined;
  return typeof parentLineKey === "string"
    ? { lineKey: parentLineKey }
    : createFieldProblem(formatFieldPath("parent_line_key"), "string", "The key of a line is a string.");
}

function idOf(item: Body): unknown {
  return item.id ?? item.variantId ?? item.variant_id ?? undefined;
}

function parseDiscountCode(container: unknown, field: string): string | undefined {
  const code = isObject(container) ? container.discountCode : undefined;
  if (code === undefined || code === null) return undefined;
  if (typeof code !== "string" || code.length > MAX_CODE_LENGTH || !isValidText(code))
    throw createFieldProblem(
      field,
      "string",
      `A discount code must be a string of at most ${MAX_CODE_LENGTH} characters.`,
    );
  return code.trim() === "" ? undefined : code.trim();
}

function collectItems(results: readonly (ItemToAdd | readonly FieldError[])[]): readonly ItemToAdd[] {
  const errors = results.flatMap((result) => ("variantId" in result ? [] : result));
  if (errors.length > 0) throw createFieldsProblem(errors);
  return results.flatMap((result) => ("variantId" in result ? [result] : []));
}

function createVariantIdProblem(): Problem {
  return createFieldProblem("id|item|items", "required", "Name what to add: an id, or items with an id each.");
}
