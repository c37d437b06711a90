import { createFieldProblem } from "../../problem.ts";
import { isObject } from "../../runtime/is-object.ts";

type Field = string | { [name: string]: Field } | Field[];

/**
 * Parses a form into the equivalent JSON body. Names such as `properties[Size]`, `updates[]`, and `items[0][id]` create
 * nested values.
 * @param decodeFile returns the value of a file. Default: its name, as in a urlencoded form, so that the merchant can
 * ask for the file
 * @param contentType urlencoded, or multipart with its boundary
 * @throws Problem `validation_failed` with field `body`
 */
export async function parseForm(
  bytes: Uint8Array,
  contentType: string,
  decodeFile?: (bytes: Uint8Array) => string,
): Promise<Record<string, unknown>> {
  const fields = await readFields(bytes, contentType);
  const form: Record<string, Field> = {};
  for (const [name, content] of fields) {
    const value = typeof content === "string" ? content : (decodeFile?.(await content.bytes()) ?? content.name);
    // Browsers send an empty file without a name for a file field without a file.
    if (typeof content !== "string" && value === "") continue;
    const path = splitFieldName(name);
    if (path !== undefined) setField(form, path, value);
    // A malformed field name from a theme script is ignored. For fields that shoppers fill in, it is an error, so that
    // no input is lost silently.
    else if (shopperFieldPattern.test(name))
      throw createFieldProblem("body", "form", "A field of the form has a name that cannot be read.");
  }
  for (const name of arrayFieldNames) {
    const items = Object.hasOwn(form, name) ? readNumberedItems(form[name]) : undefined;
    if (items !== undefined) form[name] = items;
  }
  // Forms omit the items that a shopper did not choose. Numbers are in ascending order in the object.
  const { items } = form;
  if (isObject(items) && Object.keys(items).every((key) => /^\d+$/.test(key))) form.items = Object.values(items);
  for (const item of [form, ...(Array.isArray(form.items) ? form.items : [])]) joinPropertyLists(item);
  return form;
}

/** Joins the values of each custom property that is a list, such as the checked boxes of a group. */
function joinPropertyLists(item: Field): void {
  const properties = isObject(item) ? item.properties : undefined;
  if (!isObject(properties)) return;
  for (const [name, values] of Object.entries(properties))
    if (Array.isArray(values) && values.every((value) => typeof value === "string"))
      properties[name] = values.join(", ");
}

/** Parses the query of a URL as a urlencoded form.  @param search query with "?", or ""  @throws Problem */
export function parseQueryForm(search: string): Promise<Record<string, unknown>> {
  return parseForm(Buffer.from(search.slice(1)), URLENCODED_TYPE);
}

const URLENCODED_TYPE = "application/x-www-form-urlencoded";
const shopperFieldPattern = /^(?:items|properties|updates|contact|comment)\b/;

/**
 * Form fields that become arrays if their keys count up from 0: `updates[0]` is the quantity of the first cart line.
 * Otherwise, they become objects: `updates[794864053]` is the quantity of the variant with that id.
 */
const arrayFieldNames = ["updates", "sections", "section_ids"];

/** Converts a field with the keys 0, 1, 2, … to an array. Returns undefined if a key is missing or not a number. */
function readNumberedItems(field: Field | undefined): Field[] | undefined {
  if (!isObject(field)) return undefined;
  const items = Object.keys(field).map((_, index) => (Object.hasOwn(field, index) ? field[index] : undefined));
  return items.every((item) => item !== undefined) ? items : undefined;
}

/** Reports whether a `Content-Type` header names urlencoded or multipart form data. */
export function isFormType(header: string | undefined): boolean {
  const type = mediaTypeOf(header);
  return type === URLENCODED_TYPE || type === "multipart/form-data";
}

/**
 * Returns the media type in a `Content-Type` header, in lower case and without parameters; "" if the header is
 * malformed. Takes linear time for any header.
 */
export function mediaTypeOf(header = ""): string {
  return /^[ \t]*([^ \t;]*)[ \t]*(?:;|$)/.exec(header)?.[1]?.toLowerCase() ?? "";
}

async function readFields(bytes: Uint8Array, contentType: string): Promise<FormData> {
  try {
    return await new Response(bytes.slice(), { headers: { "content-type": contentType } }).formData();
  } catch {
    throw createFieldProblem("body", "form", "The form cannot be read.");
  }
}

/**
 * Splits a field name like "items[0][id]" into its keys. An empty key like in "items[]" appends to a list. Returns
 * undefined for a key that objects inherit, such as "toString", which would change the object with the fields.
 */
function splitFieldName(name: string): readonly string[] | undefined {
  const match = /^([^[\]]+)((?:\[[^[\]]*\]){0,4})$/.exec(name);
  if (match === null) {
    // The name of a property may contain brackets: "properties[Engraving [20 letters]]".
    const [, item, property] = /^(?:items\[(\d*)\]\[properties\]|properties)\[((?:(?!\]\[).)+)\]$/.exec(name) ?? [];
    if (property === undefined) return undefined;
    return item === undefined ? ["properties", property] : ["items", item, "properties", property];
  }
  const keys = [...(match[2] ?? "").matchAll(/\[([^[\]]*)\]/g)].map((part) => part[1] ?? "");
  const path = [match[1] ?? "", ...keys];
  return path.some((part) => part in Object.prototype || part === "prototype") ? undefined : path;
}

function setField(form: Record<string, Field>, path: readonly string[], value: string): void {
  const [firstKey = "", ...otherKeys] = path;
  if (otherKeys.length === 0) {
    // If a field is repeated, the last value applies, as in Rack: a checkbox follows a hidden field with its other value.
    if (!Object.hasOwn(form, firstKey) || typeof form[firstKey] === "string") form[firstKey] = value;
    return;
  }
  if (!Object.hasOwn(form, firstKey)) form[firstKey] = otherKeys[0] === "" ? [] : {};
  const container = form[firstKey];
  if (typeof container === "string" || container === undefined) return;
  if (!Array.isArray(container)) {
    setField(container, otherKeys, value);
    return;
  }
  const itemPath = otherKeys.slice(1);
  if (itemPath.length === 0) {
    container.push(value);
    return;
  }
  // As in Rack, a field that the last item already has starts the next one: "items[][id]=1&items[][id]=2".
  const lastItem = container.at(-1);
  const item = isObject(lastItem) && !hasField(lastItem, itemPath) ? lastItem : {};
  if (item !== lastItem) container.push(item);
  setField(item, itemPath, value);
}

function hasField(form: Field | undefined, [key = "", ...otherKeys]: readonly string[]): boolean {
  if (!isObject(form) || !Object.hasOwn(form, key)) return false;
  return otherKeys.length === 0 || hasField(form[key], otherKeys);
}

/** Reports whether a string has the syntax of an email address. */
export function isEmailAddress(text: string): boolean {
  return text.length <= MAX_EMAIL_LENGTH && emailPattern.test(text);
}

/** Maximum length of an email address, in characters.  @see RFC 5321, 4.5.3.1 */
const MAX_EMAIL_LENGTH = 254;
const emailPattern = /^[^\s@<>(),;:"\\\p{Cc}\p{Cf}]+@[^\s@<>(),;:"\\\p{Cc}\p{Cf}]+\.[^\s@.<>(),;:"\\\p{Cc}\p{Cf}]+$/u;
