import assert from "node:assert/strict";
import { test } from "node:test";
import { readFiles } from "../../read-files.fixture.ts";

const header =
  "Product ID [Non Editable],Variant ID [Non Editable],Product Type [Non Editable],Product Page,Product URL,Title,Description,SKU,Option Name 1,Option Value 1,Option Name 2,Option Value 2,Option Name 3,Option Value 3,Option Name 4,Option Value 4,Price,Sale Price,On Sale,Stock,Categories,Tags,Weight,Visible,Hosted Image URLs\n";

test("products of Squarespace have variants, sale prices, stock, images, and collections", async () => {
  const rows = `p1,v1,PHYSICAL,shop,tee,Tee,<p>Soft.</p>,T-S,Size,S,Fit,Slim,Neck,V,Hem,Raw,20.00,15.00,Yes,3,"/shirts/t-shirts, /new","Cotton, Summer",0.5,Yes,"https://a.test/tee 1.jpg https://a.test/tee-2.jpg"
,v2,,,,,,T-M,Size,M,Fit,Slim,Neck,V,Hem,Raw,20.00,15.00,No,Unlimited,,,0.5,,
p2,v3,SERVICE,shop,hem,Hemming,,H,,,,,,,,,5.00,4.00,TRUE,Unlimited,,,0.0,No,
p3,v4,GIFT_CARD,shop,card,Gift card,,,Value,10,,,,,,,10.00,0.00,No,Unlimited,,,0.0,Yes,
`;
  const { acceptedRows, convertedValues, rejectedRows, ignoredColumns } = await readFiles([
    ["products.csv", header + rows],
  ]);
  const products = acceptedRows.filter((row) => row.kind === "product");
  assert.deepEqual(rejectedRows, []);
  assert.deepEqual(
    products.map(({ handle, title, published, options, tags, images }) => [
      ...[handle, title, published, options.join(), tags.join()],
      images.map(({ src }) => src),
    ]),
    [
      [
        ...["tee", "Tee", true, "Size,Fit,Neck,Hem", "Cotton,Summer,Shirts,Shirts > T shirts,New"],
        ["https://a.test/tee 1.jpg", "https://a.test/tee-2.jpg"],
      ],
      ["hem", "Hemming", false, "", "", []],
      ["card", "Gift card", false, "Value", "", []],
    ],
  );
  assert.deepEqual(
    products.flatMap(({ variants }) =>
      variants.map((variant) => [
        ...[variant.options.join(), variant.sku, variant.price, variant.compareAtPrice],
        ...[variant.inventoryQuantity, variant.requiresShipping],
      ]),
    ),
    [
      ["S,Slim,V,Raw", "T-S", 1500, 2000, 3, true],
      ["M,Slim,V,Raw", "T-M", 2000, undefined, undefined, true],
      ["", "H", 400, 500, undefined, false],
      ["10", undefined, 1000, undefined, undefined, false],
    ],
  );
  assert.deepEqual(
    acceptedRows.flatMap((row) => (row.kind === "collection" ? [[row.handle, row.title]] : [])),
    [
      ["shirts", "Shirts"],
      ["shirts-t-shirts", "T shirts"],
      ["new", "New"],
    ],
  );
  assert.equal(convertedValues.length, 1, "only the gift card has a warning");
  assert.deepEqual(ignoredColumns.toSorted(), [
    "Product ID [Non Editable] (3)",
    "Product Page (3)",
    "Variant ID [Non Editable] (4)",
    "Weight (4)",
  ]);
});

test("an error of a Squarespace export names the line and the column of the file", async () => {
  const rows = `p1,v1,PHYSICAL,shop,tee,Tee,,T,,,,,,,,,free,0.00,No,3,,,0.0,Yes,
p2,v2,PHYSICAL,shop,cap,Cap,,C,,,,,,,,,9.00,0.00,No,many,,,0.0,Yes,
p3,v3,PHYSICAL,shop,mug,Mug,,M,,,,,,,,,full,half,Yes,3,,,0.0,Yes,
`;
  const { rejectedRows } = await readFiles([["products.csv", header + rows]]);
  const text = JSON.stringify(rejectedRows);
  assert.match(text, /"line":2,"field":"Price","message":"\\"free\\" is not an amount of EUR/);
  assert.match(text, /"line":3,"field":"Stock"/);
  assert.match(text, /"line":4,"field":"Sale Price","message":"\\"half\\"/);
  assert.match(text, /"line":4,"field":"Price","message":"\\"full\\"/);
});

test("a table with a few columns of Squarespace is not read as its export", async () => {
  const table =
    "Title,Product Type,Price,Sale Price,On Sale,SKU,Product URL,Categories\nMug,Cups,9.00,5.00,Yes,M,a,/cups\n";
  const { acceptedRows } = await readFiles([["products.csv", table]]);
  assert.deepEqual(
    acceptedRows.map((row) => row.kind === "product" && [row.productType, row.variants[0]?.price]),
    [["Cups", 900]],
  );
});
