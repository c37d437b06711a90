import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { readCatalog } from "../read-catalog.ts";

const files = {
  Squarespace:
    'Product Type [Non Editable],Product Page,Title,Description,SKU,Option Name 1,Option Value 1,Price,Sale Price,On Sale,Stock,Visible,Hosted Image URLs\nPHYSICAL,shop,Mug,A mug,M,,,12.00,9.00,Yes,Unlimited,No,"https://a.test/a.jpg https://a.test/b.jpg"\n',
  Etsy: "TITLE,DESCRIPTION,PRICE,CURRENCY_CODE,QUANTITY,TAGS,MATERIALS,IMAGE1,IMAGE2,VARIATION 1 TYPE,VARIATION 1 NAME,SKU\nMug,A mug,12.00,EUR,5,,,,,,,M\n",
  BigCommerce:
    "Item,ID,Name,Type,SKU,Current Stock,Price,Sale Price,Categories,Description\nProduct,77,Towel,physical,T,5,49.00,0.00,18,Linen\n",
};
for (const [system, text] of Object.entries(files))
  test(`an export of ${system} is not taken for one of a known system`, async (t) => {
    const dir = await mkdtemp(join(tmpdir(), "vitrine-other-"));
    t.after(() => rm(dir, { recursive: true, force: true }));
    const path = join(dir, "products.csv");
    await writeFile(path, text);
    const messages: string[] = [];
    const onError = ({ message }: { readonly message: string }): void => void messages.push(message);
    for await (const { row } of readCatalog([{ path, name: "products.csv" }], { currency: "EUR", onError }))
      assert.fail(row.kind);
    assert.match(
      messages.join("\n"),
      /^(?:is not in a known format|has no column "Handle", and few columns of Shopify)/,
    );
  });

test("a table of titles and prices is read as an export of Shopify", async (t) => {
  const dir = await mkdtemp(join(tmpdir(), "vitrine-titles-"));
  t.after(() => rm(dir, { recursive: true, force: true }));
  const path = join(dir, "products.csv");
  await writeFile(path, "Title,Price,Notes,,\nBig Mug,12.00,new,,\n");
  const handles: string[] = [];
  const onError = (error: object): void => assert.fail(JSON.stringify(error));
  for await (const { row } of readCatalog([{ path, name: "products.csv" }], { currency: "EUR", onError }))
    if (row.kind === "product") handles.push(row.handle);
  assert.deepEqual(handles, ["big-mug"]);
});
