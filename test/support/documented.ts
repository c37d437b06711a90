import assert from "node:assert/strict";
import { type Answer, type ApiDocument, readApiDocument } from "./api-document.ts";

/** Holds an answer to openapi.yaml: its status, type, headers, and every field of its JSON. What is at no address of the document is passed over.
 *  @param target with its query, and with a language's prefix or without */
export type AssertDocumented = (method: string, target: string, answer: Answer) => void;

export function createDocumentedCheck(): AssertDocumented {
  // Read with the first answer: most tests' helpers are imported for less.
  let read: ApiDocument | undefined;
  return (method, target, answer) => {
    read ??= readApiDocument();
    if (!target.startsWith("/")) return;
    const asked = method === "HEAD" ? "GET" : method;
    const operation =
      read.find(asked, target) ?? read.find(asked, target.replace(/^\/[a-z]{2}(?:-[A-Z]{2})?(?=\/)/, ""));
    // What is at no address is 404 in the form that the address looks like.
    if (operation === undefined || (answer.status === 404 && operation.responses[404] === undefined)) return;
    const faults = read.faultsOf(operation, answer);
    assert.deepEqual(faults, [], `${method} ${target} is not answered as openapi.yaml says`);
  };
}
