import assert from "node:assert/strict";
import { test } from "node:test";
import { createApiToken } from "../support/command.ts";
import { logIn, postForm } from "../support/console.ts";
import { startMailReceiver } from "../support/mail-receiver.ts";
import { startShop } from "../support/shop.ts";

let refusal: string | undefined;
const receiver = await startMailReceiver({}, () => refusal);
const shop = await startShop({
  hasTheme: false,
  config: {
    console: true,
    name: "Kontor",
    locales: { default: "de", others: [] },
    contact: { email: "owner@shop.example" },
    mail: { smtp: `smtp://127.0.0.1:${receiver.port}`, from: "Kontor <shop@shop.example>" },
  },
});
const token = await createApiToken(shop, "console", "settings:write", "catalog:read");

test("the console sends a test email to the merchant, and shows the answer of the mail server", async () => {
  const { client, csrf } = await logIn(shop, token);
  client.cookies.set("console_language", "en");
  const form = (await client.get("/admin/settings")).text;
  assert.match(form, /action="\/admin\/settings\/test-email"[\s\S]*Send test email[\s\S]*owner@shop\.example/);
  const accepted = await postForm(shop, client, "/admin/settings/test-email", { csrf });
  assert.equal(accepted.status, 200);
  assert.match(
    accepted.text,
    /role="status"[^>]*>The mail server accepted the test email to <bdi>owner@shop\.example.*250 /,
  );
  const [mail] = await receiver.mailsTo("owner@shop.example");
  assert.equal(mail?.header("Subject"), "Test-E-Mail von Kontor");
  assert.match(mail?.text ?? "", /Kontor kann E-Mails senden/);
  refusal = "5.7.1 <b>relay</b> denied";
  const rejected = await postForm(shop, client, "/admin/settings/test-email", { csrf });
  refusal = undefined;
  assert.match(rejected.text, /role="alert"[^>]*>The test email was not sent: .*450 5\.7\.1 &lt;b&gt;relay/);
  assert.match((await client.get("/admin/changes")).text, /Test email to owner@shop\.example/);
  const { client: viewer, csrf: viewerCsrf } = await logIn(shop, await createApiToken(shop, "console"));
  assert.doesNotMatch((await viewer.get("/admin/settings")).text, /<form[^>]*test-email/);
  assert.equal((await postForm(shop, viewer, "/admin/settings/test-email", { csrf: viewerCsrf })).status, 403);
});

test("the API sends test emails up to a limit, and logs them with the token", async () => {
  const other = await createApiToken(shop, "settings:write", "catalog:read");
  const headers = { authorization: `Bearer ${other}`, "content-type": "application/json" };
  const send = () => shop.client().send("POST", "/api/settings/test-email", { headers, body: "{}" });
  const reply = await send();
  const { to, accepted, answer } = reply.json<{ to: string; accepted: boolean; answer: string }>();
  assert.deepEqual([reply.status, to, accepted], [200, "owner@shop.example", true]);
  assert.match(answer, /^250 /);
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 5; attempt += 1) statuses.push((await send()).status);
  assert.deepEqual(statuses, [200, 200, 200, 200, 429]);
  const log = await shop.client().get("/api/catalog/log?limit=1", { authorization: `Bearer ${other}` });
  const [entry] = log.json<{ entries: { operation: string; source: string; details: object }[] }>().entries;
  assert.deepEqual(
    [entry?.operation, entry?.source, entry?.details],
    ["test_email", "api", { to: "owner@shop.example", accepted: true }],
  );
});

test("without a mail server, there is no test email", async () => {
  const silent = await startShop({ hasTheme: false });
  const headers = { authorization: `Bearer ${await createApiToken(silent, "settings:write")}` };
  const reply = await silent.client().send("POST", "/api/settings/test-email", { headers });
  assert.deepEqual([reply.status, reply.json<{ error: string }>().error], [400, "validation_failed"]);
});
