import { parse } from "secure-json-parse";
import { isNestedTooDeep, NESTED_TOO_DEEP_MESSAGE } from "../../catalog/rows/fields.ts";
import { createFieldProblem, type FieldError, MAX_FIELD_ERRORS, Problem } from "../../problem.ts";
import type { Shop } from "../../shop.ts";
import type { StoreRequest } from "../wire/request.ts";
import { decodeUtf8, isObject } from "./body.ts";
import { mediaTypeOf } from "./forms.ts";

/** One item of a batch request. */
export interface BatchLine {
  /** Line number of the item, or its position in a JSON array. The first is 1. */
  readonly line: number;
  readonly value: Readonly<Record<string, unknown>>;
}

/** Maximum size of a batch request in bytes, and maximum number of lines. */
export const MAX_BATCH_BYTES = 2 * 1_024 * 1_024;
const MAX_LINES = 10_000;

/** Number of lines parsed before other requests can run. Parsing them takes less than a millisecond. */
const LINES_PER_YIELD = 256;

/**
 * Parses a batch: NDJSON with one object per line, or JSON with an object or a list of objects.
 * @throws Problem `validation_failed`
 */
export async function readJsonLines(
  { process: { scheduler } }: Pick<Shop, "process">,
  request: StoreRequest,
  bytes: Uint8Array,
): Promise<readonly BatchLine[]> {
  const type = mediaTypeOf(request.headers["content-type"]);
  if (!jsonLineTypes.includes(type) && type !== "application/json")
    throw createFieldProblem(
      "body",
      "content_type",
      "Send NDJSON as application/x-ndjson, or JSON as application/json.",
    );
  const text = decodeUtf8(bytes);
  const errors: FieldError[] = [];
  const parseLine = (line: number, source: unknown): readonly BatchLine[] => {
    const value = typeof source === "string" ? parseJson(source) : source;
    const isTooDeep = isNestedTooDeep(value);
    if (isObject(value) && !isTooDeep) return [{ line, value }];
    const [rule, message] = isTooDeep ? ["nesting", NESTED_TOO_DEEP_MESSAGE] : ["object", "is not a JSON object"];
    errors.push({ line, field: "", rule, message });
    return [];
  };
  const items = type === "application/json" ? parseItems(text) : text.split("\n");
  const lines: BatchLine[] = [];
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % LINES_PER_YIELD === 0) await scheduler.yield("background");
    if (type === "application/json" || String(item).trim() !== "") lines.push(...parseLine(index + 1, item));
  }
  if (errors.length > 0) throw createBatchProblem(errors);
  if (lines.length === 0) throw createFieldProblem("body", "required", "The body is empty.");
  if (lines.length > MAX_LINES) throw createFieldProblem("body", "max", `A batch has at most ${MAX_LINES} lines.`);
  return lines;
}

/**
 * Returns the error for a batch that was rejected as a whole.
 * @param errors at least one error
 * @param count total number of errors, including errors that are not listed
 */
export function createBatchProblem(errors: readonly FieldError[], count = errors.length): Problem {
  const listedErrors = errors.slice(0, 5 * MAX_FIELD_ERRORS);
  const [firstError] = listedErrors;
  const location = firstError?.line === undefined || firstError.line === 0 ? "" : `line ${firstError.line}: `;
  const otherErrors = count > 1 ? ` There are ${count - 1} more errors.` : "";
  const firstMessage = [firstError?.field, firstError?.message].filter(Boolean).join(" ");
  return new Problem(
    "validation_failed",
    `Nothing was changed: ${location}${firstMessage}.${otherErrors}`,
    listedErrors,
  );
}

const jsonLineTypes = ["application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines"];

function parseItems(text: string): readonly unknown[] {
  const value = parseJson(text);
  if (value === undefined) throw createFieldProblem("body", "json", "The body is not valid JSON.");
  return Array.isArray(value) ? value : [value];
}

function parseJson(text: string): unknown {
  try {
    const jsonText = text.replace(/^\uFEFF/, "");
    return infiniteNumberPattern.test(jsonText) ? parse(jsonText, rejectInfinity) : parse(jsonText);
  } catch {
    return undefined;
  }
}

/** Rejects numbers above 1.8e308, which JSON.parse returns as Infinity and JSON.stringify would write as null. */
function rejectInfinity(_name: string, value: unknown): unknown {
  if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) throw new Error("infinite");
  return value;
}

/** Matches all JSON that may contain a number above 1e308. */
const infiniteNumberPattern = /\d[eE]\+?\d{3}|\d{300}/;
