import type { AddItem, CartChanges, LineChange, LineTarget } from "../../cart/edits/cart-edits.ts";
import { type FieldError, invalid, invalidFields, Problem } from "../../problem.ts";
import { type Body, isObject, NumberLiteral } from "../bodies/body.ts";

/**
 * Parses an integer: a JSON number, or a string of decimal digits.
 * @returns a Problem if the value is not an integer from `min` to `max`
 */
export function parseQuantity(value: unknown, field: string, min: 0 | 1, max: number): number | Problem {
  const text = value instanceof NumberLiteral ? value.source : value;
  const isDigits = typeof text === "string" && /^\d+$/.test(text);
  const number = typeof text === "number" || isDigits ? Number(text) : Number.NaN;
  if (!Number.isInteger(number)) return invalid(field, "integer", "A quantity is a whole number.");
  if (number < min) return invalid(field, "min", `A quantity is ${min} or more.`);
  return number > max ? invalid(field, "max", `A quantity is at most ${max}.`) : number;
}

/** Parses the body of a cart add.  @throws Problem `validation_failed` with all errors of the items  @see spec 4.3 */
export function parseAdd(body: Body, maxQuantity: number): readonly AddItem[] {
  const { items } = body;
  if (items === undefined || items === null) {
    if (idOf(body) === undefined) throw noVariant();
    return collect([parseItem(body, "", maxQuantity)]);
  }
  const unsupported = unsupportedFields(body, "");
  if (!Array.isArray(items) || items.length === 0) throw noVariant();
  if (items.length > MAX_ITEMS) throw invalid("items", "max", `Add at most ${MAX_ITEMS} items at once.`);
  return collect([
    ...(unsupported.length === 0 ? [] : [unsupported]),
    ...items.map((item: unknown, index) => parseItem(item, `items.${index}`, maxQuantity)),
  ]);
}

/**
 * Parses a change of one line. An invalid target is reported before an invalid change. The quantity limit is checked
 * later, because it depends on the line.
 * @returns the target, and the change or its error
 * @see spec 4.4
 */
export function parseChange(body: Body): { readonly target: LineTarget; readonly change: LineChange | Problem } {
  const line = parseQuantity(body.line, "line", 1, Number.MAX_SAFE_INTEGER);
  const keys = [body.cartLineId, body.cart_line_id, body.key].filter((key) => typeof key === "string");
  const id = parseId(body.id);
  return {
    target: { ...(typeof line === "number" ? { line } : {}), keys, ...(id === undefined ? {} : { id }) },
    change: parseLineChange(body),
  };
}

/** Parses the new quantity of a line, its new properties, or both. */
function parseLineChange(body: Body): LineChange | Problem {
  const unsupported = unsupportedFields(body, "");
  if (unsupported.length > 0) return invalidFields(unsupported);
  const sent = body.properties ?? undefined;
  const properties = sent === undefined ? undefined : parseProperties(sent, "properties");
  if (properties instanceof Problem) return properties;
  if (properties !== undefined && body.quantity === undefined) return { properties };
  const quantity = parseQuantity(body.quantity, "quantity", 0, Number.MAX_SAFE_INTEGER);
  if (quantity instanceof Problem) return quantity;
  return properties === undefined ? { quantity } : { quantity, properties };
}

/**
 * Parses the body of a cart update, with quantities as in {@link parseChange}.
 * @throws Problem `validation_failed`
 * @see spec 4.5
 */
export function parseUpdate(body: Body): CartChanges {
  const isNamed = ["updates", "note", "attributes", "discount", "gift_cards"].some((name) => Object.hasOwn(body, name));
  const isForSections = ["sections", "section_ids", "section_id", "sections_url"].some((name) =>
    Object.hasOwn(body, name),
  );
  if (!isNamed && !isForSections)
    throw invalid("updates|note", "required", "Name what to update: updates, note, discount or gift_cards.");
  return {
    ...(Object.hasOwn(body, "updates") ? { updates: parseUpdates(body.updates) } : {}),
    ...(Object.hasOwn(body, "note") ? { note: parseNote(body.note) } : {}),
    ...parseCodes(body),
  };
}

/**
 * Parses `discount` and `gift_cards` of an add or update: lists of codes, or strings of comma-separated codes.
 * @throws Problem `validation_failed`
 */
