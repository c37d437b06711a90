import assert from "node:assert/strict";
import { test } from "node:test";
import type { Product } from "../../catalog/product.ts";
import { readFiles } from "../read-files.fixture.ts";

async function readTable(
  text: string | Uint8Array,
  name = "products.csv",
): Promise<{ readonly products: readonly Product[]; readonly messages: readonly string[] }> {
  const { acceptedRows, rejectedRows } = await readFiles([[name, text]]);
  return {
    products: acceptedRows.filter((row) => row.kind === "product"),
    messages: rejectedRows.map(({ message }) => message),
  };
}

const headers = {
  Etsy: "TITLE,DESCRIPTION,PRICE,CURRENCY_CODE,QUANTITY,TAGS,MATERIALS,IMAGE1,IMAGE2,VARIATION 1 TYPE,VARIATION 1 NAME,SKU",
  BigCommerce: "Item,ID,Name,Type,SKU,Current Stock,Price,Sale Price,Categories,Description",
  Shopware: "id;parent_id;product_number;active;stock;name;description;price_net;price_gross;tax_rate;cover_url",
  OpenCart: "product_id,name(en-gb),categories,sku,quantity,model,manufacturer,image_name,price,status",
  PrestaShop: '"Product ID";"Image";"Name";"Reference";"Category";"Price (tax excl.)";"Quantity";"Status"',
  Magento: "sku,store_view_code,attribute_set_code,product_type,name,product_online,visibility,price,qty",
  Wix: "handle,fieldType,name,visible,plainDescription,media,price,inventory,sku",
  Ecwid: "type,product_internal_id,product_sku,product_name,product_price,product_quantity,product_is_available",
  "JTL-Wawi": "Artikelnummer;Artikelname;Beschreibung;Std. VK Brutto;Lagerbestand Gesamt;Hersteller",
  Lightspeed: "Internal_ID;Internal_Variant_ID;Visible;Brand;NL_Title_Short;Price;Stock_Level;SKU",
  Gambio: "XTSOL;p_id;p_model;p_stock;p_status;p_priceNoTax;p_name.de",
  Square: "Token,Item Name,Customer-facing Name,Variation Name,SKU,Description,Price,Archived",
};
const olderHeaders = {
  Shopware: "ordernumber;mainnumber;name;supplier;tax;price_EK;pseudoprice_EK;active;instock;configuratorOptions",
  Etsy: 'TITOLO,DESCRIZIONE,PREZZO,CURRENCY_CODE,QUANTITÀ,TAG,MATERIALI,IMMAGINE1,IMMAGINE10,"TIPO VARIANTE 1",SKU',
  Magento: "sku,_store,_attribute_set,_type,_category,name,price,qty,status",
  BigCommerce: "Product ID,Product Name,Product Code/SKU,Price,Current Stock Level,Product Visible?",
  "JTL-Wawi": "Artikelnummer;Artikelname;Brutto-VK;Netto-VK",
};
for (const [system, header] of [...Object.entries(headers), ...Object.entries(olderHeaders)])
  test(`an export of ${system} is rejected with the name of the system and the next step: ${header.slice(0, 12)}`, async () => {
    assert.deepEqual(await readTable(`${header}\n1\n`), {
      products: [],
      messages: [`is an export of ${system}, which is not read: export a Google Merchant Center feed there instead`],
    });
  });

test("a table of titles and prices is read as an export of Shopify", async () => {
  const { products, messages } = await readTable("Title,Price,Notes,,\nBig Mug,12.00,new,,\n");
  assert.deepEqual([products.map(({ handle }) => handle), messages], [["big-mug"], []]);
});

test("a table without a system keeps hidden products hidden, with stock and images", async () => {
  const table = `SKU;Title;Price;Qty;Image;Active
M;Mug;12,50;5;https://a.test/m.jpg;ja
C;Cup;9,00;0;https://a.test/c,1.jpg, https://a.test/d.jpg;nein
`;
  const { products, messages } = await readTable(table);
  assert.deepEqual(messages, []);
  assert.deepEqual(
    products.map(({ title, published, variants, images }) => [
      ...[title, published, variants[0]?.inventoryQuantity, variants[0]?.price],
      ...images.map(({ src }) => src),
    ]),
    [
      ["Mug", true, 5, 1250, "https://a.test/m.jpg"],
      ["Cup", false, 0, 900, "https://a.test/c,1.jpg", "https://a.test/d.jpg"],
    ],
  );
});

test("products that a file asks to delete or to ignore are not imported", async () => {
  const table = `Handle,Command,Title,Variant SKU,Variant Price
mug,MERGE,Mug,M,12.00
cup,DELETE,Cup,C,9.00
cup,,,C2,9.00
jar,ignore,Jar,J,7.00
`;
  const { products, messages } = await readTable(table);
  assert.deepEqual([products.map(({ handle }) => handle), messages], [["mug"], []]);
});

test("a column about hidden products that is not read rejects the table", async () => {
  for (const header of ["Title,Price,SKU,Hidden", "SKU,Name,Regular price,Visible", "Name;Cena;SKU;Aktywny"]) {
    const { products, messages } = await readTable(`${header}\na,1,b,1\n`);
    assert.deepEqual(products, []);
    assert.match(messages.join(), /^the column "(?:Hidden|Visible|Aktywny)" is not read, .*: name it Published/);
  }
});

test("a workbook that is named like a table is rejected", async () => {
  const oldWorkbook = new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, ...Array<number>(600).fill(0)]);
  for (const content of ["PK\u0003\u0004\u0014\n", oldWorkbook]) {
    const { messages } = await readTable(content);
    assert.deepEqual(messages, ["is a workbook or a zip file: save it as CSV, or unpack it"]);
  }
});

test("an export of WordPress and an answer of an API have one error with the next step", async () => {
  const item = "<item><title>Mug</title><wp:post_type>product</wp:post_type></item>";
  const wordPress = `<rss xmlns:wp="http://wordpress.org/export/1.2/"><channel>\n<wp:wxr_version>1.2</wp:wxr_version>${item}</channel></rss>`;
  assert.deepEqual(await readTable(wordPress, "export.xml"), {
    products: [],
    messages: ["is an export of WordPress, which is not read: export the products as CSV (Products, Export)"],
  });
  const answer = JSON.stringify({ products: [{ id: 1, handle: "mug", variants: [{ price: "9.00" }] }] });
  assert.deepEqual(await readTable(answer, "products.json"), {
    products: [],
    messages: ["is an answer of another system's API, not catalog rows: export the products there as CSV"],
  });
});
