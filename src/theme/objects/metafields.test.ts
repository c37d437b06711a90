import assert from "node:assert/strict";
import test from "node:test";
import { buildCatalog, buildProduct, openTheme } from "../example-shop.fixture.ts";

const rating = { type: "rating", value: { value: "4.5", scale_min: "1.0", scale_max: "5.0" } };
const similar = { type: "list.product_reference", value: ["boot", "gone"] };
const catalog = buildCatalog([
  buildProduct({ metafields: { reviews: { rating }, custom: { similar } } }),
  buildProduct({ id: "7", handle: "boot", title: "Boot" }),
]);

for (const [name, liquid, text] of [
  [
    "a rating has its value and scale, and prints its value",
    "{% assign rating = product.metafields.reviews.rating.value %}{{ rating }} {{ rating.rating | floor }} {{ rating.rating | modulo: 1 }} {{ rating.scale_min }} {{ rating.scale_max }}",
    "4.5 4 0.5 1.0 5.0",
  ],
  [
    "a metafield that names products returns those of the shop",
    "{% for product in product.metafields.custom.similar.value %}{{ product.title }};{% endfor %}",
    "Boot;",
  ],
] as const)
  test(name, async (t) => {
    const theme = await openTheme(t, { "sections/a.liquid": liquid });
    assert.equal(await theme.section("a", { target: "/products/tote", catalog }), text);
  });
