import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { test } from "node:test";
import { createApp } from "../../src/app.ts";
import { add, assertCartError, readCart } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import { address, checkoutOf, submit } from "../support/checkout-page.ts";
import { createClient } from "../support/client.ts";
import { serve } from "../support/server-process.ts";
import { makeStore, startShop, testSecret } from "../support/shop.ts";

/** Returns a store whose hooks module has the given text. */
const hookStore = (text: string, name = "hooks.ts") => ({
  hasTheme: false,
  config: { hooks: name },
  storeFiles: { "hooks.ts": text },
});

for (const [what, body] of [
  ["throws", 'start() { throw new Error("no key"); }, event() { throw new Error("no key"); }'],
  ["never answers", "start: () => new Promise(() => {}), event: () => new Promise(() => {})"],
  ["answers what means nothing", "start: () => ({}), event: () => ({ outcome: 'completed', amount: '1' })"],
  [
    "leads to an origin that it did not name",
    "start: () => ({ redirect: 'https://evil.example/' }), event: () => undefined",
  ],
] as const)
  test(`if the payment hook ${what}, the page shows what to do and the cart stays`, async () => {
    const shop = await startShop(
      hookStore(`export default { payment: { origins: ["https://pay.example"], ${body} } };`),
    );
    const client = shop.client();
    await add(client, variant.unlimited, 1);
    const checkout = await checkoutOf(client);
    // The hook never answers. The request is sent now, so that both timeouts run in parallel.
    const notification = shop.client().send("POST", "/api/payments/events", { body: "x" });
    const reply = await submit(client, checkout, { ...address, pay: "" });
    assert.equal(reply.status, 503, reply.text);
    assert.match(reply.text, /couldn’t reach the payment provider\. You weren’t charged/);
    assert.match(reply.text, /value="Ada Quay"/);
    assert.equal((await readCart(client)).item_count, 1);
    assertCartError(await notification, 503, "payment_unavailable");
    const orderReply = await submit(client, { ...checkout, page: reply.text }, { ...address, order: "" });
    assert.match(String(orderReply.headers.location), /^\/orders\//, "the invoice is left");
    await shop.close();
  });

test("each thread of a server has the hooks and logs their failure once", async () => {
  const storeDir = await makeStore({
    ...hookStore(
      'export default { payment: { origins: [], start: () => { throw new Error("no key is set"); }, event: () => 1 } };',
    ),
    config: { hooks: "hooks.ts", server: { threads: 2 } },
  });
  const server = await serve(storeDir, "", { LOG_LEVEL: "warn" });
  for (let times = 0; times < 8; times += 1) {
    const client = createClient(server.origin);
    await add(client, variant.unlimited, 1);
    const reply = await submit(client, await checkoutOf(client), { ...address, pay: "" });
    assert.equal(reply.status, 503);
  }
  server.child.kill("SIGTERM");
  const { stderr } = await server.finished;
  const begun = stderr.split("\n").filter((line) => /"msg":"a hook failed"/.test(line));
  assert.ok(begun.length === 1 || begun.length === 2, stderr);
  for (const line of begun) assert.match(line, /payment\.start: no key is set/);
  await rm(storeDir, { recursive: true, force: true });
});

test("without a hook the page has no pay button, and no notification is accepted", async () => {
  const shop = await startShop({ hasTheme: false });
  const client = shop.client();
  await add(client, variant.unlimited, 1);
  const checkout = await checkoutOf(client);
  assert.doesNotMatch(checkout.page, /name="pay"/);
  assert.equal((await submit(client, checkout, { ...address, pay: "" })).status, 400);
  assertCartError(await shop.client().send("POST", "/api/payments/events", { body: "" }), 404, "not_found");
});

test("an invalid hooks module is reported with its file, and the server does not start", async () => {
  const cases: readonly (readonly [text: string, name: string, says: RegExp])[] = [
    ["export default {};", "none.ts", /none\.ts: does not exist\. Write the module, or remove the setting "hooks"/],
    ["export default {", "hooks.ts", /hooks\.ts(:1)?: cannot be read/],
    ["export const hooks = {};", "hooks.ts", /hooks\.ts: export the hooks: "export default defineHooks/],
    [
      "export default { pay: {} };",
      "hooks.ts",
      /hooks\.ts: pay is not a hook \(known: payment, shipping, tax, price, discounts, stock, customer\)/,
    ],
    [
      "export default { payment: { origins: ['pay.example'], start() {} } };",
      "hooks.ts",
      /payment\.origins\.0 must be an origin[\s\S]*payment\.event/,
    ],
    [
      "export default { shipping: {}, customer: { cookies: ['a b'], find() {} } };",
      "hooks.ts",
      /shipping\.rates is missing[\s\S]*customer\.cookies\.0 must be the name of a cookie/,
    ],
    ["export default {};", "../hooks.ts", /hooks must be a file in the store folder/],
  ];
  for (const [text, name, says] of cases) {
    const storeDir = await makeStore(hookStore(text, name));
    await assert.rejects(createApp({ storeDir, secret: testSecret, logLevel: "silent" }), says);
    await rm(storeDir, { recursive: true, force: true });
  }
});
