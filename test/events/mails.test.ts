import assert from "node:assert/strict";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { variant } from "../support/catalog.ts";
import { type Client, createClient } from "../support/client.ts";
import { runCommand } from "../support/command.ts";
import { startMailReceiver } from "../support/mail-receiver.ts";
import { placeOrder } from "../support/orders.ts";
import { serve } from "../support/server-process.ts";
import { makeStore, startShop } from "../support/shop.ts";
import { until } from "../support/until.ts";

let now = Date.now();
let refusal: string | undefined;
/** Whether the mail server delays its response to the next recipient, in seconds of the shop's clock. */
let isThinking = false;
/** Number of open SMTP connections. */
let conversations = 0;
const {
  port,
  attempts,
  mailsTo: mailTo,
} = await startMailReceiver(
  {
    onAuth: ({ username, password }, _, done) =>
      username === "shop@x" && password === "pä:ss"
        ? done(null, { user: username })
        : done(new Error("wrong password")),
    onConnect(_, done) {
      conversations += 1;
      done();
    },
    onClose() {
      conversations -= 1;
    },
    onRcptTo(_address, _session, done) {
      if (isThinking) now += 6_000;
      setTimeout(done, isThinking ? 1_500 : 0);
      isThinking = false;
    },
  },
  () => refusal,
);

const shop = await startShop({
  now: () => now,
  hasTheme: false,
  config: {
    locales: { default: "en", others: ["fr", "ja", "he"] },
    origin: "https://shop.example",
    contact: { email: "owner@shop.example" },
    mail: {
      smtp: `smtp://shop%40x:p%C3%A4%3Ass@127.0.0.1:${port}`,
      from: "Harbour & Söhne <mail@shop.example>",
      newOrders: false,
    },
    events: { timeout: 2_000 },
  },
});

async function sendContact(client: Client, fields: Readonly<Record<string, string>>): Promise<void> {
  now += 600_000;
  const reply = await client.send("POST", "/contact", {
    headers: { "content-type": "application/x-www-form-urlencoded", accept: "text/html", "sec-fetch-mode": "navigate" },
    body: new URLSearchParams({ csrf_token: await client.token(), ...fields }).toString(),
  });
  assert.equal(reply.status, 303, reply.text);
}

