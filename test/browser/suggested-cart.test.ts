import assert from "node:assert/strict";
import { test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { sharedDemo } from "../support/browser.ts";

const demo = await sharedDemo();

const words = {
  en: "1 in your cart",
  fr: "1 dans votre panier",
  ja: "カートに1点",
  ar: "في سلتك: 1",
};

const field = (page: Page): Locator => page.locator("predictive-search input[name=q]");
const option = (page: Page): Locator => page.locator("a.suggestion--product").filter({ hasText: "Rain Gauge" });

for (const [locale, inCart] of Object.entries(words))
  test(`a suggested product is added by keyboard and marked as in the cart, in ${locale}`, async () => {
    const { page, close } = await demo.open(locale === "en" ? "/" : `/${locale}`);
    await field(page).pressSequentially("rain gauge");
    const row = page.locator(".suggestion-row").filter({ has: page.locator('a[href*="/products/rain-gauge"]') });
    await row.waitFor();
    const before = await row.boundingBox();
    const link = row.locator("a");
    while ((await link.getAttribute("aria-selected")) !== "true") await page.keyboard.press("ArrowDown");
    await page.keyboard.press(locale === "ar" ? "ArrowLeft" : "ArrowRight");
    const add = row.locator("[data-add]");
    assert.equal(await field(page).getAttribute("aria-activedescendant"), await add.getAttribute("id"));
    await page.keyboard.press("Enter");
    await link.getByText(inCart).waitFor();
    assert.deepEqual(await row.boundingBox(), before, "nothing moves");
    assert.equal(await page.evaluate("document.activeElement.name"), "q");
    await close();
  });

test("a product that reaches free shipping shows it until shipping is free", async () => {
  const { page, close } = await demo.open("/products/raincoat");
  await page.getByRole("button", { name: "Add to cart", exact: true }).first().click();
  await page.getByRole("dialog", { name: "Cart" }).getByText("$148.00").first().waitFor();
  await page.keyboard.press("Escape");
  await field(page).pressSequentially("rain gauge");
  await option(page).getByText("Qualifies for free shipping").waitFor();
  await page.getByRole("option", { name: /^Add Rain Gauge/ }).click();
  await option(page).getByText("1 in your cart", { exact: true }).waitFor();
  await close();
});

test("without a cart only suggestions are requested", async () => {
  const { page, close } = await demo.open("/");
  const paths: string[] = [];
  page.on("request", (request) => paths.push(new URL(request.url()).pathname));
  await field(page).pressSequentially("rain gauge");
  await option(page).waitFor();
  assert.ok(!paths.includes("/search/suggest/cart.json"));
  await close();
});