export function parseCodes(body: Body): Pick<CartChanges, "discountCodes" | "giftCards"> {
  const discountCodes = codesOf(body, "discount");
  const giftCards = codesOf(body, "gift_cards");
  return { ...(discountCodes ? { discountCodes } : {}), ...(giftCards ? { giftCards } : {}) };
}

/**
 * Parses the body of an express checkout.
 * @throws Problem `validation_failed`, with the path of each invalid field
 * @see spec 4.7
 */
export function parseBuyNow(
  body: Body,
  maxQuantity: number,
): { readonly item: AddItem; readonly discountCode?: string } {
  const product = isObject(body.item) ? body.item.product : undefined;
  if (!isObject(product) || product.variantId === undefined || product.variantId === null)
    throw invalid("item.product.variantId", "required", "Name the variant to buy in item.product.variantId.");
  const [item] = collect([parseItem({ ...product, id: product.variantId }, "item.product", maxQuantity)]);
  if (item === undefined) throw noVariant();
  const code = parseDiscountCode(body, "discountCode") ?? parseDiscountCode(body.item, "item.discountCode");
  return { item, ...(code === undefined ? {} : { discountCode: code }) };
}

/** Returns the names of the cart attributes in a body. The shop does not store cart attributes.  @see spec 2.3 */
export function attributeNames({ attributes }: Body): readonly string[] {
  if (!isObject(attributes)) return [];
  return Object.entries(attributes).flatMap(([name, value]) => (isEmpty(value) ? [] : [name]));
}

const MAX_ITEMS = 100;
/** Maximum length of a note, a property value, and a code or property name, in characters. */
const MAX_NOTE = 5_000;
const MAX_PROPERTY = 1_000;
const MAX_CODE = 255;
/** Maximum number of discount codes, and of gift cards, in one request. */
export const MAX_CODES = 5;
/** Maximum number of properties of one item. */
const MAX_PROPERTIES = 50;

function parseItem(item: unknown, field: string, maxQuantity: number): AddItem | readonly FieldError[] {
  const at = (name: string): string => (field === "" ? name : `${field}.${name}`);
  const idField = field === "item.product" ? at("variantId") : at("id");
  if (!isObject(item) || idOf(item) === undefined)
    return invalid(idField, "required", "Name a variant by its id.").fields;
  const variantId = parseId(idOf(item));
  const quantity = item.quantity === undefined ? 1 : parseQuantity(item.quantity, at("quantity"), 1, maxQuantity);
  const properties = parseProperties(item.properties, at("properties"));
  const unsupported = unsupportedFields(item, field);
  const errors = [
    ...unsupported,
    ...(variantId === undefined ? invalid(idField, "exists", "This product variant doesn’t exist.").fields : []),
    ...(quantity instanceof Problem ? quantity.fields : []),
    ...(properties instanceof Problem ? properties.fields : []),
  ];
  if (variantId === undefined || quantity instanceof Problem || properties instanceof Problem || unsupported.length > 0)
    return errors;
  return { variantId, quantity, properties, field };
}

/**
 * Error messages for fields of other platforms that this shop does not support. Product forms of public themes always
 * send `selling_plan`, usually empty.
 */
const unsupportedMessages = {
  selling_plan: "This shop has no subscriptions. Send the item without selling_plan.",
  parent_id: "A line cannot belong to another line. Send the item without parent_id.",
  parent_line_key: "A line cannot belong to another line. Send the item without parent_line_key.",
};

/**
 * Returns an error for each unsupported field of an item.
 * @param within path of the item in the body; "" for the body itself
 */
function unsupportedFields(item: Body, within: string): readonly FieldError[] {
  return Object.entries(unsupportedMessages).flatMap(([name, message]) =>
    isEmpty(item[name]) ? [] : invalid(within === "" ? name : `${within}.${name}`, "unsupported", message).fields,
  );
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === "string" && value.trim() === "");
}

function idOf(item: Body): unknown {
  return item.id ?? item.variantId ?? item.variant_id ?? undefined;
}

/** Returns an id as a string. Numbers above 2^53 are rejected, because they are not exact. */
function parseId(value: unknown): string | undefined {
  if (typeof value === "number") return Number.isSafeInteger(value) ? String(value) : undefined;
  return typeof value === "string" && value !== "" && value.length <= MAX_CODE && isCleanText(value)
    ? value
    : undefined;
}

