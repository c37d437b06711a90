import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { Secret, TOTP } from "otpauth";
import type { Page } from "playwright-core";
import { add } from "../support/assertions.ts";
import { startDemo } from "../support/browser.ts";
import { fillOrderForm } from "../support/checkout-page.ts";
import { createClient } from "../support/client.ts";
import { createApiToken } from "../support/command.ts";
import { recordConsoleOperations } from "../support/console-operations.ts";
import { press, tabTo, tabToElement, toggle, type } from "../support/keyboard.ts";
import { startMailReceiver } from "../support/mail-receiver.ts";
import { placeOrder } from "../support/orders.ts";
import { startShop } from "../support/shop.ts";
import { until } from "../support/until.ts";
import type { Visit } from "../support/visits.ts";

const demo = await startDemo(undefined, { config: { console: true, trustProxy: ["127.0.0.1"] } });
after(demo.close);
const mail = await startMailReceiver();
const { inspect, submit, findMissing } = recordConsoleOperations();
const scopes = ["console", "orders:write", "catalog:read", "catalog:write", "stock:write", "settings:write"] as const;
const token = await createApiToken({ storeDir: demo.storeDir, env: demo.env }, ...scopes);
const settingsFile = join(demo.storeDir, "vitrine.config.ts");

async function enterToken(page: Page, text: string): Promise<void> {
  await page.locator("#token:focus").waitFor();
  await inspect(page);
  await page.keyboard.type(text);
  await submit(page);
}

async function openConsole(path: string): Promise<Visit> {
  const visit = await demo.open(path);
  await enterToken(visit.page, token);
  return visit;
}

/** Continues at the top of the page, like after a reload. */
const startAtTop = (page: Page): Promise<void> => page.locator("header a").first().focus();

test("by keyboard: the settings of each section are changed, errors are shown, and a test email is sent", async (t) => {
  const before = await readFile(settingsFile, "utf8");
  const customer = createClient(demo.origin);
  await add(customer, 4101, 1);
  const checkout = String((await customer.get("/checkout")).headers.location);
  t.after(async () => {
    await writeFile(settingsFile, before);
    await until(async () => (await customer.get(checkout)).text.includes('value="DE"'), "the earlier settings apply");
  });
  const { page, close } = await openConsole("/admin/settings");
  await press(page, "Name and address", "**#shop");
  await type(page, "Phone", "040 1234");
  await submit(page, /Changes saved/);
  await type(page, "Price (USD)", "6.50");
  await toggle(page, "All countries");
  await toggle(page, "Austria");
  await inspect(page);
  await submit(page, /Changes saved/);
  await toggle(page, "Ask business customers for their VAT ID");
  await submit(page, /Changes saved/);
  await type(page, "Tax rates by country in percent, such as DE: 19, AT: 20", "DE: 19");
  await submit(page, /Changes saved/);
  await type(page, "IBAN", "DE00");
  await submit(page, /Correct the marked fields/);
  await type(page, "IBAN", "DE02120300000000202051");
  await submit(page, /Changes saved/);
  await type(page, "Host", "127.0.0.1");
  await type(page, "Port", String(mail.port));
  await type(page, "Sender", "shop@shop.example");
  await submit(page, /Changes saved/);
  await submit(page, /The mail server accepted the test email to shop@shop\.example/, "Send test email");
  await type(page, "URL of the shop", "https://shop.example/path");
  await submit(page, /Correct the marked fields/);
  const changed = await readFile(settingsFile, "utf8");
  const texts = ['"040 1234"', "price: 650", "vatId: true", "{ DE: 19 }", "DE02", "shop@shop.example"];
  for (const text of texts) assert.ok(changed.includes(text), text);
  await close({ failures: [/400/] });
});

test("by keyboard: a missing text of a policy is entered", async (t) => {
  const [line = ""] = (await readFile(join(demo.storeDir, "catalog/pages.jsonl"), "utf8")).split("\n");
  const about = JSON.parse(line) as { readonly id: number; readonly content: string };
  const change = async (content: string): Promise<void> => {
    const reply = await fetch(`${demo.origin}/admin/catalog`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ patch: { kind: "page", id: about.id, content } }),
    });
    assert.equal(reply.status, 200, await reply.text());
  };
  await change("<p>[[Opening hours]]</p>");
  t.after(() => change(about.content));
  const { page, close } = await openConsole("/admin/settings");
  await press(page, "Policies", "**#policies");
  await type(page, "Opening hours", "9 to 5");
  await submit(page, /Changes saved/, "Save changes");
  await page.getByText("No text is missing.").waitFor();
  await close();
});

