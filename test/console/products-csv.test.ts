import assert from "node:assert/strict";
import { test } from "node:test";
import { product } from "../support/catalog.ts";
import type { Reply } from "../support/client.ts";
import { createApiToken } from "../support/command.ts";
import { logIn, postCsvForm } from "../support/console.ts";
import { processorTime } from "../support/processor-time.ts";
import { startShop } from "../support/shop.ts";

const shop = await startShop({ hasTheme: false, config: { console: true } });
const { client, csrf } = await logIn(shop, await createApiToken(shop, "console", "catalog:write", "stock:write"));

/** Returns the value of a field of the raincoat. */
async function raincoatField(name: string): Promise<string | undefined> {
  const page = (await client.get("/admin/products/harbour-raincoat")).text;
  return new RegExp(`name="variant\\[0\\]\\[${name}\\]"[^>]* value="([^"]*)"`).exec(page)?.[1];
}

async function upload(text: string | Uint8Array<ArrayBuffer>): Promise<Reply> {
  return postCsvForm(shop, client, { csrf, file: new File([text], "products.csv") });
}

async function save(page: string): Promise<Reply> {
  const changes = /name="changes" value="([^"]*)"/.exec(page)?.[1]?.replaceAll("&quot;", '"') ?? "";
  return postCsvForm(shop, client, { csrf, operation: "save", changes });
}

test("stock and prices are downloaded as CSV, edited in a spreadsheet, previewed, and saved", async () => {
  const download = await client.get("/admin/csv/products.csv");
  assert.match(String(download.headers["content-type"]), /text\/csv/);
  const line =
    download.text.split("\r\n").find((one) => one.startsWith("harbour-raincoat") && one.includes(",11,")) ?? "";
  assert.match(
    line,
    /^harbour-raincoat,Harbour Raincoat,S,11,NOR\.0707-60,yes,120\.00,,10,published=yes price=120\.00 compare= quantity=10$/,
  );
  // A spreadsheet with decimal commas writes semicolons and Windows-1252.
  const edited = download.text
    .replace("\ufeff", "")
    .split("\r\n")
    .map((one) => (one === line ? one.replace(",120.00,,10,", ',"75,5",90,9,') : one))
    .join("\r\n");
  assert.equal((await upload(download.text)).text.match(/The file changes nothing/)?.length, 1);
  const preview = await upload(
    new Uint8Array(Buffer.from(edited.replaceAll(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/g, ";"), "latin1")),
  );
  assert.match(
    preview.text,
    /Harbour Raincoat - S<\/th><td>Price<\/td><td class="number">120\.00<\/td><td class="number">75\.5</,
  );
  assert.match(preview.text, /Save 3 changes/);
  assert.equal(await raincoatField("price"), "120.00", "the preview changes nothing");
  assert.equal((await save(preview.text)).headers.location, "/admin/csv?done=save");
  for (const [name, value] of [
    ["price", "75.50"],
    ["compare", "90.00"],
    ["quantity", "9"],
  ] as const)
    assert.equal(await raincoatField(name), value);
  assert.equal((await save(preview.text)).status, 412, "the preview is out of date");

  const conflict = await upload(edited.replace('"75,5"', "60"));
  assert.match(conflict.text, /Changed by others since the download[\s\S]*75\.50<\/td><td class="number">60</);
  assert.doesNotMatch(conflict.text, /name="changes"/);
});

test("ids, SKUs, and variants that a spreadsheet would run as formulas are found again", async () => {
  const odd = product(1, "odd", "=Odd", [
    { id: "a;=1", sku: "+12;=3", title: "@S", options: ["@S"], price: 100 },
    { id: "b", sku: "'c", title: "-M", options: ["-M"], price: 100 },
  ]);
  const oddShop = await startShop({
    hasTheme: false,
    rows: [{ ...odd, options: ["Size"] }],
    config: { console: true },
  });
  const session = await logIn(oddShop, await createApiToken(oddShop, "console", "catalog:write", "stock:write"));
  const edited = (await session.client.get("/admin/csv/products.csv")).text.replaceAll(",1.00,", ",2.00,");
  const withoutColumn = (count: number) =>
    edited
      .split("\r\n")
      .map((line) => line.split(",").toSpliced(3, count).join(","))
      .join("\r\n");
  for (const text of [edited, withoutColumn(1), withoutColumn(2)]) {
    const fields = { csrf: session.csrf, file: new File([text], "products.csv") };
    assert.match((await postCsvForm(oddShop, session.client, fields)).text, /Save 2 changes/, text);
  }
});

