import assert from "node:assert/strict";
import { after, test } from "node:test";
import { sharedDemo, startDemo } from "../support/browser.ts";
import { createClient } from "../support/client.ts";
import { createApiToken } from "../support/command.ts";
import { assertAccessible, tabTo } from "../support/keyboard.ts";
import { placeOrder } from "../support/orders.ts";
import { until } from "../support/until.ts";

const demo = await sharedDemo();

test("every console page is accessible and works without script", async () => {
  const token = await createApiToken({ storeDir: demo.storeDir, env: {} }, "console");
  const { page, close } = await demo.open("/admin/login", { javaScriptEnabled: false });
  await page.getByLabel("Token").fill(token);
  await Promise.all([page.waitForURL("**/admin"), page.getByRole("button", { name: "Log in" }).click()]);
  await page.goto("/admin/try");
  await page.getByLabel("Search query").fill("boots");
  await Promise.all([page.waitForURL("**q=boots**"), page.getByRole("button", { name: "Search" }).click()]);
  await page.locator(".result").first().waitFor();
  const cookies = await page.context().cookies();
  await close();
  // This product needs no shipping address.
  await placeOrder(createClient(demo.origin), "ada@example.com", "", { id: 4101 });
  const visit = await demo.open("/admin/login");
  await visit.page.context().addCookies(cookies);
  for (const path of [
    "",
    "/reports",
    "/searches",
    "/searches?by=not_found",
    "/products?q=rain",
    "/products/raincoat",
    "/csv",
    "/discounts",
    "/changes",
    "/orders",
    "/contacts",
    "/events",
    "/system",
  ]) {
    await visit.page.goto(`/admin${path}`);
    await assertAccessible(visit.page);
  }
  await visit.page.setViewportSize({ width: 390, height: 844 });
  await visit.page.goto("/admin/orders");
  for (const shortText of await visit.page.locator("thead th, tbody a, .badge").all())
    assert.ok(((await shortText.boundingBox())?.height ?? 0) < 48, "a short word of the table is broken");
  await tabTo(visit.page, "Language English");
  await visit.page.keyboard.press("Enter");
  await tabTo(visit.page, "العربية");
  await Promise.all([visit.page.waitForEvent("load"), visit.page.keyboard.press("Enter")]);
  await visit.page.locator("html[lang=ar][dir=rtl]").waitFor();
  await assertAccessible(visit.page);
  await visit.page.locator("tbody a").first().click();
  await assertAccessible(visit.page);
  await visit.close();
});

test("a list of failed events fits on a phone", async () => {
  const webhooks = [{ url: "http://127.0.0.1:9/a-path-of-a-receiver", secret: `whsec_${"a".repeat(32)}` }];
  const failing = await startDemo(undefined, { config: { console: true, events: { webhooks } } });
  after(failing.close);
  await placeOrder(createClient(failing.origin), "ada@example.com", "", { id: 4101 });
  const { page, close } = await failing.open("/admin/login");
  await page
    .getByLabel("Token")
    .fill(await createApiToken({ storeDir: failing.storeDir, env: failing.env }, "console"));
  await Promise.all([page.waitForURL("**/admin"), page.getByRole("button", { name: "Log in" }).click()]);
  await until(async () => {
    await page.goto("/admin/events");
    return page.getByText("ECONNREFUSED").first().isVisible();
  }, "the first delivery fails");
  await page.setViewportSize({ width: 360, height: 800 });
  for (const language of ["fr", "de", "uk"]) {
    await page.setExtraHTTPHeaders({ "accept-language": language });
    await page.reload();
    assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 360, language);
  }
  await close();
});
