import { createFieldProblem } from "../../problem.ts";
import { isObject } from "../bodies/body.ts";

type Payload = Readonly<Record<string, unknown>>;

/** Maximum length of a text, in characters. */
const MAX_TEXT_LENGTH = 1_024;
/** Maximum length of a list. */
export const MAX_ITEMS = 50;

/** Returns a text of a request; undefined if it is missing.  @throws Problem `validation_failed` */
export function readText(payload: Payload, name: string, path = name): string | undefined {
  const value = payload[name];
  if (value === undefined) return undefined;
  if (!isText(value))
    throw createFieldProblem(path, "string", `${path} is a string of at most ${MAX_TEXT_LENGTH} characters.`);
  return value;
}

/** Returns an object of a request; undefined if it is missing.  @throws Problem `validation_failed` */
export function readObject(payload: Payload, name: string, path = name): Payload | undefined {
  const value = payload[name];
  if (value === undefined || isObject(value)) return value;
  throw createFieldProblem(path, "object", `${path} is an object.`);
}

/** Returns a list of texts; empty if it is missing.  @throws Problem `validation_failed` */
export function readList(payload: Payload, name: string, path = name): readonly string[] {
  const value = payload[name] ?? [];
  if (!Array.isArray(value) || !value.every(isText))
    throw createFieldProblem(path, "strings", `${path} is a list of strings.`);
  if (value.length > MAX_ITEMS) throw createFieldProblem(path, "max", `${path} has at most ${MAX_ITEMS} items.`);
  return value;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.length <= MAX_TEXT_LENGTH && value.isWellFormed() && !value.includes("\0");
}