test("a file of a large shop is uploaded if few of its lines are changed", async () => {
  const [header = "", ...lines] = (await client.get("/admin/csv/products.csv")).text.trimEnd().split("\r\n");
  const lineOf = (id: string): string => lines.find((line) => line.includes(`,${id},`)) ?? "";
  const unchangedLines = Array<string>(25_000).fill(lineOf("12"));
  const preview = await upload([header, ...unchangedLines, lineOf("21").replace(/,19\.99,/, ",18.50,")].join("\r\n"));
  assert.equal(preview.status, 200, preview.text.slice(0, 2_000));
  assert.match(preview.text, /19\.99<\/td><td class="number">18\.50</);
  assert.match(preview.text, /Save 1 change</);
  const changedLines = Array.from({ length: 10_001 }, (_, index) => `${index},1`);
  const rejected = await upload(["Variant ID,Price", ...changedLines].join("\n"));
  assert.equal(rejected.status, 400);
  assert.match(rejected.text, /more than 10,000 lines/);
});

test("a long cell of the values at download is read in linear time", async () => {
  const startTime = processorTime();
  const reply = await upload(`Variant ID,Price,Values at download\n11,130.00,${"0".repeat(300_000)}\n`);
  assert.equal(reply.status, 200);
  // A pattern that rescans the text for each character would take minutes.
  assert.ok(processorTime() - startTime < 10_000);
});

test("files in UTF-16 are read in both byte orders", async () => {
  const text = "\ufeffVariant ID;Price\r\n11;131,00\r\n";
  const littleEndian = Buffer.from(text, "utf16le");
  for (const bytes of [littleEndian, Buffer.from(littleEndian).swap16()])
    assert.match((await upload(new Uint8Array(bytes))).text, /<td class="number">131\.00<[\s\S]*Save 1 change</);
});

test("the words that spreadsheets write for TRUE and FALSE publish and unpublish", async () => {
  for (const no of ["FALSCH", "FAUX", "USANN", "YANLIŞ", "ЛОЖЬ", "ΨΕΥΔΕΣ"])
    assert.match((await upload(`Variant ID,Published\n11,${no}\n`)).text, /yes<\/td><td class="number">no</, no);
  for (const yes of ["WAHR", "VRAI", "SANN", "DOĞRU", "ИСТИНА", "ΑΛΗΘΕΣ"])
    assert.match((await upload(`Variant ID,Published\n11,${yes}\n`)).text, /The file changes nothing/, yes);
});

test("a file with errors shows their lines, and changes nothing", async () => {
  for (const [text, message] of [
    ["PK\u0003\u0004\u0014", /The file is a workbook: save it as CSV/],
    [new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0]), /The file is a workbook: save it as CSV/],
    ["a,b\n1,2\n", /no column Variant ID, SKU, or Handle/],
    ["SKU,Price\n", /contains no lines/],
    ['SKU,Price\n"x', /cannot be read as CSV/],
    [
      "SKU,Price\nNOR.0707-60,free\nunknown,1\n",
      /Line 2: Harbour Raincoat: &quot;free&quot; is not a price[\s\S]*Line 3|Line 3: no variant[\s\S]*Line 2: /,
    ],
    ["SKU;Price\nNOR.0707-60;1,234\n", /&quot;1,234&quot; is not a price/],
    ["SKU;Compare-at price\nNOR.0707-60;1,234\n", /&quot;1,234&quot; is not a price/],
    ["SKU;Stock\nNOR.0707-60;1,5\n", /&quot;1,5&quot; is not a quantity/],
    ["SKU,Price\nNOR.0707-60,1\nNOR.0707-60,2\n", /Line 3: the variant occurs twice/],
    ["Variant ID,Published\n11,no\n12,yes\n11x,no\n", /Line 4: no variant/],
    ["Variant ID,Published\n11,perhaps\n", /<li>Line 2: Harbour Raincoat: Published must be yes or no\.<\/li><\/ul>/],
    ["Variant ID,Published,Price\n11,no,free\n", /<li>Line 2: Harbour Raincoat: [^<]*not a price[^<]*<\/li><\/ul>/],
  ] as const) {
    const reply = await upload(text);
    assert.equal(reply.status, 400, String(text));
    assert.match(reply.text, message);
    assert.doesNotMatch(reply.text, /name="changes"/);
  }
  for (const changes of ["", "{}x", '[{"id":"1","revision":"x"}]', '[{"id":"none"}]']) {
    const { status } = await postCsvForm(shop, client, { csrf, operation: "save", changes });
    assert.ok(status === 400 || status === 412, changes);
  }
});
