import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { type AxeOptions, violations } from "./axe.ts";

/** Asserts that a page passes every rule of axe and fits its widths in pixels. */
export async function assertAccessible(
  page: Page,
  {
    widths = [360, 1_440],
    ...options
  }: Pick<AxeOptions, "colorSchemes"> & { readonly widths?: readonly number[] } = {},
): Promise<void> {
  const also =
    "[document.documentElement.scrollWidth - innerWidth].filter((wide) => wide > 0).map((wide) => wide + ' px too wide')";
  assert.deepEqual(await violations(page, widths, { ...options, also }), []);
}

/** Presses Tab until an element with that name has a visible focus. */
export async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 90; presses += 1) {
    await page.keyboard.press("Tab");
    const [current, isSeen] = (await page.evaluate(
      "(() => { const at = document.activeElement; return [(at.getAttribute('aria-label') ?? at.labels?.[0]?.textContent ?? at.textContent ?? '').trim(), getComputedStyle(at).outlineStyle !== 'none'] })()",
    )) as [string, boolean];
    if (current !== name) continue;
    assert.ok(isSeen, `the focus on ${name} can be seen`);
    return;
  }
  assert.fail(`no Tab leads to ${name}`);
}

/** Presses Tab until the first element with that CSS selector has the focus. */
export async function tabToElement(page: Page, selector: string): Promise<void> {
  const target = page.locator(selector).first();
  for (let presses = 0; presses < 90; presses += 1) {
    if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`no Tab leads to ${selector}`);
}

/** Presses Enter, which opens a page. */
export async function openByEnter(page: Page): Promise<void> {
  await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
}

/** Presses Tab until an element with that name has the focus, and Enter, which opens a page. */
export async function press(page: Page, name: string, url: string): Promise<void> {
  await tabTo(page, name);
  await Promise.all([page.waitForURL(url), page.keyboard.press("Enter")]);
}

/** Presses Tab until a field with that label has the focus, and replaces its text. */
export async function type(page: Page, label: string, text: string): Promise<void> {
  await tabTo(page, label);
  await page.keyboard.press("Control+A");
  await page.keyboard.type(text);
}

/** Presses Tab until a checkbox or a summary with that label has the focus, and Space. */
export async function toggle(page: Page, label: string): Promise<void> {
  await tabTo(page, label);
  await page.keyboard.press("Space");
}

/** Signs in at a page, which has the same URL before and after. */
export async function signIn(page: Page, token: string): Promise<void> {
  await page.locator("#token:focus").waitFor();
  await page.keyboard.type(token);
  await Promise.all([page.waitForEvent("load"), page.keyboard.press("Enter")]);
  await page.locator("#token").waitFor({ state: "detached" });
}
