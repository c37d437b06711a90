import assert from "node:assert/strict";
import { test } from "node:test";
import { readFiles } from "../read-files.fixture.ts";

test("a JSON file that is named .jsonl has one error", async () => {
  const product = { handle: "mug", title: "Mug", variants: [{ price: 100 }] };
  for (const text of [
    JSON.stringify([product]),
    JSON.stringify([product], null, 2),
    JSON.stringify(product, null, 2),
  ]) {
    const { acceptedRows, rejectedRows } = await readFiles([["products.jsonl", text]]);
    assert.deepEqual(acceptedRows, []);
    assert.deepEqual(
      rejectedRows.map(({ message }) => message),
      ["is not an object on one line: rename the file to .json"],
    );
  }
});
