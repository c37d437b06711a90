import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import type { ProblemCode as Documented } from "../../packages/client/generated/problem.ts";
import { clientTypes } from "../../scripts/client-types.ts";
import type { ProblemCode } from "../../src/problem.ts";

const folder = new URL("../../packages/client/generated/", import.meta.url);

test("the types of the Node client are those of openapi.yaml; `npm run client-types` makes them so", () => {
  const made = clientTypes();
  assert.deepEqual(readdirSync(folder).sort(), [...made.keys()].sort());
  for (const [file, text] of made) assert.equal(readFileSync(new URL(file, folder), "utf8"), text, file);
});

test("the codes of refusals in openapi.yaml are those of the server, and that of a fault of its own", () => {
  // The type checker is what holds the two together.
  const all = (codes: Documented): ProblemCode | "internal_error" => codes;
  const back = (codes: ProblemCode | "internal_error"): Documented => codes;
  assert.equal(back(all("not_found")), "not_found");
});
