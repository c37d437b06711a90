import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { violations as violationsOn } from "../support/axe.ts";
import { sharedDemo } from "../support/browser.ts";
import { fillOrderForm } from "../support/checkout-page.ts";
import { until } from "../support/until.ts";

const demo = await sharedDemo();
/** Selects every rule of WCAG 2.2 AA, and other rules of serious or critical impact. */
const isCounted = `({ tags, impact }) => tags.some((tag) => /^wcag(2|21|22)aa?$/.test(tag)) || ["serious", "critical"].includes(impact)`;
const violations = (page: Page): Promise<readonly string[]> => violationsOn(page, [360, 1_440], { isCounted });

const pages = {
  index: "/",
  product: "/products/raincoat?variant=104",
  collection: "/collections/rainwear?filter.p.vendor=Ansty+Oilskins&filter.v.price.lte=100",
  "list-collections": "/collections",
  "search, found": "/search?q=rain",
  "search, not found": "/search?q=zzqqxx",
  "cart, empty": "/cart",
  page: "/pages/size-guide",
  blog: "/blogs/tide-notes",
  article: "/blogs/tide-notes/the-lantern-walk",
  bundle: "/bundles/sunday-mending-box",
  404: "/nowhere",
  "product, Japanese": "/ja/products/boot-socks",
  "index, Arabic": "/ar",
};

for (const [name, path] of Object.entries(pages)) {
  test(`axe finds no violation of WCAG 2.2 AA on the template ${name}: light and dark, 360 and 1440 px`, async () => {
    const { page, close } = await demo.open(path);
    assert.deepEqual(await violations(page), []);
    await close({ failures: [/404/] });
  });
}

test("axe finds no violation in suggestions, an empty result, an open filter, the drawer, the cart and the checkout", async () => {
  const { page, close } = await demo.open("/collections/rainwear");
  await page.locator("summary", { hasText: "Vendor" }).click();
  assert.deepEqual(await violations(page), [], "filter");
  const field = page.getByRole("combobox", { name: "Search the shop" });
  await field.fill("rai");
  await page.getByRole("option", { name: /^Raincoat/ }).waitFor();
  assert.deepEqual(await violations(page), [], "suggestions");
  await field.fill("zzqqxx");
  await page.getByText("No results for “zzqqxx”").waitFor();
  assert.deepEqual(await violations(page), [], "none found");
  await page.goto("/products/raincoat?variant=104");
  await page.locator("[data-current] .gallery__picture").click();
  await page.keyboard.press("+");
  assert.deepEqual(await violations(page), [], "a zoomed image");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Add to cart", exact: true }).first().click();
  const drawer = page.getByRole("dialog", { name: "Cart" });
  await drawer.getByText("$148.00").first().waitFor();
  assert.deepEqual(await violations(page), [], "drawer");
  await drawer.getByRole("button", { name: "Remove Raincoat" }).click();
  await drawer.getByRole("button", { name: "Undo" }).waitFor();
  assert.deepEqual(await violations(page), [], "empty drawer with a way back");
  await drawer.getByRole("button", { name: "Undo" }).click();
  await drawer.getByText("$148.00").first().waitFor();
  await page.goto("/cart");
  assert.deepEqual(await violations(page), [], "cart");
  await page.getByRole("link", { name: "Check out" }).click();
  await page.waitForURL("**/checkout/*");
  assert.deepEqual(await violations(page), [], "checkout");
  await close();
});

test("axe finds no violation on a checkout with errors, and on a new and a later order page", async () => {
  const { page, close } = await demo.open("/products/raincoat?variant=103");
  await page.getByRole("button", { name: "Add to cart", exact: true }).first().click();
  await page.locator("dialog[open] .line").waitFor();
  await page.goto("/checkout");
  await page.getByRole("button", { name: "Place order" }).click();
  await page.locator("[aria-invalid]").first().waitFor();
  assert.deepEqual(await violations(page), [], "errors of the form");
  await fillOrderForm(page, "97201");
  await page.getByRole("button", { name: "Place order" }).click();
  await page.waitForURL("**/orders/**");
  assert.deepEqual(await violations(page), [], "thanks");
  await page.goto(new URL(page.url()).pathname);
  assert.deepEqual(await violations(page), [], "order");
  await close({ failures: [/400/] });
});

test("the lines of a long checkout scroll by keyboard next to its form, without axe violations", async () => {
  const { page, close } = await demo.open("/", { viewport: { width: 1_280, height: 800 } });
  await page.evaluate(
    "import('/vitrine/vitrine.js').then(({ cart }) => cart.add([101, 102, 103, 105, 106, 107].map((id) => ({ id, quantity: 1 }))))",
  );
  await page.goto("/checkout");
  const sum = await page.locator(".checkout__sum").boundingBox();
  assert.ok(sum !== null && sum.height < 700, `the sum is ${sum?.height} px high`);
  const lines = page.getByRole("group", { name: "Order summary" });
  await lines.focus();
  await page.keyboard.press("End");
  await until(() => lines.evaluate((list) => list.scrollTop > 0));
  assert.deepEqual(await violations(page), []);
  await close();
});

test("axe finds no violation on the product in Arabic, with its suggestions and its drawer", async () => {
  const { page, close } = await demo.open("/ar/products/raincoat?variant=104");
  assert.deepEqual(await violations(page), [], "product");
  await page.getByRole("combobox").fill("معطف");
  await page.getByRole("option").first().waitFor();
  assert.deepEqual(await violations(page), [], "suggestions");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "أضف إلى السلة", exact: true }).first().click();
  await page.locator("dialog[open] .line").waitFor();
  assert.deepEqual(await violations(page), [], "drawer");
  await close();
});
