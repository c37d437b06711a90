import assert from "node:assert/strict";
import { test } from "node:test";
import { sign } from "../../examples/signed-form/signed-form.ts";
import { assertCartError } from "../support/assertions.ts";
import type { Reply } from "../support/client.ts";
import { startShop } from "../support/shop.ts";

const example = new URL("../../examples/signed-form/signed-form.ts", import.meta.url).href;
const key = "shared-with-the-provider";
const MINUTE = 60_000;
let now = Date.now();
const hooks = (more: string): Readonly<Record<string, string>> => ({
  "hooks.ts": `import { defineHooks } from "vitrine";
    import { signedForm } from ${JSON.stringify(example)};
    const payment = signedForm({ address: "https://pay.example/start", merchant: "harbour", key: ${JSON.stringify(key)} });
    export default defineHooks({ payment: { ...payment, ${more} } });`,
});
const config = { hooks: "hooks.ts", trustProxy: ["127.0.0.1"] };
const options = { now: () => now, hasTheme: false, config };
const shop = await startShop({ ...options, storeFiles: hooks("") });
const headerShop = await startShop({ ...options, storeFiles: hooks('signatureHeader: "Pay-Signature"') });

const notify = (
  address: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
  { client } = shop,
): Promise<Reply> =>
  client().send("POST", "/api/payments/events", {
    headers: { "content-type": "application/x-www-form-urlencoded", "x-forwarded-for": address, ...headers },
    body,
  });

function signed(fields: Readonly<Record<string, string>>): string {
  const allFields = { merchant: "harbour", status: "pending", ...fields };
  return new URLSearchParams({ ...allFields, signature: sign(allFields, key) }).toString();
}

test("unsigned notifications are rate limited by IP address, whatever their size; signed ones never are", async () => {
  const statuses: number[] = [];
  for (let n = 0; n < 620; n += 1) statuses.push((await notify("192.0.2.1", `order=${n}`)).status);
  assert.deepEqual([statuses[0], statuses[599], statuses.at(-1)], [400, 400, 429]);
  const lateReply = await notify("192.0.2.1", "order=1");
  assertCartError(lateReply, 429, "rate_limited");
  assert.equal(lateReply.headers["retry-after"], "60");
  for (let n = 0; n < 80; n += 1) {
    const reply = await notify("192.0.2.2", signed({ order: String(n) }));
    assert.deepEqual([reply.status, reply.json()], [200, { outcome: "ignored" }]);
  }
  for (let n = 0; n < 620; n += 1) await notify(`2001:db8:1:2::${n + 1}`, "order=1");
  assert.equal((await notify("2001:db8:1:2:ffff::1", "order=1")).status, 429, "an IPv6 network is one address");
  now += MINUTE;
  assert.equal((await notify("192.0.2.1", signed({}))).status, 200, "after a while it is heard again");
});

test("a notification has at most 256 KiB", async () => {
  assertCartError(await notify("192.0.2.3", "x".repeat(257 * 1_024)), 413, "payload_too_large");
  assert.equal((await notify("192.0.2.3", signed({ note: "x".repeat(250 * 1_024) }))).status, 200);
});

test("a notification without the signature header of the hook is rejected before its body is read", async () => {
  const without = await notify("192.0.2.4", "x".repeat(257 * 1_024), {}, headerShop);
  assertCartError(without, 400, "bad_request");
  const reply = await notify("192.0.2.5", signed({}), { "pay-signature": "v1" }, headerShop);
  assert.deepEqual([reply.status, reply.json()], [200, { outcome: "ignored" }]);
});

test("forged notifications do not block genuine ones from the same IP address", async () => {
  for (let n = 0; n < 620; n += 1) await notify("192.0.2.6", `order=${n}`, { "pay-signature": "v1" }, headerShop);
  assert.equal((await notify("192.0.2.6", signed({}), { "pay-signature": "v1" }, headerShop)).status, 200);
});
