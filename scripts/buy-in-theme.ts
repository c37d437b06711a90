// The steps of a purchase in a theme made for Shopify, whose buttons differ from theme to theme.

import type { BrowserContext, Locator, Page } from "playwright-core";
import { fillOrderForm } from "../test/support/checkout-page.ts";

/** A window of a visitor. */
export interface Visit {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Errors since the last call. */
  takeErrors(): string[];
}

/** Saves a screenshot under a name. */
export type Shoot = (name: string) => Promise<unknown>;

/** Buys a coat. Returns the steps that worked, as letters or words, and the errors. */
export async function buy({ page, takeErrors }: Visit, shoot: Shoot): Promise<string[]> {
  const steps: string[] = [];
  try {
    await page.goto("/products/raincoat", { waitUntil: "load" });
    await page.waitForLoadState("networkidle", { timeout: 5_000 }).catch(() => {});
    await shoot("product");
    const inForm = "form[action*='/cart/add']";
    const notDirect = ":not([name=return_to])";
    const add =
      (await firstVisible(page.locator(`${inForm} [name=add]`))) ??
      (await firstVisible(page.locator(`${inForm} [type=submit]${notDirect}`))) ??
      (await firstVisible(page.locator(`${inForm} button:not([type=button])${notDirect}`))) ??
      (await firstVisible(page.locator("button[form]", { hasText: /add to/i }))) ??
      (await firstVisible(page.locator("form[action*='/cart/add'] button, [class*=add-to-cart]", { hasText: /add/i })));
    if (add === undefined) return [...steps, "no button adds to the cart"];
    const covered = await press(add);
    let items = 0;
    for (let times = 0; items === 0 && times < 40; times += 1) {
      await page.waitForTimeout(500);
      items = await count(page).catch(() => 0);
    }
    await shoot("added");
    if (items === 0) return [...steps, "the item did not reach the cart", ...takeErrors()];
    steps.push(`A${covered}`);
    await page.goto("/cart", { waitUntil: "load" });
    await page.waitForLoadState("networkidle", { timeout: 5_000 }).catch(() => {});
    await shoot("cart");
    if (!/Raincoat/i.test(await page.locator("body").innerText())) steps.push("the cart page does not show the item");
    const consent = "input[type=checkbox]:is([name*=agree i], [id*=agree i], [name*=terms i], [name*=conditions i])";
    // Labels often replace the boxes, which are then invisible.
    for (const box of await page.locator(consent).all()) if (!(await box.isChecked())) await box.dispatchEvent("click");
    const pay = `:is([name=checkout], a[href*="/checkout"], form[action*="/checkout"] [type=submit], [onclick*="submit()"])`;
    const checkout =
      (await firstVisible(page.locator(`:is(main, #main, #MainContent, [role=main]) ${pay}`))) ??
      (await firstVisible(page.locator(pay)));
    const coveredCheckout = checkout === undefined ? "" : await press(checkout);
    const isReached =
      checkout !== undefined &&
      (await page.waitForURL(/\/checkout\//).then(
        () => true,
        () => false,
      ));
    steps.push(isReached ? `C${coveredCheckout}` : "no button leads to the checkout");
    if (!isReached) await page.goto("/checkout");
    await shoot("checkout");
    await fillOrderForm(page, "20457");
    const order = page.getByRole("button", { name: "Place order" });
    await press(order);
    await page.waitForURL(/\/orders\//).finally(() => shoot("thanks"));
    const text = await page.locator("body").innerText();
    steps.push(/#10\d\d[\s\S]*Raincoat/i.test(text) ? "thank-you" : "the thank-you page lacks the order");
  } catch (error) {
    steps.push(`${String(error).split("\n")[0]} at ${page.url()}`);
  }
  return [...steps, ...takeErrors()];
}

async function firstVisible(locator: Locator): Promise<Locator | undefined> {
  for (const element of await locator.all())
    if ((await element.isVisible()) && (await element.isEnabled())) return element;
  return undefined;
}

async function press(element: Locator): Promise<string> {
  try {
    await element.click({ timeout: 5_000 });
    return "";
  } catch {
    await element.dispatchEvent("click");
    return " (covered)";
  }
}

async function count(page: Page): Promise<number> {
  return Number(await page.evaluate("fetch('/cart.js').then((r) => r.json()).then((cart) => cart.item_count)"));
}
