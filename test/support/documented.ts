import assert from "node:assert/strict";
import { type Answer, type ApiDocument, readApiDocument } from "./api-document.ts";

/**
 * Asserts that a response matches openapi.yaml: status, type, headers, and every field of its JSON. Undocumented URLs
 * are skipped.
 *  @param target path with query, with or without a locale prefix
 */
export type AssertDocumented = (method: string, target: string, answer: Answer) => void;

export function createDocumentedCheck(): AssertDocumented {
  // The document is read at the first response, because most importers of this module do not need it.
  let read: ApiDocument | undefined;
  return (method, target, answer) => {
    read ??= readApiDocument();
    if (!target.startsWith("/")) return;
    const documentedMethod = method === "HEAD" ? "GET" : method;
    const exactOperation = read.find(documentedMethod, target);
    const prefixedOperation = read.find(documentedMethod, target.replace(/^\/[a-z]{2}(?:-[A-Z]{2})?(?=\/)/, ""));
    const operation = exactOperation ?? (prefixedOperation?.isUnprefixed === true ? undefined : prefixedOperation);
    if (isUnroutable(target.split("?", 1)[0] ?? "")) return;
    // An unknown URL returns 404 in the format of its path.
    if (operation === undefined || (answer.status === 404 && operation.responses[404] === undefined)) return;
    const mismatches = read.mismatchesOf(operation, answer);
    assert.deepEqual(mismatches, [], `${method} ${target} does not match openapi.yaml`);
  };
}

/**
 * Returns whether a path matches no route: it has control characters, invalid encodings, or a parameter over the limit
 * of the router.
 */
function isUnroutable(path: string): boolean {
  try {
    return /\p{Cc}/u.test(decodeURIComponent(path)) || path.split("/").some(({ length }) => length > MAX_PARAM_LENGTH);
  } catch {
    return true;
  }
}

const MAX_PARAM_LENGTH = 1_024;
