import type { CartChanges, LineChange, LineSelector } from "../../cart/edits/cart-edits.ts";
import { isValidText } from "../../catalog/rows/fields.ts";
import { createFieldProblem, createFieldsProblem, type FieldError, Problem } from "../../problem.ts";
import { type Body, isObject, NumberLiteral } from "../bodies/body.ts";

/**
 * Parses an integer: a JSON number, or a string of decimal digits. Both may end in ".0", as some clients write all
 * numbers.
 * @returns a Problem if the value is not an integer from `min` to `max`
 */
export function parseQuantity(value: unknown, field: string, min: 0 | 1, max: number): number | Problem {
  const text = value instanceof NumberLiteral ? value.source : value;
  const isWholeNumber = typeof text === "string" && /^\d+(?:\.0+)?$/.test(text);
  const number = typeof text === "number" || isWholeNumber ? Number(text) : Number.NaN;
  if (!Number.isInteger(number)) return createFieldProblem(field, "integer", "A quantity is a whole number.");
  if (number < min) return createFieldProblem(field, "min", `A quantity is ${min} or more.`);
  return number > max ? createFieldProblem(field, "max", `A quantity is at most ${max}.`) : number;
}

/**
 * Parses a request to change one line of the cart. An invalid line is reported before an invalid change. The maximum
 * quantity is checked later, because it depends on the product.
 * @returns the line to change, and the change or its error
 * @see spec 4.4
 */
export function parseChange(body: Body): { readonly target: LineSelector; readonly change: LineChange | Problem } {
  const line = parseQuantity(body.line, "line", 1, Number.MAX_SAFE_INTEGER);
  const keys = [body.cartLineId, body.cart_line_id, body.key].filter((key) => typeof key === "string");
  const id = parseId(body.id);
  return {
    target: { ...(typeof line === "number" ? { line } : {}), keys, ...(id === undefined ? {} : { id }) },
    change: parseLineChange(body),
  };
}

/** Parses the new quantity or the new properties of a line, or both. The line's parent line cannot be changed. */
function parseLineChange(body: Body): LineChange | Problem {
  const unsupportedErrors = findUnsupportedFields(body, "");
  if (unsupportedErrors.length > 0) return createFieldsProblem(unsupportedErrors);
  const submittedProperties = body.properties ?? undefined;
  const properties = submittedProperties === undefined ? undefined : parseProperties(submittedProperties, "properties");
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
  const hasChanges = ["updates", "note", "attributes", "discount", "gift_cards"].some((name) =>
    Object.hasOwn(body, name),
  );
  const requestsSections = ["sections", "section_ids", "section_ids[]", "section_id", "sections_url"].some((name) =>
    Object.hasOwn(body, name),
  );
  if (!hasChanges && !requestsSections)
    throw createFieldProblem("updates|note", "required", "Name what to update: updates, note, discount or gift_cards.");
  return {
    ...(Object.hasOwn(body, "updates") ? { updates: parseUpdates(body.updates) } : {}),
    ...(Object.hasOwn(body, "note") ? { note: parseNote(body.note) } : {}),
    ...parseCodes(body),
  };
}

/**
 * Parses the fields `discount` and `gift_cards`. Each is a list of codes, or a string of comma-separated codes.
 * @throws Problem `validation_failed`
 */
export function parseCodes(body: Body): Pick<CartChanges, "discountCodes" | "giftCards"> {
  const discountCodes = parseCodeList(body, "discount");
  const giftCards = parseCodeList(body, "gift_cards");
  return { ...(discountCodes ? { discountCodes } : {}), ...(giftCards ? { giftCards } : {}) };
}

/** Returns the names of the non-empty cart attributes in a body. This shop stores no cart attributes.  @see spec 2.3 */
export function listAttributeNames({ attributes }: Body): readonly string[] {
  if (!isObject(attributes)) return [];
  return Object.entries(attributes).flatMap(([name, value]) => (isEmpty(value) ? [] : [name]));
}

/** Maximum lengths in characters: of a note, of a property value, and of a discount code or property name. */
const MAX_NOTE_LENGTH = 5_000;
const MAX_PROPERTY_LENGTH = 1_000;
export const MAX_CODE_LENGTH = 255;
/** Maximum number of discount codes in one request, and maximum number of gift cards. */
export const MAX_CODES = 5;
/** Maximum number of custom properties of one item, such as an engraving text. */
const MAX_PROPERTIES = 50;

const unsupportedMessages = {
  selling_plan: "This shop has no subscriptions. Send the item without selling_plan.",
  parent_id: "Only an item of a request to add items can have a parent. Send the request without parent_id.",
  parent_line_key:
    "Only an item of a request to add items can have a parent. Send the request without parent_line_key.",
};

/**
 * Returns an error for each field in `names` that is not empty, because the shop does not support these fields. Empty
 * fields are allowed: themes always send `selling_plan`, usually without a value.
 * @param itemPath path of the item in the body; "" for the body itself
 */
