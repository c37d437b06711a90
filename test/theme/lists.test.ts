// Lists and choices that the default theme builds itself.
import assert from "node:assert/strict";
import { test } from "node:test";
import { product, type RowJson } from "../support/catalog.ts";
import { startShop } from "../support/shop.ts";

const coat = product(1, "coat", "Coat", [{ id: 11, price: 9_000, options: ["Navy", "M"] }]);
const rows: readonly RowJson[] = [
  {
    ...coat,
    options: ["Color", "Size", "Fit"],
    variants: [
      { id: 11, price: 9_000, options: ["Navy", "M", "Regular"] },
      { id: 12, price: 9_500, options: ["Plaid", "M", "Regular"] },
    ],
    images: [{ src: "/media/coat.jpg", width: 800, height: 1_200 }],
  },
  { ...product(2, "hat", "Hat", [{ id: 21, price: 1_000 }]), images: [{ src: "https://cdn.example/hat.jpg" }] },
  {
    ...product(3, "cape", "Cape", [{ id: 31, price: 5_000 }]),
    images: [{ src: "/media/cape.jpg", width: 800, height: 1_200 }],
  },
  { kind: "collection", id: 1, handle: "empty", title: "Empty shelf", products: [] },
  { kind: "collection", id: 2, handle: "coats", title: "Coats", products: ["coat"] },
  { kind: "collection", id: 3, handle: "hats", title: "Hats", products: ["hat"] },
  { kind: "collection", id: 4, handle: "outerwear", title: "Outerwear", products: ["coat", "cape"] },
  { kind: "page", id: 1, handle: "about", title: "About us", content: "<p>We.</p>" },
  { kind: "page", id: 2, handle: "legal-notice", title: "Legal notice", content: "<p>Coats Ltd.</p>" },
  { kind: "page", id: 4, handle: "shipping-policy", title: "Shipping", content: "<p>By mail.</p>" },
  { kind: "page", id: 3, handle: "contact-information", title: "Contact", content: "<p>Write.</p>" },
];

const client = (await startShop({ rows, hasTheme: false, config: { tax: { rates: { DE: 19 } } } })).client();
const get = async (path: string): Promise<string> => (await client.get(path)).text;

test("menus and lists of collections contain no empty collection", async () => {
  for (const path of ["/", "/collections", "/search", "/nowhere"]) {
    const page = await get(path);
    assert.doesNotMatch(page, /Empty shelf/, path);
    assert.match(page, /\/collections\/hats/, path);
  }
});

test("collections whose first product is the same have different images", async () => {
  const page = await get("/collections");
  for (const image of ["coat", "cape"])
    assert.equal(page.match(RegExp(`<img\\s+src="/media/${image}.jpg`, "g"))?.length, 1);
  const [, hero = ""] = /<ul class="hero__pictures([\s\S]*?)<\/ul>/.exec(await get("/")) ?? [];
  assert.equal(hero.match(/<img\s+src="\/media\/coat.jpg/g)?.length, 1);
});

test("the footer has the policies once, below the menu", async () => {
  const [, footer = ""] = /<footer class="footer">([\s\S]*)<\/footer>/.exec(await get("/")) ?? [];
  const [menu = "", policies = ""] = footer.split('class="footer__policies"');
  assert.match(menu, /\/pages\/about"/);
  assert.doesNotMatch(menu, /legal-notice|contact-information/);
  assert.match(policies, /\/pages\/legal-notice"><bdi>Legal notice<.*\/pages\/contact-information"><bdi>Contact</);
  assert.equal((await client.get("/policies/legal-notice")).headers.location, "/pages/legal-notice");
});

test("the price of a product has notes about the tax in it and about shipping", async () => {
  assert.match(
    await get("/products/coat"),
    /<p class="hint">Tax included · <a href="\/pages\/shipping-policy">Shipping calculated at checkout<\/a><\/p>/,
  );
});

test("an option with one value is a text, and colors have swatches", async () => {
  const page = await get("/products/coat");
  assert.equal(page.match(/<fieldset class="choices"/g)?.length, 1);
  assert.match(page, /<span class="option__name">Size<\/span> <bdi>M<\/bdi>/);
  assert.match(page, /<svg class="swatch"[^>]*><path fill="#[0-9a-f]+"[^>]*><\/svg>\s*<bdi>Navy</);
  assert.match(page, /<span><bdi>Plaid</, "without a known color");
});

test("cards omit a vendor that all products have, and name the variant that a search names", async () => {
  assert.doesNotMatch(await get("/collections/coats"), /class="card__vendor"/);
  const found = await get("/search?q=coat+plaid");
  assert.match(found, /\?variant=12"[^>]*><bdi>Coat<.*<p class="card__vendor"><bdi>Plaid \/ M \/ Regular<.*\$95\.00/s);
});

test("an image without a known size has a frame, so that the page does not move while it loads", async () => {
  assert.match(await get("/collections/hats"), /<article class="[^"]*shape-natural">.*<img[^>]* data-unsized/s);
  assert.match(await get("/collections/coats"), /<img(?![^>]* data-unsized)[^>]* width="800"\s+height="1200"/);
  assert.match(await get("/products/coat"), /<product-gallery\s+class="gallery shape-tall\s*"/);
});

test("a product page lists the prices by quantity of automatic discounts", async () => {
  const breaks = [
    { quantity: 10, value: 10 },
    { quantity: 50, value: 25 },
  ];
  const bulkPrice = { kind: "discount", title: "Bulk", value_type: "percentage", products: ["hat"] };
  const bulkShop = await startShop({ rows: [...rows, { ...bulkPrice, quantity_breaks: breaks }], hasTheme: false });
  const hat = (await bulkShop.client().get("/products/hat")).text;
  assert.match(hat, /<bdi>10\+<\/bdi> \$9\.00 each<\/span>\s*<span[^>]*><bdi>50\+<\/bdi> \$7\.50 each<\/span>/);
  assert.doesNotMatch((await bulkShop.client().get("/products/cape")).text, /\+<\/bdi>/);
});
