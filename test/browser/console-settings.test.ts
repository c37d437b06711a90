import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { sharedDemo } from "../support/browser.ts";
import { createApiToken } from "../support/command.ts";
import { assertAccessible, press, signIn, tabTo } from "../support/keyboard.ts";

const demo = await sharedDemo();

async function type(page: Page, label: string, text: string): Promise<void> {
  await tabTo(page, label);
  await page.keyboard.press("Control+A");
  await page.keyboard.type(text);
}

test("by keyboard: the settings of each section are changed, and errors are shown at their fields", async (t) => {
  const file = join(demo.storeDir, "vitrine.config.ts");
  const before = await readFile(file, "utf8");
  t.after(() => writeFile(file, before));
  const token = await createApiToken({ storeDir: demo.storeDir, env: {} }, "console", "settings:write");
  const { page, close } = await demo.open("/admin/settings");
  await signIn(page, token);
  await assertAccessible(page);
  const openSection = async (id: string, title: string): Promise<void> => {
    await page.goto("/admin/settings");
    await tabTo(page, title);
    await page.keyboard.press("Enter");
    await page.waitForURL(`**#${id}`);
  };
  const save = async (id: string): Promise<void> => {
    await Promise.all([page.waitForURL(`**done=${id}**`), page.keyboard.press("Enter")]);
    await page.locator(`#${id}`).getByRole("status").filter({ hasText: "Changes saved." }).waitFor();
  };
  await openSection("shop", "Name and address");
  await type(page, "Phone", "040 1234");
  await save("shop");
  await openSection("shipping", "Shipping");
  await type(page, "Price (USD)", "6.50");
  await page.locator("#shipping-countries summary").focus();
  await page.keyboard.press("Enter");
  await tabTo(page, "Austria");
  await page.keyboard.press("Space");
  await assertAccessible(page);
  await save("shipping");
  await openSection("payment", "Payment");
  await tabTo(page, "Ask business customers for their VAT ID");
  await page.keyboard.press("Space");
  await save("payment");
  await openSection("tax", "Tax");
  await type(page, "Tax rates by country in percent, such as DE: 19, AT: 20", "DE: 19");
  await save("tax");
  await openSection("invoices", "Invoices");
  await type(page, "IBAN", "DE00");
  await Promise.all([page.waitForEvent("load"), page.keyboard.press("Enter")]);
  await page.locator("#invoices-iban[aria-invalid=true]").waitFor();
  await assertAccessible(page);
  await openSection("email", "Email");
  await type(page, "Sender", "shop@shop.example");
  await save("email");
  await openSection("domain", "Domain");
  await type(page, "URL of the shop", "https://shop.example/path");
  await Promise.all([page.waitForEvent("load"), page.keyboard.press("Enter")]);
  await page.locator("#origin[aria-invalid=true]").waitFor();
  const changed = await readFile(file, "utf8");
  for (const text of [
    'phone: "040 1234"',
    "price: 650",
    '"AT"',
    "vatId: true",
    "rates: { DE: 19 }",
    "shop@shop.example",
  ])
    assert.ok(changed.includes(text), text);
  await close({ failures: [/400/] });
});

test("by keyboard: rules are removed, tested, and discarded, several products are published, and a user logs out", async () => {
  const token = await createApiToken({ storeDir: demo.storeDir, env: {} }, "console", "catalog:write");
  const { page, close } = await demo.open("/admin/products?q=brass+compass");
  await signIn(page, token);
  const title = ((await page.locator("tbody a").first().textContent()) ?? "").trim();
  for (const [operation, filter] of [
    ["Unpublish", "q=brass+compass"],
    ["Publish", "status=unpublished"],
  ] as const) {
    await page.goto(`/admin/products?${filter}`);
    await tabTo(page, `Select ${title}`);
    await page.keyboard.press("Space");
    await press(page, `${operation} selected`, `**done=${operation.toLowerCase()}**`);
  }
  await page.goto("/admin/rules");
  const takeOver = page.getByRole("button", { name: "Take over" });
  if ((await takeOver.count()) > 0) await press(page, "Take over", "**done=taken_over**");
  await type(page, "Words with the same meaning", "zqlamp, lantern");
  await Promise.all([page.waitForURL("**done=added**"), page.keyboard.press("Enter")]);
  const fromTop = (): Promise<void> => page.locator("header a").first().focus();
  await fromTop();
  await press(page, "Test with shoppers", "**done=test_started**");
  await assertAccessible(page);
  await fromTop();
  await press(page, "Stop test", "**done=test_stopped**");
  const remove = await page.getByRole("button", { name: /^Remove .*zqlamp/ }).getAttribute("aria-label");
  await fromTop();
  await press(page, remove ?? "Remove", "**done=removed**");
  await type(page, "Words with the same meaning", "zqlamp, lantern");
  await Promise.all([page.waitForURL("**done=added**"), page.keyboard.press("Enter")]);
  await fromTop();
  await press(page, "Discard draft", "**done=discarded**");
  await fromTop();
  await press(page, "Log out", "**/admin/login**");
  await close();
});
