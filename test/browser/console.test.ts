import assert from "node:assert/strict";
import { test } from "node:test";
import { sharedDemo } from "../support/browser.ts";
import { createClient } from "../support/client.ts";
import { createApiToken } from "../support/command.ts";
import { assertAccessible, press, signIn, tabTo } from "../support/keyboard.ts";
import { placeOrder } from "../support/orders.ts";
import { until } from "../support/until.ts";

const demo = await sharedDemo();

test("by keyboard: sign in, test a search, draft a synonym, preview the changes and publish them to shoppers", async () => {
  const token = await createApiToken({ storeDir: demo.storeDir, env: {} }, "console");
  const { page, close } = await demo.open("/admin/rules");
  await assertAccessible(page);
  await signIn(page, token);
  await press(page, "Search preview", "**/admin/try");
  await tabTo(page, "Search query");
  await page.keyboard.type("rain coat");
  await page
    .getByRole("status")
    .filter({ hasText: /results? for "rain coat"/ })
    .waitFor();
  await page.locator(".result").first().getByRole("link", { name: "Raincoat", exact: true }).waitFor();
  const why = page.locator(".result details").first();
  await why.locator("summary").focus();
  await page.keyboard.press("Enter");
  await why.getByRole("cell", { name: /"rain" .* "raincoat"/ }).waitFor();
  await assertAccessible(page);
  await page.locator("#q").focus();
  await page.keyboard.press("Control+A");
  await page.keyboard.type("zqbrolly");
  await page.getByText('No results for "zqbrolly"').waitFor();

  await page.locator("header a").first().focus();
  await press(page, "Search rules", "**/admin/rules");
  await assertAccessible(page);
  await press(page, "Take over", "**/admin/rules?done=taken_over**");
  await page.getByRole("status").filter({ hasText: "Rules taken over." }).waitFor();
  await tabTo(page, "Words with the same meaning");
  await page.keyboard.type("zqbrolly, raincoat");
  await Promise.all([page.waitForURL("**/admin/rules?done=added**"), page.keyboard.press("Enter")]);
  await page.getByRole("status").filter({ hasText: "Rule added to the draft." }).waitFor();
  await assertAccessible(page);
  await page.locator("header a").first().focus();
  await press(page, "Preview changes", "**/admin/rules/replay");
  await page
    .getByRole("status")
    .filter({ hasText: /searches were compared/ })
    .waitFor();
  await assertAccessible(page);
  await press(page, "Publish", "**/admin/rules?done=published**");
  await page.getByRole("status").filter({ hasText: "Rules published" }).waitFor();
  await close();

  const shopper = await demo.open("/");
  const link = shopper.page.getByRole("option", { name: /^Raincoat/ });
  await until(async () => {
    await shopper.page.getByRole("combobox").first().fill("");
    await shopper.page.getByRole("combobox").first().pressSequentially("zqbrolly");
    await link
      .first()
      .waitFor({ timeout: 5_000 })
      .catch(() => {});
    return (await link.count()) > 0;
  }, "the published rule finds the product");
  await shopper.close();
});