test("by keyboard: an order is found, paid, shipped in part, refunded, canceled, and printed, with a note and an email", async (t) => {
  const before = await readFile(settingsFile, "utf8");
  t.after(() => writeFile(settingsFile, before));
  const smtp = `mail: { smtp: "smtp://127.0.0.1:${mail.port}", from: "shop@shop.example" },`;
  await writeFile(settingsFile, before.replace("defineStore({", `defineStore({ ${smtp}`));
  await placeOrder(createClient(demo.origin), "keyboard@example.com", "", { id: 4101, quantity: 2 }); // no shipping
  const { page, close } = await openConsole("/admin/orders");
  await type(page, "Number, name, or email", "keyboard");
  await submit(page);
  const number = (await page.locator("tbody a").textContent()) ?? "";
  await press(page, number, `**/admin/orders/${number}`);
  await until(async () => {
    await page.reload();
    return (await page.getByRole("button", { name: "Send an email again" }).count()) > 0;
  }, "the settings of the mail server apply");
  const [quantityLabel = ""] = await page.getByText(/^Quantity of/).allTextContents();
  await type(page, quantityLabel, "1");
  await type(page, "Carrier", "DHL");
  await submit(page, /Shipment recorded/, "Record shipment");
  await type(page, "Reference, such as the text of the transfer", `Of order ${number}`);
  await submit(page, /Payment recorded/, "Record payment");
  await type(page, "Amount in USD", "1.00");
  await type(page, "Reason", "Scratch");
  await submit(page, /Refund recorded/, "Record refund");
  await type(page, "Note", "Called");
  await submit(page, /Note added/, "Add note");
  await tabTo(page, "Email to keyboard@example.com");
  await page.keyboard.press("ArrowDown");
  await submit(page, /The email will be sent/, "Send an email again");
  await until(async () => (await mail.mailsTo("keyboard@example.com")).some(({ text }) => text.includes("DHL")));
  await submit(page, /Order canceled/, "Cancel order");
  await page.getByText("Shipped 1 item: DHL").waitFor();
  await press(page, "Packing slip", "**/packing-slip");
  await inspect(page);
  await page.evaluate("window.print = () => { document.title = 'Printing'; }");
  await tabTo(page, "Print");
  await page.keyboard.press("Enter");
  assert.equal(await page.title(), "Printing");
  await close();
});

test("by keyboard: a test order is placed and deleted", async () => {
  const { page, close } = await openConsole("/admin");
  await press(page, "Place a test order", "**/checkout/**");
  await fillOrderForm(page, "97201");
  await page.getByRole("button", { name: "Place order" }).click();
  await page.waitForURL("**/orders/**");
  await page.goto("/admin/orders");
  const number = (await page.locator("tbody a").first().textContent()) ?? "";
  await press(page, number, `**/admin/orders/${number}`);
  await inspect(page);
  await submit(page, /Test order deleted/, "Delete test order");
  assert.ok(!(await page.locator("tbody a").allTextContents()).includes(number));
  await close();
});

test("by keyboard: prices and stock are edited and uploaded, products are published, and a discount is created and ended", async () => {
  const { page, close } = await openConsole("/admin/products?view=edit&q=brass+compass");
  const title = ((await page.locator("tbody a").first().textContent()) ?? "").trim();
  const readValue = (field: string): Promise<string> => page.locator(`#${field}-0`).inputValue();
  const [price, quantity] = [await readValue("price"), await readValue("quantity")];
  for (const [newPrice, newQuantity] of [
    ["33.25", "44"],
    [price, quantity],
  ] as const) {
    for (const [field, value] of Object.entries({ price: newPrice, quantity: newQuantity }))
      await type(page, ((await page.locator(`label[for="${field}-0"]`).textContent()) ?? "").trim(), value);
    await submit(page, /Changes saved/);
    assert.deepEqual([await readValue("price"), await readValue("quantity")], [newPrice, newQuantity]);
  }
  await press(page, title, "**/admin/products/*");
  await submit(page, /Nothing was changed/, "Save changes");
  await startAtTop(page);
  await submit(page, /Unpublished/, "Unpublish");
  await submit(page, /Published/, "Publish");
  await startAtTop(page);
  await press(page, "Products", "**/admin/products");
  await type(page, "Search published products", title);
  await submit(page);
  for (const [operation, result] of [
    ["Unpublish selected", /Unpublished\./],
    ["Publish selected", /Published\./],
  ] as const) {
    await toggle(page, `Select ${title}`);
    await submit(page, result, operation);
    await tabTo(page, "Status");
    await page.keyboard.press("ArrowDown");
    await submit(page, undefined, "Search");
  }
  await startAtTop(page);
  await press(page, "CSV file", "**/admin/csv");
  // Listens early, because the browser would open a dialog if the key arrived before the listener.
  const chooserPromise = page.waitForEvent("filechooser");
  await tabTo(page, "CSV file");
  const file = { name: "prices.csv", mimeType: "text/csv", buffer: Buffer.from("SKU,Price\nHO-RNG,36.50\n") };
  await Promise.all([chooserPromise.then((chooser) => chooser.setFiles(file)), page.keyboard.press("Enter")]);
  await submit(page, /36\.50/, "Preview changes");
  await submit(page, /Changes saved/, "Save 1 change");
  await page.goto("/admin/changes");
  await page.getByText("$36.00 → $36.50").waitFor();
  await page.goto("/admin/discounts");
  await type(page, "Code; without one, the discount is automatic", "KEYS");
  await type(page, "Percentage or amount", "5");
  await submit(page, /Discount created/, "Create discount");
  await submit(page, /Discount ended/, "End KEYS");
  await close();
});

