import { parse } from "secure-json-parse";
import type { Config } from "../../config/settings.ts";
import { createFieldProblem } from "../../problem.ts";
import type { StoreRequest } from "../wire/request.ts";
import { isFormType, mediaTypeOf, parseForm, parseQueryForm } from "./forms.ts";

/** JSON object in the body of a write request. All numbers are safe integers or {@link NumberLiteral}. */
export type Body = Readonly<Record<string, unknown>>;

/**
 * Source text of a JSON number with a fraction or an exponent, or above 2^53. Converting it to a JavaScript number
 * could change its digits.
 */
export class NumberLiteral {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

/**
 * Reads and parses the body of a write request.
 * @param compat with `forms`, a form may also be the body, or the query if the body is empty
 * @param isBodyOptional whether a missing body counts as an empty object
 * @throws Problem `validation_failed` (field `body`; field `cartId` if the body names a cart), `payload_too_large`
 * @see spec 5, 7.2
 */
export async function readRequestBody(
  request: StoreRequest,
  compat: Pick<Config["compat"], "forms">,
  isBodyOptional = false,
): Promise<Body> {
  const bytes = await request.readBody();
  const encoding = request.headers["content-encoding"];
  if (encoding !== undefined && encoding.trim().toLowerCase() !== "identity")
    throw createFieldProblem("body", "encoding", "Send the body uncompressed, without Content-Encoding.");
  if (bytes.length === 0 && isBodyOptional) return {};
  const header = request.headers["content-type"] ?? "";
  const isQuery = bytes.length === 0 && compat.forms;
  const isFormBody = compat.forms && isFormType(header);
  if (!isQuery && !isFormBody && (mediaTypeOf(header) !== "application/json" || !isUtf8(header)))
    throw createFieldProblem("body", "content_type", "Send a JSON object with Content-Type: application/json.");
  const body = isQuery
    ? await parseQueryForm(request.search)
    : isFormBody
      ? await parseForm(bytes, header)
      : parseJson(bytes);
  rejectCartId(body);
  return body;
}

/** Parses a JSON object.  @throws Problem `validation_failed` with field `body` */
export function parseJson(bytes: Uint8Array): Body {
  const text = decodeUtf8(bytes);
  const error = findJsonError(text, MAX_JSON_DEPTH);
  if (error !== undefined) throw createFieldProblem("body", "json", `The JSON body ${error}.`);
  const value = parseText(text);
  if (!isObject(value)) throw createFieldProblem("body", "object", 'The JSON body must be an object, as in {"id": 1}.');
  return value;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof NumberLiteral);
}

const MAX_JSON_DEPTH = 20;

function isUtf8(header: string): boolean {
  const charset = /;[ \t]*charset[ \t]*=[ \t]*"?([^";,]*)"?/i.exec(header)?.[1];
  return charset === undefined || /^utf-?8$/i.test(charset.trim());
}

const utf8Decoder = new TextDecoder("utf-8", { fatal: true });

/** @throws a problem of the field `body` for bytes that are not UTF-8 */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8Decoder.decode(bytes);
  } catch {
    throw createFieldProblem("body", "encoding", "The body is not UTF-8.");
  }
}

function parseText(text: string): unknown {
  try {
    if (!unsafeNumberPattern.test(text)) return parse(text);
    return parse(text, (_key: string, value: unknown, context?: { readonly source?: string }) => {
      if (typeof value !== "number") return value;
      const source = context?.source ?? "";
      return source === String(value) && Number.isSafeInteger(value) ? value : new NumberLiteral(source);
    });
  } catch {
    throw createFieldProblem("body", "json", "The body is not valid JSON.");
  }
}

/**
 * Matches JSON that may contain a number other than a safe integer. Such JSON is parsed more slowly, with a reviver
 * function.
 */
const unsafeNumberPattern = /\d[.eE]|-\d|\d{16}/;

/**
 * Rejects a body with a field `cartId` or `cart_id`, because the cart is always the one in the cookie. An item's
 * `properties` may have fields with these names.
 */
function rejectCartId(body: Body): void {
  const checkValue = (value: unknown, isListItem: boolean): void => {
    if (Array.isArray(value)) for (const element of value) checkValue(element, false);
    if (!isObject(value)) return;
    for (const [name, fieldValue] of Object.entries(value)) {
      if (name === "cartId" || name === "cart_id")
        throw createFieldProblem("cartId", "forbidden", "The cookie determines the cart: omit cartId.");
      if (name === "items" && Array.isArray(fieldValue)) for (const item of fieldValue) checkValue(item, true);
      else if (!(isListItem && name === "properties")) checkValue(fieldValue, name === "item" || name === "product");
    }
  };
  checkValue(body, true);
}

/**
 * Checks JSON text for nesting deeper than `maxDepth` and for repeated names in an object. It runs before parsing,
 * because a parser could exhaust the stack on deeply nested text. Other syntax errors are not checked.
 * @returns the error, or undefined if there is none
 */
export function findJsonError(text: string, maxDepth: number): string | undefined {
  // One entry for each open bracket: the property names read so far in the object, or undefined for an array.
  const openBrackets: (Set<string> | undefined)[] = [];
  let index = 0;
  while (index < text.length) {
    const character = text[index];
    if (character === "{" || character === "[") {
      openBrackets.push(character === "{" ? new Set() : undefined);
      if (openBrackets.length > maxDepth) return `is nested more than ${maxDepth} levels deep`;
    } else if (character === "}" || character === "]") openBrackets.pop();
    if (character !== '"') {
      index += 1;
      continue;
    }
    const end = findStringEnd(text, index);
    const names = openBrackets.at(-1);
    if (names !== undefined && text[findWhiteSpaceEnd(text, end)] === ":") {
      const name = unquote(text.slice(index, end));
      if (names.has(name)) return "repeats a name within one object";
      names.add(name);
    }
    index = end;
  }
  return undefined;
}

/** Returns the index after the closing quote of the string that starts at `start`. */
function findStringEnd(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text[index] !== '"') index += text[index] === "\\" ? 2 : 1;
  return index + 1;
}

/** Returns the first index from `start` that is not JSON white space. */
function findWhiteSpaceEnd(text: string, start: number): number {
  let index = start;
  while (" \t\r\n".includes(text[index] ?? "x")) index += 1;
  return index;
}

function unquote(literal: string): string {
  if (!literal.includes("\\")) return literal.slice(1, -1);
  try {
    return String(JSON.parse(literal));
  } catch {
    return literal;
  }
}
