import { invalid } from "../../problem.ts";

type Field = string | { [name: string]: Field } | Field[];

/**
 * Reads a form's fields as the object of an equivalent JSON body: `properties[Size]`, `updates[]`, `items[0][id]` nest.
 * Files are ignored.
 * @param contentType urlencoded or multipart, with its boundary
 * @throws Problem `validation_failed` field `body`
 */
export async function parseForm(bytes: Uint8Array, contentType: string): Promise<Record<string, unknown>> {
  const fields = await readFields(bytes, contentType);
  const form: Record<string, Field> = {};
  for (const [name, value] of fields) {
    if (typeof value !== "string") continue;
    const path = pathOf(name);
    if (path !== undefined) put(form, path, value);
    // Malformed fields of a theme's own scripts are ignored. A malformed field that a shopper filled in is an error, so
    // that no input is lost silently.
    else if (written.test(name)) throw invalid("body", "form", "A field of the form has a name that cannot be read.");
  }
  for (const name of lists) {
    const items = Object.hasOwn(form, name) ? numbered(form[name]) : undefined;
    if (items !== undefined) form[name] = items;
  }
  return form;
}

const written = /^(?:items|properties|updates|contact|comment)\b/;

/** Fields with numbered items: `updates[0]` is the first line's quantity, `updates[794864053]` that of a variant. */
const lists = ["updates", "sections", "section_ids"];

/** The list of fields that are numbered from 0 without a gap, in any order; undefined for other fields. */
function numbered(field: Field | undefined): Field[] | undefined {
  if (typeof field !== "object" || Array.isArray(field)) return undefined;
  const items = Object.keys(field).map((_, index) => (Object.hasOwn(field, index) ? field[index] : undefined));
  return items.every((item) => item !== undefined) ? items : undefined;
}

/** Whether a content type is one of a form's two. */
export function isForm(type: string): boolean {
  return type === "application/x-www-form-urlencoded" || type === "multipart/form-data";
}

async function readFields(bytes: Uint8Array, contentType: string): Promise<FormData> {
  try {
    return await new Response(bytes.slice(), { headers: { "content-type": contentType } }).formData();
  } catch {
    throw invalid("body", "form", "The form cannot be read.");
  }
}

/** "items[0][id]" -> ["items", "0", "id"]; an empty name appends. */
function pathOf(name: string): readonly string[] | undefined {
  const match = /^([^[\]]+)((?:\[[^[\]]*\]){0,4})$/.exec(name);
  if (match === null) return undefined;
  const inner = [...(match[2] ?? "").matchAll(/\[([^[\]]*)\]/g)].map((one) => one[1] ?? "");
  const path = [match[1] ?? "", ...inner];
  return path.some((part) => part === "__proto__" || part === "constructor" || part === "prototype") ? undefined : path;
}

function put(form: Record<string, Field>, path: readonly string[], value: string): void {
  const [first = "", ...rest] = path;
  if (rest.length === 0) {
    // The first counts, as with query parameters.
    if (!Object.hasOwn(form, first)) form[first] = value;
    return;
  }
  const asList = rest[0] === "" || (first === "items" && /^\d+$/.test(rest[0] ?? ""));
  if (!Object.hasOwn(form, first)) form[first] = asList ? [] : {};
  const inside = form[first];
  if (typeof inside === "string" || inside === undefined) return;
  if (!Array.isArray(inside)) {
    put(inside, rest, value);
    return;
  }
  if (rest.length === 1) {
    inside.push(value);
    return;
  }
  const place = Number(rest[0]);
  if (!(place <= inside.length))
    throw invalid("body", "form", "The items of the form are not numbered from 0 upwards.");
  inside[place] ??= {};
  const item = inside[place];
  if (typeof item === "object" && !Array.isArray(item)) put(item, rest.slice(1), value);
}

/** Whether a string has the form of an email address. */
export function isEmailAddress(text: string): boolean {
  return text.length <= MAX_EMAIL && form.test(text);
}

/** Maximum characters of an address.  @see RFC 5321, 4.5.3.1 */
const MAX_EMAIL = 254;
const form = /^[^\s@<>(),;:"\\\p{Cc}]+@[^\s@<>(),;:"\\\p{Cc}]+\.[^\s@.<>(),;:"\\\p{Cc}]+$/u;
