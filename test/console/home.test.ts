import assert from "node:assert/strict";
import { test } from "node:test";
import { add } from "../support/assertions.ts";
import { product, variant } from "../support/catalog.ts";
import { createApiToken, runCommand } from "../support/command.ts";
import { logIn } from "../support/console.ts";
import { startMailReceiver } from "../support/mail-receiver.ts";
import { placeOrder } from "../support/orders.ts";
import { startShop } from "../support/shop.ts";

let now = Date.parse("2026-11-30T16:00:00Z");
const textOf = (page: string): string =>
  page
    .replaceAll(/<\/?(?:bdi|code)>/g, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ");

const mail = await startMailReceiver();
const handles = ["privacy-policy", "refund-policy", "shipping-policy", "terms-of-service"];
const pages = handles.map((handle) => `${JSON.stringify({ kind: "page", handle, title: handle })}\n`).join("");
const shop = await startShop({
  now: () => now,
  hasTheme: false,
  storeFiles: { "catalog/pages.jsonl": pages },
  config: {
    console: true,
    timezone: "Asia/Tokyo",
    mail: { smtp: `smtp://127.0.0.1:${mail.port}`, from: "shop@shop.example", newOrders: false },
    contact: { email: "shop@shop.example", address: { address1: "Quay 1", city: "Hamburg", country: "DE" } },
    invoices: { issue: false },
  },
});
const { client } = await logIn(shop, await createApiToken(shop, "console"));
const pageText = async (path: string): Promise<string> => textOf((await client.get(path)).text);

test("the checklist names the next step of each part that a new shop lacks", async () => {
  const lamp = { ...product(900, "lamp", "Lamp", [{ id: 900, price: 100 }]), images: [{ src: "//cdn.example/1.jpg" }] };
  const page = { kind: "page", handle: "privacy-policy", title: "Privacy", content: "<p>[[Address]]</p>" };
  const shop = await startShop({
    hasTheme: false,
    rows: [lamp],
    config: { console: true, name: "My shop" },
    storeFiles: { "catalog/pages.jsonl": JSON.stringify(page) },
  });
  const { client } = await logIn(shop, await createApiToken(shop, "console"));
  const text = textOf((await client.get("/admin")).text);
  assert.match(text, /1 of 8 done/);
  assert.match(
    text,
    /Done Products 1 product is published\. Images come from cdn\.example\. Before you close a shop there, copy them/,
  );
  assert.match(text, /To do Name and address Still missing: Shop name , Email , Street and number , City , Country \./);
  assert.match(text, /To do Shipping Orders ship for free\. Add shipping rates/);
  assert.match(text, /To do Payment Choose whether this shop or another system sends the invoices/);
  assert.match(text, /To do Emails Enter your mail server and the sender/);
  assert.match(text, /To do Domain Enter the public address of the shop/);
  assert.match(
    text,
    /Policies Add pages with the handles refund-policy, .* Replace the placeholders \[\[…\]\] of the pages Privacy\./,
  );
  assert.match(text, /To do First order Buy something/);
  await shop.close();
});

test("reports count orders, carts, and revenue by days of the shop's time zone", async () => {
  assert.match(
    await pageText("/admin/reports"),
    /Orders 0 Revenue after refunds \$0\.00 Average order – .*Not enough data/,
  );
  for (const time of ["2026-11-30T14:00:00Z", "2026-11-30T16:00:00Z", "2026-11-30T17:00:00Z"]) {
    now = Date.parse(time);
    await placeOrder(shop.client(), "ada@example.com", "", { id: variant.notShipped, quantity: 2 });
  }
  await add(shop.client(), variant.unlimited, 1);
  const numbers = (await runCommand(shop, "orders", "list")).out.match(/(?<=#)\d+/g) ?? [];
  assert.equal((await runCommand(shop, "orders", "cancel", String(numbers.at(-1)))).code, 0);
  const today = await pageText("/admin/reports");
  assert.match(today, /Orders 1 Revenue after refunds \$100\.00 Average order \$100\.00 Unpaid 1 Canceled 1/);
  assert.match(today, /Carts 3 Checkouts 2 \(67%\) Orders placed 2 \(67%\)/);
  const week = await pageText("/admin/reports?days=7");
  assert.match(week, /Orders 2 Revenue after refunds \$200\.00/);
  assert.match(week, /Carts 4 Checkouts 3 \(75%\) Orders placed 3 \(75%\)/);
  assert.match(await pageText("/admin/reports?days=30"), /Carts 4 Orders placed 3/);
});

test("parts that are complete are checked off, with the login to the mail server", async () => {
  const text = await pageText("/admin");
  assert.match(text, /6 of 8 done/);
  for (const title of ["Products", "Name and address", "Payment", "Emails", "Policies", "First order"])
    assert.ok(text.includes(`Done ${title} `), title);
  assert.match(text, /Today Orders 1/);
});
