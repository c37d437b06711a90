import assert from "node:assert/strict";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import { product, type RowJson } from "../support/catalog.ts";
import { startShop } from "../support/shop.ts";

const numbered = Array.from({ length: 33 }, (_, index) =>
  product(1_000 + index, `peg-${index}`, `Peg ${index}`, [{ id: 2_000 + index, price: 50 }]),
);
const rows: readonly RowJson[] = [
  {
    ...product(1, "coat", "Coat", [
      { id: 11, price: 12_000, compare_at_price: 15_050, options: ["S"], sku: "C-S", image: "coat-s.png" },
      { id: 12, price: 12_005, options: ["M"], inventory_quantity: 0 },
    ]),
    options: ["Size"],
    tags: ["rain", "yellow"],
    created_at: "2024-05-01T10:00:00+02:00",
    published_at: "2024-05-02",
    updated_at: "2024-06-01T00:00:00Z",
    description: "<p>Dry.</p>",
    images: [
      { src: "/media/coat.png", alt: "A coat", width: 800, height: 600 },
      { src: "coat-s.png", width: 40, height: 50 },
    ],
    translations: { fr: { title: "Manteau" } },
  },
  product(2, "tote", "Tote", [{ id: 21, price: 1_999 }]),
  { ...product(3, "draft", "Draft", [{ id: 31, price: 1 }]), published: false },
  ...numbered,
  {
    kind: "collection",
    id: 50,
    handle: "rainwear",
    title: "Rainwear",
    description: "<p>For rain.</p>",
    products: ["coat", "draft"],
  },
  { kind: "collection", id: 51, handle: "everything", title: "Everything", products: ["coat", "tote"] },
  { kind: "collection", id: 52, handle: "hidden", title: "Hidden", products: ["tote"], published: false },
];
const shop = await startShop({ rows });
const client = shop.client();

type Json = Readonly<Record<string, unknown>>;
async function read<T = Json>(path: string): Promise<T> {
  const reply = await client.get(path);
  assert.equal(reply.status, 200, `${path}: ${reply.text}`);
  assert.match(String(reply.headers["content-type"]), /^application\/json/);
  return reply.json<T>();
}

test("a product's .json has decimal prices, body_html, and options and images as objects", async () => {
  const { product: coat } = await read<{ product: Json }>("/products/coat.json");
  assert.equal(coat.body_html, "<p>Dry.</p>");
  assert.equal(coat.tags, "rain, yellow");
  assert.deepEqual(coat.options, [{ product_id: 1, name: "Size", position: 1, values: ["S", "M"] }]);
  const [small, medium] = coat.variants as readonly Json[];
  assert.deepEqual(
    [small?.id, small?.product_id, small?.price, small?.compare_at_price, small?.option1, small?.image_id],
    [11, 1, "120.00", "150.50", "S", 2],
  );
  assert.deepEqual(
    [medium?.price, medium?.compare_at_price, medium?.available, medium?.position, medium?.image_id],
    ["120.05", null, false, 2, null],
  );
  const images = coat.images as readonly Json[];
  assert.deepEqual(images[0], {
    id: 1,
    product_id: 1,
    position: 1,
    src: `${shop.origin}/media/coat.png`,
    alt: "A coat",
    width: 800,
    height: 600,
    variant_ids: [],
  });
  assert.deepEqual(images[1]?.variant_ids, [11]);
  assert.deepEqual(coat.image, images[0]);
});

test("prices have the decimals of their currency", async () => {
  const yen = await startShop({ rows, config: { currency: "JPY" } });
  const reply = await yen.client().get("/products/coat.json");
  assert.equal(reply.json<{ product: { variants: [{ price: string }] } }>().product.variants[0].price, "12000");
});

test("a product's .json and .js exist below a collection and a language prefix", async () => {
  const { product: coat } = await read<{ product: Json }>("/fr/collections/rainwear/products/coat.json");
  assert.equal(coat.title, "Manteau");
  assert.equal((await read("/collections/rainwear/products/coat.js")).price, 12_000);
  assert.equal((await client.get("/collections/nowhere/products/coat.js")).status, 404);
});

