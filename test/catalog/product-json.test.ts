import assert from "node:assert/strict";
import { test } from "node:test";
import { product } from "../support/catalog.ts";
import { startShop } from "../support/shop.ts";

const redAndBlue = {
  ...product(4, "cap", "Cap", [
    { id: 41, price: 1, options: ["S", "Red"], image: "red.png" },
    {
      id: 42,
      price: 1,
      options: ["S", "Blue"],
      unit_price_measure: { quantity: { value: 2, unit: "kg" }, reference: { value: 1, unit: "kg" } },
    },
    { id: 43, price: 1, options: ["M", "Red"], image: "red.png" },
  ]),
  options: ["Size", "Colour"],
  images: [{ src: "red.png" }],
};
const numbers = Array.from({ length: 251 }, (_, index) => ({
  id: 5_000 + index,
  price: 1,
  options: [String(index)],
  image: "pin.png",
}));
const manyVariants = { ...product(5, "pin", "Pin", numbers), options: ["Number"], images: [{ src: "pin.png" }] };
const shop = await startShop({
  rows: [redAndBlue, manyVariants],
  themeFiles: {
    "sections/context.liquid": "{{ product | json }}",
    "sections/images.liquid":
      "{{ product.variants.first.featured_image | json }} {{ product.variants | map: 'featured_image' | json }}",
  },
});
const client = shop.client();

type Json = Readonly<Record<string, unknown>>;

test("variants and products in .js and `json` have the fields of subscriptions, all empty", async () => {
  for (const cap of await readProduct("cap")) {
    assert.partialDeepStrictEqual(cap, { requires_selling_plan: false, selling_plan_groups: [] });
    for (const variant of cap.variants as readonly Json[])
      assert.partialDeepStrictEqual(variant, { requires_selling_plan: false, selling_plan_allocations: [] });
  }
  assert.deepEqual((await client.get("/variants/41.js")).json<Json>().selling_plan_allocations, []);
});

test("only variants with a unit price have the fields of unit prices in .js and `json`", async () => {
  for (const cap of await readProduct("cap"))
    assert.deepEqual(
      (cap.variants as readonly Json[]).map((variant) => Object.keys(variant).filter((name) => /^unit/.test(name))),
      [[], ["unit_price", "unit_price_measurement"], []],
    );
});

test("the image of a variant in .js and `json` has the ids of the variants that show it", async () => {
  for (const cap of await readProduct("cap")) assert.deepEqual(listImageIds(cap), [[41, 43], undefined, [41, 43]]);
});

test("`json` writes the image of a variant as a URL if the variant is not written", async () => {
  assert.equal(await renderSection("cap", "images"), '"red.png" ["red.png",null,"red.png"]');
});

test("the image of one of more than 250 variants has only the id of that variant", async () => {
  for (const pin of await readProduct("pin")) assert.deepEqual(listImageIds(pin).slice(0, 2), [[5_000], [5_001]]);
});

/** Returns a product as in `/products/<handle>.js`, and as the filter `json` writes it. */
async function readProduct(handle: string): Promise<readonly Json[]> {
  const script = await client.get(`/products/${handle}.js`);
  return [script.json<Json>(), JSON.parse(await renderSection(handle, "context")) as Json];
}

async function renderSection(handle: string, id: string): Promise<string> {
  const { text } = await client.get(`/products/${handle}?section_id=${id}`);
  return text.slice(text.indexOf(">") + 1, text.lastIndexOf("</div>"));
}

function listImageIds({ variants }: Json): readonly unknown[] {
  return (variants as readonly Json[]).map(({ featured_image }) => (featured_image as Json | null)?.variant_ids);
}
