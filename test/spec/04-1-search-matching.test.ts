import assert from "node:assert/strict";
import { test } from "node:test";
import { product, type RowJson } from "../support/catalog.ts";
import type { SuggestJson } from "../support/replies.ts";
import { startShop } from "../support/shop.ts";

const one = (id: number): readonly Readonly<Record<string, unknown>>[] => [{ id, price: 100 }];
const rows: readonly RowJson[] = [
  product(1, "tshirt", "Striped T-Shirt", one(11)),
  product(2, "cafe", "Café Crème Mug", one(21)),
  { ...product(3, "kettle", "Kettle", one(31)), tags: ["striped"] },
  product(4, "oil", "Ölzeug", one(41)),
  product(5, "camera", "Camera 5000", one(51)),
  product(6, "binoculars", "Binoculars", [{ id: 61, price: 100, sku: "NOR.0707-60", barcode: "7350053850019" }]),
  product(7, "sofa", "Corner Sofa", one(71)),
  product(8, "sold-lamp", "Lamp Lamp Lamp", [{ id: 81, price: 100, inventory_quantity: 0 }]),
  product(9, "lamp", "Desk Lamp", [{ id: 91, price: 100, inventory_quantity: 2 }]),
  product(10, "raincoat-ja", "港のレインコート", one(1001)),
  product(11, "korean", "방수 재킷", one(1101)),
  product(12, "thai", "เสื้อกันฝน", one(1201)),
  product(13, "chinese", "防水外套", one(1301)),
  {
    ...product(14, "shirt", "Shirt", [{ id: 1401, price: 100, title: "Cobalt", options: ["Cobalt"] }]),
    options: ["Colour"],
  },
  { ...product(15, "anchor", "Anchor", one(1501)), description: "<p>Galvanised forever</p>", vendor: "Ferrum" },
  product(16, "encyclopedia", "Encyclopedia", one(1601)),
  {
    ...product(17, "ramekin", "Ramekin", one(1701)),
    description:
      "<Script>gibberish()</SCRIPT><p>A ramekin for cr&egrave;me br&ucirc;l&eacute;e; don&rsquo;t drop it.</p>",
  },
];

const shop = await startShop({ rows, config: { search: { synonyms: [["sofa", "couch"]], typoTolerance: true } } });
const client = shop.client();

async function handles(q: string, more = ""): Promise<readonly string[]> {
  const path = `/search/suggest.json?q=${encodeURIComponent(q)}&resources[type]=product${more}`;
  const reply = await client.get(path);
  assert.equal(reply.status, 200, reply.text);
  return reply.json<SuggestJson>().resources.results.products.map(({ handle }) => handle);
}

const finds: readonly (readonly [string, string, string])[] = [
  ["the last word as a prefix", "strip", "tshirt"],
  ["earlier words in full", "striped t", "tshirt"],
  ["earlier words as prefixes if no full word matches", "stri shirt", "tshirt"],
  ["a word misspelled by one edit from 4 letters", "ketle", "kettle"],
  ["two swapped letters as one edit", "lmap", "lamp"],
  ["a word misspelled by two edits from 8 letters", "encyklopdia", "encyclopedia"],
  ["without accents", "cafe creme", "cafe"],
  ["with accents that the title lacks", "kéttle", "kettle"],
  ["in any case", "KETTLE", "kettle"],
  ["in full width", "ｋｅｔｔｌｅ", "kettle"],
  ["with an umlaut written as a plain letter", "olzeug", "oil"],
  ["t-shirt", "t-shirt", "tshirt"],
  ["tshirt", "tshirt", "tshirt"],
  ["t shirt", "t shirt", "tshirt"],
  ["a SKU as stored", "NOR.0707-60", "binoculars"],
  ["a SKU without punctuation", "nor070760", "binoculars"],
  ["a SKU by its prefix", "NOR.07", "binoculars"],
  ["a barcode", "7350053850019", "binoculars"],
  ["a barcode by its prefix", "73500538", "binoculars"],
  ["Japanese without spaces", "レインコート", "raincoat-ja"],
  ["Chinese without spaces", "外套", "chinese"],
  ["Korean without spaces", "방수재킷", "korean"],
  ["Thai without spaces", "กันฝน", "thai"],
  ["a vendor", "ferrum", "anchor"],
  ["an option value", "cobalt", "shirt"],
  ["a description", "galvanised", "anchor"],
  ["a tag", "striped kett", "kettle"],
  ["a synonym", "couch", "sofa"],
  ["words of a description that contain entities", "brûlée", "ramekin"],
  ["a description after a script tag in mixed case", "drop", "ramekin"],
];
for (const [what, q, handle] of finds) {
  test(`4.1 search finds ${what}: "${q}"`, async () => {
    assert.ok((await handles(q)).includes(handle), `${q}: ${await handles(q)}`);
  });
}

