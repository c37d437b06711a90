import assert from "node:assert/strict";
import { after, test } from "node:test";
import { sharedDemo, startDemo } from "../support/browser.ts";
import { createClient } from "../support/client.ts";
import { createApiToken } from "../support/command.ts";
import { assertAccessible, tabTo } from "../support/keyboard.ts";
import { placeOrder } from "../support/orders.ts";
import { until } from "../support/until.ts";

const demo = await sharedDemo();

test("the console works without script, and its pages without operations are accessible", async () => {
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
  // console-operations.test.ts inspects the other pages, after each operation.
  for (const path of [
    "/reports",
    "/searches",
    "/searches?by=not_found",
    "/products?q=rain",
    "/changes",
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

test("the input of a form whose session has ended is kept during the next login", async () => {
  const scopes = ["console", "orders:write"];
  const token = await createApiToken({ storeDir: demo.storeDir, env: demo.env }, ...scopes);
  await placeOrder(createClient(demo.origin), "ada@example.com", "", { id: 4101 });
  const { page, close } = await demo.open("/admin/orders");
  const logIn = async () => {
    await page.getByLabel("Token").fill(token);
    await page.getByRole("button", { name: "Log in" }).click();
  };
  await logIn();
  await page.locator("tbody a").first().click();
  const order = page.url();
  const forms = page.locator("form", { has: page.locator("[value=cancel]") });
  await forms.getByLabel("Note").fill("Came back unworn");
  const [reason] = await forms.getByRole("combobox").selectOption({ index: 2 });
  await page.context().clearCookies({ name: "console" });
  await forms.getByRole("button").click();
  await page.getByText("This form has expired").waitFor();
  // A change of the language sends another form, which must not remove the stored input.
  await tabTo(page, "Language English");
  await page.keyboard.press("Enter");
  await tabTo(page, "English");
  await Promise.all([page.waitForEvent("load"), page.keyboard.press("Enter")]);
  await logIn();
  await page.waitForURL(order);
  const noteOfCancellation = forms.getByLabel("Note");
  assert.equal(await noteOfCancellation.inputValue(), "Came back unworn");
  assert.equal(await forms.getByRole("combobox").inputValue(), reason);
  assert.equal(
    await page
      .locator("form", { has: page.locator("[value=note]") })
      .getByLabel("Note")
      .inputValue(),
    "",
  );
  await page.reload();
  assert.equal(await noteOfCancellation.inputValue(), "", "only once");
  await close();
});

test("lists of products and discounts fit on a phone with large text", async () => {
  const token = await createApiToken({ storeDir: demo.storeDir, env: demo.env }, "console", "catalog:write");
  const { page, close } = await demo.open("/admin/discounts");
  await page.getByLabel("Token").fill(token);
  await Promise.all([page.waitForURL("**/discounts"), page.getByRole("button", { name: "Log in" }).click()]);
  await page.setViewportSize({ width: 360, height: 800 });
  for (const language of ["de", "ar", "fi", "ru"]) {
    await page.setExtraHTTPHeaders({ "accept-language": language });
    for (const path of ["/admin/discounts", "/admin/products"]) {
      await page.goto(path);
      await page.evaluate("document.documentElement.style.fontSize = '150%'");
      assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 360, `${path} ${language}`);
    }
  }
  await close();
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