test("by keyboard: search rules are taken over, suggested, added, removed, previewed, tested with shoppers, and published", async () => {
  // More than five, because networks are counted by hashes, some of which may be equal.
  for (let network = 1; network <= 20; network += 1) {
    const client = createClient(demo.origin);
    const headers = { "x-forwarded-for": `198.${network}.101.7`, accept: "text/html" };
    for (const query of ["zqtimepiece", "brass%20barometer"]) await client.get(`/search?q=${query}`, headers);
    await client.get("/products/brass-barometer", { ...headers, referer: `${demo.origin}/search?q=brass%20barometer` });
  }
  const { page, close } = await openConsole("/admin/rules");
  if ((await page.getByRole("button", { name: "Take over" }).count()) > 0)
    await submit(page, /Rules taken over/, "Take over");
  const addSynonym = async (words: string): Promise<void> => {
    await startAtTop(page);
    await type(page, "Words with the same meaning", words);
    await submit(page, /Rule added to the draft/);
  };
  const perform = async (button: string, result: RegExp): Promise<void> => {
    await startAtTop(page);
    await submit(page, result, button);
  };
  await addSynonym("zqlamp, lantern");
  await perform("Remove zqlamp, lantern", /Rule removed/);
  await addSynonym("zqlamp, lantern");
  await perform("Test with shoppers", /Test started/);
  await perform("Stop test", /Test stopped/);
  await perform("Test with shoppers", /Test started/);
  await perform("Stop test and discard draft", /Draft discarded/);
  const suggestion = "zqtimepiece => brass barometer";
  await until(async () => {
    await page.reload();
    return (await page.getByRole("button", { name: `Dismiss ${suggestion}` }).count()) > 0;
  }, "the suggestion");
  await submit(page, /Rule added to the draft/, `Add to draft ${suggestion}`);
  await perform("Discard draft", /Draft discarded/);
  await submit(page, /Suggestion dismissed/, `Dismiss ${suggestion}`);
  await addSynonym("zqbrolly, raincoat");
  await perform("Preview changes", /searches were compared/);
  await submit(page, /Rules published/, "Publish");
  await perform("Remove zqbrolly, raincoat", /Rule removed/);
  await perform("Test with shoppers", /Test started/);
  await perform("Publish tested rules", /Rules published/);
  await close();
});

test("by keyboard: a search is previewed, the language is chosen, and a user logs out", async () => {
  const { page, close } = await openConsole("/admin/try");
  await type(page, "Search query", "rain coat");
  const results = page.getByRole("status").filter({ hasText: /results? for "rain coat"/ });
  await results.waitFor();
  const reasons = page.locator(".result details").first();
  await reasons.locator("summary").focus();
  await page.keyboard.press("Enter");
  await reasons.getByRole("cell", { name: /"rain" .* "raincoat"/ }).waitFor();
  await page.locator("#q").focus();
  await submit(page);
  await results.waitFor();
  await startAtTop(page);
  await toggle(page, "Language English");
  await submit(page, undefined, "Deutsch");
  await page.locator("html[lang=de]").waitFor();
  await submit(page, undefined, "Abmelden");
  await page.locator("#token:focus").waitFor();
  await close();
});

test("by keyboard: the first token is created, and a second factor is set up and entered", async () => {
  const shop = await startShop({ hasTheme: false, config: { console: true, consoleSecondFactor: true } });
  const { page, close } = await demo.open(`${shop.origin}${await shop.app.findFirstLoginPath()}`);
  await inspect(page);
  const firstToken = await page.locator("#token").inputValue();
  await tabTo(page, "Log in");
  await submit(page);
  const secret = await page.locator("input[name=secret]").inputValue();
  const enterCode = async (timestamp: number): Promise<void> => {
    await tabToElement(page, "#code");
    await page.keyboard.type(new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp }));
    await submit(page);
  };
  await enterCode(Date.now());
  await submit(page, undefined, "Log out");
  await enterToken(page, firstToken);
  await enterCode(Date.now() + 30_000); // Each code works once.
  await page.getByRole("heading", { name: "Home" }).waitFor();
  await close();
});

test("each operation of the console has a test by keyboard", () => {
  assert.deepEqual(findMissing(), []);
});