const misses: readonly (readonly [string, string, string])[] = [
  ["misspelled digits", "5001", "camera"],
  ["a misspelled word of three letters", "mgu", "cafe"],
  ["two edits in a short word", "kxtxle", "kettle"],
  ["HTML tags", "<p>", "anchor"],
  ["entity names", "rsquo", "ramekin"],
  ["scripts", "gibberish", "ramekin"],
];
for (const [what, q, handle] of misses) {
  test(`4.1 search does not find ${what}: "${q}"`, async () => {
    assert.ok(!(await handles(q)).includes(handle));
  });
}

test("4.1 search: a title match ranks above a tag match", async () => {
  assert.deepEqual(await handles("striped"), ["tshirt", "kettle"]);
});

test("4.1 search: an out-of-stock product ranks below those in stock", async () => {
  assert.deepEqual(await handles("lamp"), ["lamp", "sold-lamp"]);
});

test("4.1 resources[options][unavailable_products]: last, show and hide", async () => {
  assert.deepEqual(await handles("lamp", "&resources[options][unavailable_products]=last"), ["lamp", "sold-lamp"]);
  assert.deepEqual(await handles("lamp", "&resources[options][unavailable_products]=hide"), ["lamp"]);
  const shown = await handles("lamp", "&resources[options][unavailable_products]=show");
  assert.deepEqual([...shown].sort(), ["lamp", "sold-lamp"]);
});

const fields: readonly (readonly [string, string, string])[] = [
  ["title", "anchor", "anchor"],
  ["vendor", "ferrum", "anchor"],
  ["tag", "striped", "kettle"],
  ["variants.sku", "NOR.0707-60", "binoculars"],
  ["variants.barcode", "7350053850019", "binoculars"],
  ["variants.title", "cobalt", "shirt"],
  ["body", "galvanised", "anchor"],
];
for (const [field, q, handle] of fields) {
  test(`4.1 resources[options][fields]=${field} restricts the search to that field`, async () => {
    assert.ok((await handles(q, `&resources[options][fields]=${field}`)).includes(handle));
    const other = field === "title" ? "vendor" : "title";
    assert.ok(!(await handles(q, `&resources[options][fields]=${other}`)).includes(handle));
  });
}

test("4.1 resources[options][fields]=body finds a word that is also in the title", async () => {
  assert.deepEqual(await handles("ramekin", "&resources[options][fields]=body"), ["ramekin"]);
  assert.deepEqual(await handles("anchor", "&resources[options][fields]=body"), []);
});

test("4.1 search: further typing narrows the results, and dropped results do not return", async () => {
  const word = "encyclopedia";
  let before: readonly string[] | undefined;
  for (let length = 1; length <= word.length; length += 1) {
    const now = await handles(word.slice(0, length), "&resources[limit]=10");
    if (before !== undefined && before.length < 10) {
      for (const handle of now) assert.ok(before.includes(handle), `${word.slice(0, length)} adds ${handle}`);
    }
    before = now;
  }
  assert.deepEqual(before, ["encyclopedia"]);
});
