import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { readCatalog } from "../../read-catalog.ts";

test("a feed may use any prefix for the namespaces of Google and Atom", async (t) => {
  const dir = await mkdtemp(join(tmpdir(), "vitrine-feed-"));
  t.after(() => rm(dir, { recursive: true, force: true }));
  const path = join(dir, "feed.xml");
  // Python's ElementTree names namespaces in this way.
  const item = "<ns1:id>T</ns1:id><ns0:title>Tee</ns0:title><ns1:price>9.00 EUR</ns1:price><ns2:price>1</ns2:price>";
  await writeFile(
    path,
    `<ns0:feed xmlns:ns0="http://www.w3.org/2005/Atom" xmlns:ns1="http://base.google.com/ns/1.0" xmlns:ns2="urn:x"><ns0:entry>${item}</ns0:entry></ns0:feed>`,
  );
  const products: unknown[] = [];
  const onError = (error: object): void => assert.fail(JSON.stringify(error));
  for await (const { row } of readCatalog([{ path, name: "feed.xml" }], { currency: "EUR", onError }))
    if (row.kind === "product") products.push([row.title, row.variants[0]?.sku, row.variants[0]?.price]);
  assert.deepEqual(products, [["Tee", "T", 900]]);
});
