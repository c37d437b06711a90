import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { codeFile, compileKernel } from "../../../scripts/kernel.ts";

test("the compiled inner loops match their source: run `npm run kernel` after a change", async () => {
  assert.equal(readFileSync(codeFile, "utf8"), await compileKernel());
});