test("an order confirmation is in the shopper's language, as text and HTML, with a link to the order", async () => {
  const client = shop.client();
  assert.equal((await client.post("/cart/update.js", { note: "Buy at cheap.example" })).status, 200);
  await placeOrder(client, "ada@example.com", "/fr");
  const [mail] = await mailTo("ada@example.com");
  assert.deepEqual(mail?.to, ["ada@example.com"]);
  assert.doesNotMatch(
    mail?.text ?? "",
    /cheap\.example/,
    "anybody may order for anybody's address: their words are no mail",
  );
  assert.equal(mail?.header("subject"), "Commande n°\u00a01001 chez Test Harbour");
  assert.match(mail?.header("from") ?? "", /Harbour & Söhne"? <mail@shop\.example>/);
  assert.equal(mail?.header("reply-to"), "owner@shop.example");
  assert.match(mail?.header("message-id") ?? "", /^<[\w-]+@shop\.example>$/);
  assert.match(
    mail?.text ?? "",
    /Merci pour votre commande n°\u00a01001\.\nLe paiement est en attente\. [^\n]*\n\n1 x Canvas Tote\u00a0: 19,99\s\$\n/,
  );
  assert.match(mail?.text ?? "", /Montant à payer\u00a0: 19,99/);
  assert.match(mail?.text ?? "", /<html lang="fr" dir="ltr">[\s\S]*<td[^>]*>1 &times; <bdi>Canvas Tote/);
  const [, link = ""] = /https:\/\/shop\.example(\/fr\/orders\/\S+)/.exec(mail?.text ?? "") ?? [];
  const page = await shop.client().get(link);
  assert.equal(page.status, 200);
  assert.match(page.text, /#1001/);
});

test("a mail about a shipped order contains its tracking information", async () => {
  const [before] = await mailTo("ada@example.com");
  const number = /1\d{3}/.exec(before?.header("subject") ?? "")?.[0] ?? "";
  assert.equal(
    (await runCommand(shop, "orders", "ship", number, "--carrier", "La Poste", "--tracking", "6A1")).code,
    0,
  );
  const [, mail] = await mailTo("ada@example.com", 2);
  assert.equal(mail?.header("subject"), `Votre commande n°\u00a0${number} chez Test Harbour est en route`);
  assert.match(
    mail?.text ?? "",
    /1 x Canvas Tote\n\nTransporteur\u00a0: La Poste\nNuméro de suivi\u00a0: 6A1\n\nAdresse de livraison\u00a0:\nAda Quay\n/,
  );
  assert.match(mail?.text ?? "", /<p>Numéro de suivi\u00a0: <bdi>6A1<\/bdi><\/p>/);
});

test("a mail about a cancellation follows the confirmation", async () => {
  await placeOrder(shop.client(), "bob@example.com");
  assert.equal((await runCommand(shop, "orders", "cancel", "1002")).code, 0);
  const [confirmed, cancelled] = await mailTo("bob@example.com", 2);
  assert.equal(confirmed?.header("subject"), "Order #1002 at Test Harbour");
  assert.equal(cancelled?.header("subject"), "Your order #1002 at Test Harbour was canceled");
});

test("the merchant gets contact messages with a Reply-To address, and input of shoppers adds no header", async () => {
  const client = shop.client();
  await sendContact(client, { form_type: "customer", "contact[email]": "list@example.com" });
  const body = "Where \u202eis\u001b my coat?\r\nBcc: eve@example.com";
  await sendContact(client, { form_type: "contact", "contact[email]": "grace@example.com", "contact[body]": body });
  const [mail, ...otherMails] = await mailTo("owner@shop.example");
  assert.deepEqual(otherMails, [], "an address for the newsletter needs nobody's eye");
  assert.deepEqual(
    [mail?.header("subject"), mail?.header("reply-to"), mail?.to],
    ["Message from grace@example.com", "grace@example.com", ["owner@shop.example"]],
  );
  assert.match(mail?.text ?? "", /Text: Where is my coat\?\nBcc: eve@example\.com/);
});

test("a contact message from an address that only servers with SMTPUTF8 accept has no Reply-To address, but names it", async () => {
  await sendContact(shop.client(), {
    form_type: "contact",
    "contact[email]": "jörg@exämple.com",
    "contact[body]": "Hi",
  });
  const mail = (await mailTo("owner@shop.example", 2)).at(-1);
  assert.equal(mail?.header("reply-to"), "undefined");
  assert.match(mail?.text ?? "", /^jörg@exämple\.com/m);
});

test("a rejected mail is sent again with the same Message-ID", async () => {
  refusal = "busy";
  const before = attempts.length;
  await placeOrder(shop.client(), "eve@example.com");
  await until(() => attempts.length === before + 1, "the first attempt");
  await until(async () => /busy/.test((await runCommand(shop, "events", "list", "--waiting")).out), "it is noted");
  refusal = undefined;
  now += 60_000;
  const [mail] = await mailTo("eve@example.com");
  assert.deepEqual(
    attempts.slice(before),
    Array.from({ length: 2 }, () => mail?.header("message-id")),
  );
});

test("a slow mail server that meets each time limit gets a mail once", async () => {
  isThinking = true;
  await placeOrder(shop.client(), "kay@example.com");
  await mailTo("kay@example.com");
  await until(() => conversations === 0, "the end of each conversation");
  await until(
    async () => /No undelivered events/.test((await runCommand(shop, "events", "list", "--waiting")).err),
    "it is noted",
  );
  assert.equal((await mailTo("kay@example.com")).length, 1);
});

test("a mail in a language without built-in texts names the language of its texts", async () => {
  await placeOrder(shop.client(), "dov@example.com", "/he");
  const [mail] = await mailTo("dov@example.com");
  assert.match(mail?.text ?? "", /<html lang="en" dir="rtl">[\s\S]*Thank you for your order/);
});

test("a nested item follows its parent in mails, with a plus sign", async () => {
  const client = shop.client();
  const nested = { id: variant.notShipped, parent_id: variant.tracked };
  await client.post("/cart/add.js", { items: [{ id: variant.tracked }, nested] });
  await placeOrder(client, "nested@example.com");
  const [mail] = await mailTo("nested@example.com");
  assert.match(mail?.text ?? "", /\n1 x Harbour Raincoat.*\n\+ 1 x Sailing Lesson: /);
  assert.match(mail?.text ?? "", /<td[^>]*>\+ 1 &times; <bdi>Sailing Lesson/);
});

test("the template in the guide shows the number of the order and its link", async () => {
  const guide = await readFile(new URL("../../docs/how-to/send-email.md", import.meta.url), "utf8");
  const [, template = ""] = /```liquid\n([\s\S]*?)```/.exec(guide) ?? [];
  const folder = join(shop.storeDir, "notifications");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "order-created.fr.txt.liquid"), template.replaceAll(/^ {3}/gm, ""));
  await placeOrder(shop.client(), "guide@example.com", "/fr");
  const [mail] = await mailTo("guide@example.com");
  assert.match(mail?.header("subject") ?? "", /^Your order #\d+$/);
  assert.match(mail?.text ?? "", /^Thank you for your order at Test Harbour\.\nhttp\S+\/fr\/orders\//m);
});

test("templates of the store override the default ones, by language first, and an error in one is reported", async () => {
  const folder = join(shop.storeDir, "notifications");
  await mkdir(folder, { recursive: true });
  const ownTemplate = "Subject: {{ shop.name }}:\n\n{{ order.items[0].title | upcase }} {{ order.amount | money }}";
  await writeFile(join(folder, "order-created.txt.liquid"), ownTemplate);
  await writeFile(join(folder, "order-created.ja.txt.liquid"), "Subject: ご注文\n\n{% render 'order-lines.txt' %}");
  await placeOrder(shop.client(), "own@example.com");
  await placeOrder(shop.client(), "ja@example.com", "/ja");
  const [mail] = await mailTo("own@example.com");
  assert.equal(mail?.header("subject"), "Test Harbour:");
  assert.match(mail?.text ?? "", /^CANVAS TOTE \$19\.99/m);
  assert.doesNotMatch(mail?.text ?? "", /<html/, "one's own text is not sent with the HTML of another");
  const [japaneseMail] = await mailTo("ja@example.com");
  assert.equal(japaneseMail?.header("subject"), "ご注文");
  assert.match(japaneseMail?.text ?? "", /^1 x .*19\.99/m, "templates of the store may render the built-in snippets");

  await writeFile(join(folder, "order-created.txt.liquid"), "Subject: x\n\n{% if %}");
  await placeOrder(shop.client(), "fault@example.com");
  const list = async (): Promise<string> => (await runCommand(shop, "events", "list", "--waiting")).out;
  await until(async () => /to mail {2}.*notifications\/order-created\.txt\.liquid/.test(await list()), "the fault");
  await writeFile(join(folder, "order-created.txt.liquid"), ownTemplate);
  now += 60_000;
  await mailTo("fault@example.com");
});

test("the log names the template of an email that cannot be written, and the next step", async () => {
  const mail = { smtp: `smtp://127.0.0.1:${port}`, from: "mail@shop.example", newOrders: false };
  const storeDir = await makeStore({ hasTheme: false, config: { origin: "https://shop.example", mail } });
  await mkdir(join(storeDir, "notifications"));
  await writeFile(join(storeDir, "notifications/order-created.txt.liquid"), "Subject: x\n\n{% if %}");
  const server = await serve(storeDir, "export LOG_LEVEL=warn");
  await placeOrder(createClient(server.origin), "ada@example.com");
  const list = async (): Promise<string> =>
    (await runCommand({ storeDir, env: {} }, "events", "list", "--waiting")).out;
  await until(async () => /to mail {2}.*order-created/.test(await list()), "the fault");
  server.child.kill("SIGTERM");
  const { stderr } = await server.finished;
  await rm(storeDir, { recursive: true, force: true });
  assert.match(
    stderr,
    /an email cannot be written: Liquid syntax error \(notifications\/order-created\.txt\.liquid line 3\): .*; correct the template, and the email is sent at the next attempt/,
  );
  assert.doesNotMatch(stderr, /cannot be delivered/);
});
