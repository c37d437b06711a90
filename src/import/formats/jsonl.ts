import { isUtf8 } from "node:buffer";
import { readFile } from "node:fs/promises";
import { isNestedTooDeep, NESTED_TOO_DEEP_MESSAGE } from "../../catalog/rows/fields.ts";
import { isObject } from "../../runtime/is-object.ts";
import { lowerBound } from "../../runtime/lower-bound.ts";
import { type TextEncoding, utf8Encoding } from "./encoding.ts";
import { readLines, utf8ErrorMessage } from "./lines.ts";
import type { ParsedValue, ValueSource } from "./read-value.ts";

/**
 * Yields the values of a JSONL file, one per line. Skips blank lines, and lines that start with `//`, which contain the
 * errors of rejected rows.
 */
export async function* readJsonl(file: string, encoding: TextEncoding): AsyncGenerator<ParsedValue> {
  for await (const { line, text, bytes, error } of readLines(file, encoding)) {
    if (error !== undefined) yield { line, bytes, error };
    else if (line === 1 && /^\s*(?:\[|\{\s*$)/.test(text)) {
      // A JSON file with the wrong extension would have an error in each line.
      yield { line, bytes, error: "is not an object on one line: rename the file to .json", isFileError: true };
      return;
    } else if (text.trim() !== "" && !text.startsWith("//"))
      yield { line, bytes, ...parseJson(text), source: () => ({ text: text.trimEnd() }) };
  }
}

/** Yields the values of a JSON file: the items of its array, or its single value. */
export async function* readJson(file: string, encoding: TextEncoding): AsyncGenerator<ParsedValue> {
  const buffer = await readFile(file);
  const bytes = buffer.length;
  if (encoding.label === utf8Encoding.label && !isUtf8(buffer)) {
    yield { line: findLineOfInvalidBytes(buffer), bytes, error: utf8ErrorMessage };
    return;
  }
  const text = new TextDecoder(encoding.label).decode(buffer);
  const result = parseJson(text);
  if (result.error !== undefined) yield { line: findLineOfError(text), bytes, error: result.error };
  else if (!Array.isArray(result.value))
    yield {
      line: 1 + countLines(text, /\S/.exec(text)?.index ?? 0),
      bytes,
      ...result,
      source: createJsonSource(result.value),
    };
  else {
    const itemLines = findItemLines(text);
    for (const [index, value] of result.value.entries())
      yield { line: itemLines[index] ?? 1, bytes, value, source: createJsonSource(value) };
  }
}

function createJsonSource(value: unknown): () => ValueSource {
  return () => ({ text: JSON.stringify(value) });
}

function parseJson(text: string): { readonly value?: unknown; readonly error?: string } {
  try {
    const value: unknown = JSON.parse(text);
    // Collections and bundles also have products, and a handle. Discounts name their products by handles.
    if (isObject(value) && Array.isArray(value.products) && value.products.some(isObject) && value.handle === undefined)
      return { error: "is an answer of another system's API, not catalog rows: export the products there as CSV" };
    return isNestedTooDeep(value) ? { error: NESTED_TOO_DEEP_MESSAGE } : { value };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { error: `is not JSON: ${reason.replace(/\s+/g, " ").slice(0, 200)}` };
  }
}

/** Returns the first line with invalid bytes.  @param buffer bytes that are not valid UTF-8 */
function findLineOfInvalidBytes(buffer: Buffer): number {
  let line = 1;
  for (let offset = 0, end = 0; ; offset = end + 1, line += 1) {
    end = buffer.indexOf("\n", offset);
    if (end < 0 || !isUtf8(buffer.subarray(offset, end))) return line;
  }
}

/**
 * Finds the line of a JSON error by binary search for the longest valid prefix, because error messages rarely contain
 * the line.
 */
function findLineOfError(text: string): number {
  const lineEnds = [...text.matchAll(/\n|$/g)].map((match) => match.index + 1);
  return lowerBound(0, lineEnds.length - 1, (index) => !isInvalidPrefix(text.slice(0, lineEnds[index]))) + 1;
}

/** Returns whether a text cannot be the start of valid JSON. */
function isInvalidPrefix(start: string): boolean {
  const { error } = parseJson(start);
  if (error === undefined || error.includes("end of JSON input")) return false;
  const position = /position (\d+)/.exec(error)?.[1];
  return position === undefined || Number(position) < start.trimEnd().length;
}

function countLines(text: string, end: number): number {
  let lines = 0;
  for (let offset = text.indexOf("\n"); offset >= 0 && offset < end; offset = text.indexOf("\n", offset + 1))
    lines += 1;
  return lines;
}

/** Returns the lines on which the items of the outermost array start.  @param text valid JSON array */
function findItemLines(text: string): readonly number[] {
  const lines: number[] = [];
  let line = 1;
  let depth = 0;
  let isItemExpected = false;
  for (let offset = 0; offset < text.length; offset += 1) {
    const letter = text[offset];
    if (letter === "\n") line += 1;
    if (letter === undefined || letter <= " ") continue;
    if (isItemExpected && letter !== "]") {
      lines.push(line);
      isItemExpected = false;
    }
    if (letter === '"') offset = findStringEnd(text, offset);
    else if (letter === "[" || letter === "{") {
      depth += 1;
      isItemExpected = depth === 1;
    } else if (letter === "]" || letter === "}") depth -= 1;
    else if (letter === "," && depth === 1) isItemExpected = true;
  }
  return lines;
}

function findStringEnd(text: string, start: number): number {
  let offset = start + 1;
  while (offset < text.length && text[offset] !== '"') offset += text[offset] === "\\" ? 2 : 1;
  return offset;
}
