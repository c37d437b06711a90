import type { Locator, Page } from "playwright-core";
import type { Demo } from "./browser.ts";

export const drawer = (page: Page): Locator => page.getByRole("dialog", { name: "Cart" });

/** Returns the quantity field of the raincoat in the drawer or on a page. */
export const quantity = (place: Locator): Locator => place.getByRole("spinbutton", { name: "Quantity for Raincoat" });

export async function waitForTotal(place: Locator, amount: string): Promise<void> {
  await place.locator(".totals__total dd").filter({ hasText: amount }).first().waitFor();
}

/**
 * Opens a page with the raincoat (148.00) in the cart and the drawer open.
 * @param script script of the page that runs before the raincoat is added
 */
export async function addRaincoat(demo: Demo, script = ""): ReturnType<Demo["open"]> {
  const visit = await demo.open("/products/raincoat");
  await visit.page.evaluate(script);
  await visit.page.getByRole("button", { name: "Add to cart", exact: true }).first().click();
  await waitForTotal(drawer(visit.page), "$148.00");
  return visit;
}
