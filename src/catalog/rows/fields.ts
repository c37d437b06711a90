import { isObject } from "../../runtime/is-object.ts";
import { truncateText } from "../../runtime/truncate-text.ts";
import { isIsoDay } from "./zoned-dates.ts";

/** Reports an error in a row.  @param field path of the field in the file: "variants[0].price" */
export type ErrorReporter = (field: string, message: string) => void;

/** An object of a catalog file that is being parsed. */
export interface Fields {
  readonly values: Readonly<Record<string, unknown>>;
  /** Prefix of field names in errors: the path of the object, such as "" or "variants[0].". */
  readonly path: string;
  readonly addError: ErrorReporter;
}

/** Maximum number of characters in a name. */
const MAX_NAME_LENGTH = 1_000;
/**
 * Maximum number of characters in a long text, such as a description. The limit exists because an entire row is held in
 * memory.
 */
const MAX_BODY_LENGTH = 1_000_000;
/** Maximum amount in minor units; multiplied by quantities, it stays below 2^53. */
const MAX_AMOUNT = 1_000_000_000_000;

/** Opens an object for parsing. Reports unknown fields, and values that are not objects. */
export function parseObject(
  value: unknown,
  path: string,
  knownFields: ReadonlySet<string>,
  description: string,
  addError: ErrorReporter,
): Fields | undefined {
  if (!isObject(value)) {
    addError(path === "" ? "" : path.slice(0, -1), `${description} must be an object { … }`);
    return undefined;
  }
  for (const name of Object.keys(value)) {
    if (!knownFields.has(name)) {
      addError(
        path + truncateText(name, 60),
        `is not a field of ${description} (known: ${[...knownFields].join(", ")})`,
      );
    }
  }
  return { values: value, path, addError };
}

/** Opens an object in a field for parsing; undefined if it is missing or invalid. */
export function parseObjectField(
  fields: Fields,
  name: string,
  knownFields: ReadonlySet<string>,
  description: string,
): Fields | undefined {
  const value = fields.values[name];
  if (value === undefined || value === null) return undefined;
  return parseObject(value, `${fields.path}${name}.`, knownFields, description, fields.addError);
}

/** Returns a short text on one line. Reports a missing or empty text. */
export function parseRequiredName(fields: Fields, name: string): string {
  const text = parseName(fields, name);
  if (text !== undefined) return text;
  if (isMissing(fields, name)) report(fields, name, "is required");
  return "";
}