test("by keyboard: find an order, ship a part of it, record its payment and a refund, add a note, and cancel it", async () => {
  // This product needs no shipping address.
  await placeOrder(createClient(demo.origin), "keyboard@example.com", "", { id: 4101, quantity: 2 });
  const token = await createApiToken({ storeDir: demo.storeDir, env: {} }, "console", "orders:write");
  const { page, close } = await demo.open("/admin/orders");
  await signIn(page, token);
  await tabTo(page, "Number, name, or email");
  await page.keyboard.type("keyboard");
  await Promise.all([page.waitForURL("**q=keyboard**"), page.keyboard.press("Enter")]);
  await assertAccessible(page);
  const number = (await page.locator("tbody a").textContent()) ?? "";
  await press(page, number, `**/admin/orders/${number}`);
  const submit = async (fields: Readonly<Record<string, string>>, button: string, done: string): Promise<void> => {
    for (const [label, text] of Object.entries(fields)) {
      await tabTo(page, label);
      await page.keyboard.press("Control+A");
      await page.keyboard.type(text);
    }
    await press(page, button, `**?done=${done}`);
    await page.getByRole("status").waitFor();
  };
  const [quantityLabel = ""] = await page.getByText(/^Quantity of/).allTextContents();
  await submit({ [quantityLabel]: "1", Carrier: "DHL" }, "Record shipment", "ship");
  await assertAccessible(page);
  await submit({ "Reference, such as the text of the transfer": `Of order ${number}` }, "Record payment", "pay");
  await submit({ "Amount in USD": "1.00", Reason: "Scratch" }, "Record refund", "refund");
  await submit({ Note: "Called" }, "Add note", "note");
  await press(page, "Cancel order", "**?done=cancel");
  await page.getByText("Shipped 1 item: DHL").waitFor();
  await assertAccessible(page);
  await press(page, "Packing slip", "**/packing-slip");
  await page.getByRole("button", { name: "Print" }).waitFor();
  await assertAccessible(page);
  await close();
});

test("by keyboard: edit a price and stock, unpublish and publish a product, create and end a discount, and upload a file", async () => {
  const scopes = ["console", "catalog:write", "stock:write"] as const;
  const token = await createApiToken({ storeDir: demo.storeDir, env: demo.env }, ...scopes);
  const { page, close } = await demo.open("/admin/products?view=edit&q=brass+compass");
  await signIn(page, token);
  await page.waitForURL("**/admin/products?**");
  await assertAccessible(page);
  const name = ((await page.locator("tbody a").first().textContent()) ?? "").trim();
  const fieldOf = async (field: string): Promise<string> =>
    (await page.locator(`label[for="${field}-0"]`).textContent())?.trim() ?? "";
  const type = async (label: string, text: string): Promise<void> => {
    await tabTo(page, label);
    await page.keyboard.press("Control+A");
    await page.keyboard.type(text);
  };
  const [price, quantity] = [
    await page.locator("#price-0").inputValue(),
    await page.locator("#quantity-0").inputValue(),
  ];
  for (const [newPrice, newQuantity] of [
    ["33.25", "44"],
    [price, quantity],
  ] as const) {
    await type(await fieldOf("price"), newPrice);
    await type(await fieldOf("quantity"), newQuantity);
    await Promise.all([page.waitForURL("**done=save**"), page.keyboard.press("Enter")]);
    await page.getByRole("status").filter({ hasText: "Changes saved." }).waitFor();
    assert.equal(await page.locator("#price-0").inputValue(), newPrice);
    assert.equal(await page.locator("#quantity-0").inputValue(), newQuantity);
    await page.goto("/admin/products?view=edit&q=brass+compass");
  }
  await press(page, name, "**/admin/products/*");
  await assertAccessible(page);
  await press(page, "Unpublish", "**done=unpublish");
  await press(page, "Publish", "**done=publish");
  await press(page, "Discounts", "**/admin/discounts");
  await type("Code; without one, the discount is automatic", "KEYS");
  await type("Percentage or amount", "5");
  await press(page, "Create discount", "**done=create");
  await assertAccessible(page);
  await press(page, "End KEYS", "**done=end");
  await press(page, "Products", "**/admin/products");
  await press(page, "CSV file", "**/admin/csv");
  await assertAccessible(page);
  const file = { name: "prices.csv", mimeType: "text/csv", buffer: Buffer.from("SKU,Price\nHO-RNG,36.50\n") };
  await page.getByLabel("CSV file").setInputFiles(file);
  await press(page, "Preview changes", "**/admin/csv");
  await page.getByRole("cell", { name: "36.50" }).waitFor();
  await assertAccessible(page);
  await press(page, "Save 1 change", "**done=save");
  await page.locator("header a").first().focus();
  await press(page, "Products", "**/admin/products");
  await press(page, "Changes", "**/admin/changes");
  await page.getByText("$36.00 → $36.50").waitFor();
  await assertAccessible(page);
  await close();
});

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