function parseProperties(value: unknown, field: string): Readonly<Record<string, string>> | Problem {
  if (value === undefined || value === null) return {};
  const notTexts = (): Problem => invalid(field, "strings", "Properties are an object of texts.");
  if (!isObject(value)) return notTexts();
  const texts = Object.entries(value).map(([name, one]) => [name, textOf(one)] as const);
  if (!texts.every(([name, text]) => text !== undefined && isCleanText(name) && isCleanText(text))) return notTexts();
  if (texts.length > MAX_PROPERTIES) return invalid(field, "max", `An item has at most ${MAX_PROPERTIES} properties.`);
  if (texts.some(([name, text = ""]) => isLonger(name, MAX_CODE) || isLonger(text, MAX_PROPERTY)))
    return invalid(
      field,
      "max",
      `The name of a property has at most ${MAX_CODE} characters, its text at most ${MAX_PROPERTY}.`,
    );
  return Object.fromEntries(texts.map(([name, text = ""]) => [name, text]));
}

/**
 * Returns the text of a property, or undefined if it is invalid. Numbers and booleans become strings without a change
 * of their digits.
 */
function textOf(value: unknown): string | undefined {
  if (value instanceof NumberLiteral) return value.source;
  return ["string", "number", "boolean"].includes(typeof value) ? String(value) : undefined;
}

function isLonger(text: string, max: number): boolean {
  return text.length > max && Array.from(text).length > max;
}

function parseUpdates(value: unknown): ReadonlyMap<string, number> | readonly number[] {
  if (!Array.isArray(value) && !isObject(value))
    throw invalid("updates", "type", "Updates are an object of line keys and quantities, or a list of quantities.");
  const entries = Object.entries(value).map(
    ([key, quantity]) => [key, parseQuantity(quantity, `updates.${key}`, 0, Number.MAX_SAFE_INTEGER)] as const,
  );
  const errors = entries.flatMap(([, quantity]) => (quantity instanceof Problem ? quantity.fields : []));
  if (errors.length > 0) throw invalidFields(errors);
  const quantities = entries.map(([key, quantity]) => [key, Number(quantity)] as const);
  return Array.isArray(value) ? quantities.map(([, quantity]) => quantity) : new Map(quantities);
}

function parseNote(value: unknown): string {
  if (value === null) return "";
  if (typeof value !== "string") throw invalid("note", "string", "A note is a text.");
  if (isLonger(value, MAX_NOTE)) throw invalid("note", "max", `A note has at most ${MAX_NOTE} characters.`);
  if (!isCleanText(value)) throw invalid("note", "text", "The note contains characters that cannot be stored.");
  return value;
}

function codesOf(body: Body, field: "discount" | "gift_cards"): readonly string[] | undefined {
  const value = body[field];
  if (value === undefined) return undefined;
  const list: unknown = typeof value === "string" ? value.split(",") : (value ?? []);
  const isCode = (code: unknown): code is string =>
    typeof code === "string" && code.length <= MAX_CODE && isCleanText(code);
  if (!Array.isArray(list) || !list.every(isCode))
    throw invalid(field, "string", "Codes are a text, with commas between them.");
  if (list.length > MAX_CODES) throw invalid(field, "max", `You can add up to ${MAX_CODES} codes at once.`);
  return list.map((code) => code.trim()).filter((code) => code !== "");
}

function parseDiscountCode(within: unknown, field: string): string | undefined {
  const code = isObject(within) ? within.discountCode : undefined;
  if (code === undefined || code === null) return undefined;
  if (typeof code !== "string" || code.length > MAX_CODE || !isCleanText(code))
    throw invalid(field, "string", `A discount code is a text of at most ${MAX_CODE} characters.`);
  return code.trim() === "" ? undefined : code.trim();
}

/** Reports whether a string can be stored unchanged: it contains no NUL and no unpaired surrogate. */
function isCleanText(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

function collect(parsed: readonly (AddItem | readonly FieldError[])[]): readonly AddItem[] {
  const errors = parsed.flatMap((one) => ("variantId" in one ? [] : one));
  if (errors.length > 0) throw invalidFields(errors);
  return parsed.flatMap((one) => ("variantId" in one ? [one] : []));
}

function noVariant(): Problem {
  return invalid("id|item|items", "required", "Name what to add: an id, or items with an id each.");
}