export function findUnsupportedFields(
  item: Body,
  itemPath: string,
  names: readonly (keyof typeof unsupportedMessages)[] = ["selling_plan", "parent_id", "parent_line_key"],
): readonly FieldError[] {
  return names.flatMap((name) =>
    isEmpty(item[name])
      ? []
      : createFieldProblem(itemPath === "" ? name : `${itemPath}.${name}`, "unsupported", unsupportedMessages[name])
          .fields,
  );
}

export function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === "string" && value.trim() === "");
}

/** Returns an id as a string. Numbers above 2^53 are rejected, because JavaScript does not represent them exactly. */
export function parseId(value: unknown): string | undefined {
  if (value instanceof NumberLiteral && /^\d+\.0+$/.test(value.source)) return parseId(Number(value.source));
  if (typeof value === "number") return Number.isSafeInteger(value) ? String(value) : undefined;
  return typeof value === "string" && value !== "" && value.length <= MAX_CODE_LENGTH && isValidText(value)
    ? value
    : undefined;
}

/** Parses the custom properties of an item. A property that is null is absent, as JSON has no undefined. */
export function parseProperties(value: unknown, field: string): Readonly<Record<string, string>> | Problem {
  if (value === undefined || value === null) return {};
  const createTextProblem = (): Problem =>
    createFieldProblem(field, "strings", "Properties must be an object with string values.");
  if (!isObject(value)) return createTextProblem();
  const textEntries = Object.entries(value).flatMap(([name, propertyValue]) =>
    propertyValue === null ? [] : [[name, formatProperty(propertyValue)] as const],
  );
  if (!textEntries.every(([name, text]) => text !== undefined && isValidText(name) && isValidText(text)))
    return createTextProblem();
  if (textEntries.length > MAX_PROPERTIES)
    return createFieldProblem(field, "max", `An item has at most ${MAX_PROPERTIES} properties.`);
  if (
    textEntries.some(
      ([name, text = ""]) => isLongerThan(name, MAX_CODE_LENGTH) || isLongerThan(text, MAX_PROPERTY_LENGTH),
    )
  )
    return createFieldProblem(
      field,
      "max",
      `The name of a property has at most ${MAX_CODE_LENGTH} characters, its text at most ${MAX_PROPERTY_LENGTH}.`,
    );
  return Object.fromEntries(textEntries.map(([name, text = ""]) => [name, text]));
}

/** Returns a custom property as text, or undefined if it is invalid. Numbers keep the digits that were sent. */
function formatProperty(value: unknown): string | undefined {
  if (value instanceof NumberLiteral) return value.source;
  return ["string", "number", "boolean"].includes(typeof value) ? String(value) : undefined;
}

function isLongerThan(text: string, max: number): boolean {
  return text.length > max && Array.from(text).length > max;
}

function parseUpdates(value: unknown): ReadonlyMap<string, number> | readonly number[] {
  if (!Array.isArray(value) && !isObject(value))
    throw createFieldProblem(
      "updates",
      "type",
      "Updates must be an object of line keys and quantities, or a list of quantities.",
    );
  const entries = Object.entries(value).map(
    ([key, quantity]) => [key, parseQuantity(quantity, `updates.${key}`, 0, Number.MAX_SAFE_INTEGER)] as const,
  );
  const errors = entries.flatMap(([, quantity]) => (quantity instanceof Problem ? quantity.fields : []));
  if (errors.length > 0) throw createFieldsProblem(errors);
  const quantities = entries.map(([key, quantity]) => [key, Number(quantity)] as const);
  return Array.isArray(value) ? quantities.map(([, quantity]) => quantity) : new Map(quantities);
}

function parseNote(value: unknown): string {
  if (value === null) return "";
  if (typeof value !== "string") throw createFieldProblem("note", "string", "A note must be a string.");
  if (isLongerThan(value, MAX_NOTE_LENGTH))
    throw createFieldProblem("note", "max", `A note has at most ${MAX_NOTE_LENGTH} characters.`);
  if (!isValidText(value))
    throw createFieldProblem("note", "text", "The note contains characters that cannot be stored.");
  return value;
}

function parseCodeList(body: Body, field: "discount" | "gift_cards"): readonly string[] | undefined {
  const value = body[field];
  if (value === undefined) return undefined;
  const codeList: unknown = typeof value === "string" ? value.split(",") : (value ?? []);
  const isValidCode = (code: unknown): code is string =>
    typeof code === "string" && code.length <= MAX_CODE_LENGTH && isValidText(code);
  if (!Array.isArray(codeList) || !codeList.every(isValidCode))
    throw createFieldProblem(field, "string", "Codes must be a list, or a string of comma-separated codes.");
  if (codeList.length > MAX_CODES)
    throw createFieldProblem(field, "max", `You can add up to ${MAX_CODES} codes at once.`);
  return codeList.map((code) => code.trim()).filter((code) => code !== "");
}
