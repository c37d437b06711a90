import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { readCatalog } from "../read-catalog.ts";

test("a JSON file that is named .jsonl has one error", async (t) => {
  const dir = await mkdtemp(join(tmpdir(), "vitrine-jsonl-"));
  t.after(() => rm(dir, { recursive: true, force: true }));
  const path = join(dir, "products.jsonl");
  const product = { handle: "mug", title: "Mug", variants: [{ price: 100 }] };
  for (const text of [
    JSON.stringify([product]),
    JSON.stringify([product], null, 2),
    JSON.stringify(product, null, 2),
  ]) {
    await writeFile(path, text);
    const messages: string[] = [];
    const onError = ({ message }: { readonly message: string }): void => void messages.push(message);
    for await (const { row } of readCatalog([{ path, name: "products.jsonl" }], { currency: "EUR", onError }))
      assert.fail(row.kind);
    assert.deepEqual(messages, ["is not an object on one line: rename the file to .json"]);
  }
});
