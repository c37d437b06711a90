import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { sharedDemo } from "../support/browser.ts";

const demo = await sharedDemo();

/** Returns the role and accessible name of the focused element. */
async function focused(page: Page): Promise<string> {
  return (await page.evaluate(
    "(() => { const at = document.activeElement; return (at.getAttribute('aria-label') ?? at.labels?.[0]?.textContent ?? at.textContent ?? '').trim() })()",
  )) as string;
}

/** Presses Tab until an element with that name has a visible focus. */
async function tabTo(page: Page, name: string | RegExp, key = "Tab"): Promise<void> {
  const visited: string[] = [];
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press(key);
    const current = await focused(page);
    visited.push(current);
    if (typeof name === "string" ? current === name : name.test(current)) {
      const outline = (await page.evaluate(
        "(() => { const at = document.activeElement; const drawn = [at, at.nextElementSibling].filter(Boolean).map((one) => getComputedStyle(one).outlineStyle); return drawn.some((style) => style !== 'none') || getComputedStyle(at, '::after').outlineStyle !== 'none' })()",
      )) as boolean;
      assert.ok(outline, `the focus on ${current} is visible`);
      return;
    }
  }
  assert.fail(`no Tab leads to ${name}: ${visited.join(" | ")}`);
}

test("a purchase by keyboard only: search, select, add, change, apply a code, check out", async () => {
  const { page, close } = await demo.open("/");
  await tabTo(page, "Skip to content");
  await tabTo(page, "Search the shop");
  await page.keyboard.type("rai");
  await page.getByRole("option", { name: /^Raincoat/ }).waitFor();
  for (let presses = 0; presses < 12; presses += 1) {
    await page.keyboard.press("ArrowDown");
    const id = await page.getByRole("combobox").getAttribute("aria-activedescendant");
    const text = id === null ? "" : await page.locator(`#${id}`).innerText();
    if (text.startsWith("Raincoat")) break;
  }
  await Promise.all([page.waitForURL("**/products/raincoat**"), page.keyboard.press("Enter")]);

  await tabTo(page, "S");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await tabTo(page, "Yellow");
  await page.keyboard.press("ArrowRight");
  await page.waitForURL("**variant=106**");
  await tabTo(page, "Add to cart");
  await page.keyboard.press("Enter");

  const drawer = page.getByRole("dialog", { name: "Cart" });
  await drawer.getByText("L / Navy").waitFor();
  await drawer.locator(".totals__total dd").filter({ hasText: "$148.00" }).waitFor();
  await tabTo(page, "Increase quantity for Raincoat - L / Navy");
  await page.keyboard.press("Enter");
  await drawer.locator(".totals__total dd").filter({ hasText: "$296.00" }).waitFor();
  assert.equal(await focused(page), "Increase quantity for Raincoat - L / Navy", "the focus outlives the new lines");
  await tabTo(page, "Discount code or gift card");
  await page.keyboard.press("Enter");
  await tabTo(page, "Discount code");
  await page.keyboard.type("HARBOUR10");
  await page.keyboard.press("Enter");
  await drawer.locator(".totals__total dd").filter({ hasText: "$266.40" }).waitFor();
  await tabTo(page, "Check out");
  await Promise.all([page.waitForURL("**/checkout/*"), page.keyboard.press("Enter")]);
  assert.match(await page.locator("main").innerText(), /L \/ Navy[\s\S]*\$266\.40/);
  await close();
});

test("the drawer traps the focus, offers undo after a removal and restores the focus", async () => {
  const { page, close } = await demo.open("/products/rain-gauge");
  await page.getByRole("button", { name: "Add to cart", exact: true }).first().focus();
  await page.keyboard.press("Enter");
  const drawer = page.getByRole("dialog", { name: "Cart" });
  await drawer.getByText("$36.00").first().waitFor();
  for (let presses = 0; presses < 15; presses += 1) {
    await page.keyboard.press("Tab");
    const isInside = (await page.evaluate(
      "document.activeElement === document.body || document.activeElement.closest('dialog') !== null",
    )) as boolean;
    assert.ok(isInside, await focused(page));
  }
  await tabTo(page, "Remove Rain Gauge");
  await page.keyboard.press("Enter");
  await drawer.getByText("Your cart is empty").waitFor();
  await drawer.locator("[data-undo-button]:focus").waitFor();
  // An event about the same revision, such as a late one, renders the sections again.
  await page.evaluate("import('/vitrine/vitrine.js').then(({ cart }) => cart.refresh())");
  await drawer.locator("[data-undo-button]:focus").waitFor();
  await page.keyboard.press("Enter");
  await drawer.getByText("$36.00").first().waitFor();
  await page.keyboard.press("Escape");
  await drawer.waitFor({ state: "hidden" });
  assert.equal(await focused(page), "Add to cart");
  await close();
});

test("filters open, close and apply by keyboard, and preserve the focus", async () => {
  const { page, close } = await demo.open("/collections/rainwear");
  await tabTo(page, "Vendor");
  await page.keyboard.press("Enter");
  await tabTo(page, /^Cobb Shoemakers/);
  await page.keyboard.press("Space");
  await page.locator("[data-count]").getByText("1 of 12 products").waitFor();
  await page.waitForFunction("document.activeElement?.value === 'Cobb Shoemakers'");
  await page.keyboard.press("Escape");
  assert.match(await focused(page), /^Vendor/);
  await close();
});