/** Returns a trimmed short text; undefined if it is missing or blank. */
export function parseName(fields: Fields, name: string): string | undefined {
  const value = fields.values[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string") return reportInvalid(fields, name, "must be a string");
  const text = value.trim();
  if (text === "") return fields.values[name] === "" ? undefined : reportInvalid(fields, name, "must not be blank");
  if (text.length > MAX_NAME_LENGTH)
    return reportInvalid(fields, name, `must have at most ${MAX_NAME_LENGTH} characters`);
  return isValidText(text) ? text : reportInvalid(fields, name, "contains invalid characters");
}

/** Returns a text of any length; "" if it is missing. */
export function parseBody(fields: Fields, name: string): string {
  const value = fields.values[name];
  if (value === undefined || value === null) return "";
  if (typeof value !== "string") return reportInvalid(fields, name, "must be a string") ?? "";
  if (value.length > MAX_BODY_LENGTH)
    return reportInvalid(fields, name, `must have at most ${MAX_BODY_LENGTH} characters`) ?? "";
  return isValidText(value) ? value : (reportInvalid(fields, name, "contains invalid characters") ?? "");
}

/** Returns a list of short texts; [] if it is missing. */
export function parseNames(fields: Fields, name: string): readonly string[] {
  const texts: string[] = [];
  for (const [index, value] of parseList(fields, name).entries()) {
    if (typeof value !== "string" || value.trim() === "" || value.length > MAX_NAME_LENGTH || !isValidText(value)) {
      report(fields, `${name}[${index}]`, `must be a string of 1 to ${MAX_NAME_LENGTH} characters`);
    } else texts.push(value.trim());
  }
  return texts;
}

/** Returns the items of a list; [] if it is missing. */
export function parseList(fields: Fields, name: string): readonly unknown[] {
  const value = fields.values[name];
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  report(fields, name, "must be a list [ … ]");
  return [];
}

export function parseFlag(fields: Fields, name: string, fallback: boolean): boolean {
  const value = fields.values[name];
  if (value === undefined || value === null) return fallback;
  if (typeof value === "boolean") return value;
  report(fields, name, "must be true or false");
  return fallback;
}

/** Returns a number from 0 to `max`; undefined if it is missing. */
export function parseNumber(fields: Fields, name: string, max: number): number | undefined {
  const value = fields.values[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === "number" && value >= 0 && value <= max) return value;
  return reportInvalid(fields, name, `must be a number from 0 to ${max}`);
}

/** Returns an integer in a range; undefined if it is missing. */
export function parseInteger(
  fields: Fields,
  name: string,
  min: number,
  max: number = Number.MAX_SAFE_INTEGER,
): number | undefined {
  const value = fields.values[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= min && value <= max) return value;
  const rangeText = max === Number.MAX_SAFE_INTEGER ? `of ${min} or more` : `from ${min} to ${max}`;
  return reportInvalid(fields, name, `must be a whole number ${rangeText}`);
}

/** Returns an amount in minor units; undefined if it is missing. */
export function parseMoney(fields: Fields, name: string): number | undefined {
  const value = fields.values[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0 && value <= MAX_AMOUNT) return value;
  return reportInvalid(
    fields,
    name,
    "must be a whole number of the currency's smallest unit (1999 for 19.99 USD or 1999 JPY), 0 or more",
  );
}

/** Returns one of the allowed words; undefined if the field is missing. */
export function parseChoice<W extends string>(fields: Fields, name: string, words: readonly W[]): W | undefined {
  const value = fields.values[name];
  if (value === undefined || value === null) return undefined;
  const word = words.find((allowedWord) => allowedWord === value);
  return word ?? reportInvalid(fields, name, `must be ${words.map((allowedWord) => `"${allowedWord}"`).join(" or ")}`);
}

/** Returns a date in ISO 8601 format; undefined if it is missing. */
export function parseDate(fields: Fields, name: string): string | undefined {
  const value = fields.values[name];
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value === "string" && isDate(value)) return value;
  return reportInvalid(fields, name, 'must be a date like "2026-07-01T00:00:00Z" or "2026-07-01"');
}

/** Returns an object with one field, or an empty object if the value is undefined. */
export function createField<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { readonly [Key in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { readonly [Key in Name]: Value });
}

export function isMissing(fields: Fields, name: string): boolean {
  const value = fields.values[name];
  return value === undefined || value === null || value === "";
}

export function report(fields: Fields, name: string, message: string): void {
  fields.addError(fields.path + name, message);
}

function reportInvalid(fields: Fields, name: string, message: string): undefined {
  report(fields, name, message);
  return undefined;
}

/** Returns whether a text has no NUL and no unpaired surrogate. Some databases end a text at NUL. */
export function isValidText(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

/** Returns whether a text is a time with a zone, or a date without time that exists in the calendar. */
function isDate(text: string): boolean {
  const hasFormat = /^[\d-]{10}(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/.test(text);
  return hasFormat && isIsoDay(text.slice(0, 10)) && !Number.isNaN(Date.parse(text));
}

/** Maximum nesting depth of a row, since templates and other readers use recursion. */
const MAX_NESTING = 64;

/** Error message for a value that is nested too deep; follows text such as "line 7 ". */
export const NESTED_TOO_DEEP_MESSAGE = `is nested more than ${MAX_NESTING} levels deep`;

/** Returns whether a value is nested too deep. Checks level by level, without recursion. */
export function isNestedTooDeep(value: unknown): boolean {
  let level = [value].filter(isNestedValue);
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === MAX_NESTING) return true;
    level = level.flatMap((allowedWord) => Object.values(allowedWord).filter(isNestedValue));
  }
  return false;
}

function isNestedValue(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