test("/products.json lists published products, 30 per page by default, at most 250", async () => {
  const handles = async (query: string): Promise<readonly unknown[]> =>
    (await read<{ products: readonly Json[] }>(`/products.json${query}`)).products.map(({ handle }) => handle);
  const first = await handles("");
  assert.equal(first.length, 30);
  assert.deepEqual(await handles("?page=2"), ["peg-28", "peg-29", "peg-30", "peg-31", "peg-32"]);
  assert.deepEqual(await handles("?page=3"), []);
  assert.deepEqual(await handles("?limit=2&page=2"), ["peg-0", "peg-1"]);
  assert.equal((await handles("?limit=9999")).length, 35);
  for (const odd of ["?limit=-1&page=0", "?limit=two&page=x", "?limit=&page=", "?page=9e99"])
    assert.ok((await handles(odd)).length <= 30, odd);
});

test("a listed product has its tags as an array and the images of its variants", async () => {
  const { products } = await read<{ products: readonly Json[] }>("/products.json?limit=1");
  const [coat = {}] = products;
  assert.deepEqual(coat.tags, ["rain", "yellow"]);
  const [small = {}] = coat.variants as readonly Json[];
  assert.equal((small.featured_image as Json).src, `${shop.origin}/coat-s.png`);
});

test("a collection's products are in its order, 'all' lists every product, and unpublished ones are 404", async () => {
  const handles = async (path: string): Promise<readonly unknown[]> =>
    (await read<{ products: readonly Json[] }>(path)).products.map(({ handle }) => handle);
  assert.deepEqual(await handles("/collections/rainwear/products.json"), ["coat"]);
  assert.equal((await handles("/collections/all/products.json?limit=250")).length, 35);
  assert.equal((await client.get("/collections/hidden/products.json")).status, 404);
  assert.equal((await client.get("/products/draft.json")).status, 404);
});

test("/collections.json and a collection's .json contain the number of products", async () => {
  const { collections } = await read<{ collections: readonly Json[] }>("/collections.json");
  assert.deepEqual(
    collections.map(({ id, handle, products_count }) => [id, handle, products_count]),
    [
      [50, "rainwear", 1],
      [51, "everything", 2],
    ],
  );
  const { collection } = await read<{ collection: Json }>("/collections/rainwear.json");
  assert.deepEqual(
    [collection.title, collection.description, collection.body_html],
    ["Rainwear", "<p>For rain.</p>", "<p>For rain.</p>"],
  );
  assert.equal((await client.get("/collections/hidden.json")).status, 404);
});

test("/variants/<id> redirects to the variant on its product page, and its .js returns the variant", async () => {
  const reply = await client.get("/fr/variants/12");
  assert.deepEqual([reply.status, reply.headers.location], [302, "/fr/products/coat?variant=12"]);
  const variant = await read("/variants/12.js");
  assert.deepEqual([variant.id, variant.price, variant.title, variant.available], [12, 12_005, "M", false]);
  assert.equal((await client.get("/variants/31")).status, 404);
  assert.equal((await client.get("/variants/31.js")).status, 404);
});

test("/variants/<id>?section_id= renders the section with the variant selected", async () => {
  const themed = await startShop({
    rows,
    themeFiles: { "sections/chosen.liquid": "{{ product_variant.id }} {{ request.path }}" },
  });
  for (const path of ["/variants/12", "/variants/12/", "/fr/variants/12/"]) {
    const reply = await themed.client().get(`${path}?section_id=chosen`);
    const prefix = path.startsWith("/fr") ? "/fr" : "";
    assert.equal(reply.status, 200, path);
    assert.match(reply.text, new RegExp(`^<div id="store-section-chosen"[^>]*>12 ${prefix}/products/coat</div>$`));
  }
  const { chosen } = (await themed.client().get("/variants/12?sections=chosen")).json<Json>();
  assert.match(String(chosen), /12 \/products\/coat/);
  assert.equal((await themed.client().get("/variants/12?section_id=none")).status, 404);
  assert.equal((await themed.client().get("/variants/31?section_id=chosen")).status, 404);
});

