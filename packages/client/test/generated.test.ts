import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { clientTypes } from "../../../scripts/client-types.ts";
import type { ProblemCode } from "../../../src/problem.ts";
import type { ProblemCode as Documented } from "../generated/problem.ts";

const folder = new URL("../generated/", import.meta.url);

test("the generated types match openapi.yaml: npm run client-types", () => {
  const made = clientTypes();
  assert.deepEqual(readdirSync(folder).sort(), [...made.keys()].sort());
  for (const [file, text] of made) assert.equal(readFileSync(new URL(file, folder), "utf8"), text, file);
});

test("the error codes of openapi.yaml are those of the server, and internal_error", () => {
  // The two assignments fail to compile if the lists of error codes differ.
  const all = (codes: Documented): ProblemCode | "internal_error" => codes;
  const back = (codes: ProblemCode | "internal_error"): Documented => codes;
  assert.equal(back(all("not_found")), "not_found");
});
