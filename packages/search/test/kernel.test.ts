import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { codeFile, compileKernel } from "../../../scripts/kernel.ts";

test("the search's inner loops are what their source says: after a change there, run `npm run kernel`", async () => {
  assert.equal(readFileSync(codeFile, "utf8"), await compileKernel());
});