test("the scripts /services/javascripts/currencies.js and countries.js define their globals", async () => {
  const scope: {
    Currency?: { rates: object; convert(amount: number, from: string, to: string): number };
    Countries?: Readonly<Record<string, { readonly provinces: readonly string[] }>>;
  } = {};
  for (const file of ["currencies.js", "countries.js"]) {
    const reply = await client.get(`/services/javascripts/${file}`);
    assert.match(String(reply.headers["content-type"]), /^text\/javascript/);
    runInNewContext(reply.text, scope);
  }
  assert.equal(scope.Currency?.convert(1_250, "USD", "USD"), 1_250);
  assert.deepEqual(Object.keys(scope.Currency?.rates ?? {}), ["USD"]);
  for (const name of ["Germany", "Allemagne"])
    assert.deepEqual(JSON.parse(JSON.stringify(scope.Countries?.[name])), { provinces: [], label: "Province" });
  for (const name of ["Japan", "Japon"]) assert.equal(scope.Countries?.[name]?.provinces[0], "Aichi");
  assert.equal((await client.get("/services/javascripts/other.js")).status, 404);
});

test("lists are cacheable and revalidated", async () => {
  const namedShop = await startShop({ rows, config: { origin: shop.origin } });
  const first = await namedShop.client().get("/products.json", { host: new URL(shop.origin).host });
  const etag = String(first.headers.etag);
  assert.match(etag, /^"/);
  assert.equal((await client.get("/products.json", { "if-none-match": etag })).status, 304);
});

test("a product's .js has image URLs, media, variant names, dates, and null for missing values", async () => {
  const coat = await read("/products/coat.js");
  assert.equal(coat.featured_image, "/media/coat.png");
  assert.deepEqual(coat.images, ["/media/coat.png", "coat-s.png"]);
  assert.partialDeepStrictEqual((coat.media as readonly Json[])[1], {
    media_type: "image",
    position: 2,
    src: "coat-s.png",
    preview_image: { width: 40, height: 50, aspect_ratio: 0.8 },
  });
  assert.deepEqual(
    [coat.created_at, coat.published_at, coat.updated_at],
    ["2024-05-01T10:00:00+02:00", "2024-05-02", "2024-06-01T00:00:00Z"],
  );
  const [small = {}, medium = {}] = coat.variants as readonly Json[];
  assert.partialDeepStrictEqual(small, {
    name: "Coat - S",
    public_title: "S",
    inventory_management: null,
    option2: null,
    featured_image: { src: "coat-s.png", position: 2, width: 40, height: 50 },
    featured_media: { position: 2, preview_image: { src: "coat-s.png" } },
  });
  assert.partialDeepStrictEqual(medium, { inventory_management: "shopify", featured_image: null, sku: null });
  const tote = await read("/products/tote.js");
  assert.deepEqual([tote.featured_image, tote.created_at, tote.images], [null, null, []]);
  const { product: decimal } = await read<{ product: Json }>("/products/coat.json");
  assert.equal(decimal.published_at, "2024-05-02");
});

test("`product | json` equals the product's .js, nulls included", async () => {
  const themed = await startShop({ rows, themeFiles: { "sections/context.liquid": "{{ product | json }}" } });
  for (const handle of ["coat", "tote"]) {
    const { text } = await themed.client().get(`/products/${handle}?section_id=context`);
    const written = JSON.parse(text.slice(text.indexOf(">") + 1, text.lastIndexOf("</div>"))) as Json;
    const json = (await themed.client().get(`/products/${handle}.js`)).json<Json>();
    for (const name of ["featured_image", "images", "created_at", "compare_at_price", "available", "tags"])
      assert.deepEqual(written[name], json[name], name);
    const [variant = {}] = written.variants as readonly Json[];
    assert.deepEqual([variant.sku, variant.option2], [(json.variants as readonly Json[])[0]?.sku, null]);
  }
});

test("a collection's feed has its products in its order, in the language of the path", async () => {
  const reply = await client.get("/fr/collections/rainwear.atom");
  assert.match(String(reply.headers["content-type"]), /^application\/atom\+xml/);
  assert.match(reply.text, /<title>[^<]* - Rainwear<\/title>/);
  assert.match(
    reply.text,
    /<entry><title>Manteau<\/title><id>[^<]*\/fr\/products\/coat<\/id>.*<published>2024-05-02T00:00:00\.000Z<\/published><updated>2024-06-01T00:00:00\.000Z<\/updated>.*<category term="rain"\/>.*<content type="html">&#60;p&#62;Dry/,
  );
  assert.equal((await client.get("/collections/all.atom")).text.split("<entry>").length - 1, 35);
  for (const path of ["/collections/hidden.atom", "/collections/none.atom"])
    assert.equal((await client.get(path)).status, 404, path);
});
