import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { createApp, type LocalApp } from "../../src/app.ts";
import { add } from "../support/assertions.ts";
import { product } from "../support/catalog.ts";
import { address, checkoutOf, submit } from "../support/checkout-page.ts";
import { type Client, createClient } from "../support/client.ts";
import { createApiToken, runCommand } from "../support/command.ts";
import { type ReceivedMail, startMailReceiver } from "../support/mail-receiver.ts";
import { makeStore, testSecret } from "../support/shop.ts";
import { freshDatabase, putSchema } from "../support/test-database.ts";
import { until } from "../support/until.ts";

const merchant = "owner@shop.example";
const receiver = await startMailReceiver();
const storeDir = await makeStore({
  hasTheme: false,
  rows: [
    {
      ...product(1, "coat", "Coat", [
        { id: 11, price: 10_000, sku: "C-RED", options: ["Red"], inventory_quantity: 5 },
        { id: 12, price: 10_000, options: ["Blue"], inventory_quantity: 4 },
      ]),
      options: ["Color"],
      translations: { de: { title: "Mantel", option_values: { Red: "Rot", Blue: "Blau" } } },
    },
    product(2, "tote", "Tote", [{ id: 21, price: 2_000 }]),
    product(3, "sample", "Sample", [{ id: 31, price: 0 }]),
    product(4, "cup", "Cup", [{ id: 41, price: 500, inventory_quantity: 40 }]),
  ],
  config: {
    currency: "EUR",
    locales: { default: "de", others: ["en"] },
    origin: "https://shop.example",
    console: true,
    contact: { email: merchant },
    mail: { smtp: `smtp://127.0.0.1:${receiver.port}`, from: "mail@shop.example", newOrders: false },
  },
});
const database = await freshDatabase();
await putSchema(storeDir);
const env = database.databaseUrl === undefined ? {} : { DATABASE_URL: database.databaseUrl };
const apps: LocalApp[] = [];
let origin: string;

/** Starts a server. Two servers share a PostgreSQL database; an SQLite file has one server at a time. */
async function startServer(): Promise<void> {
  if (database.databaseUrl === undefined) await apps.pop()?.close();
  const app = await createApp({ storeDir, secret: testSecret, logLevel: "silent", ...database });
  apps.push(app);
  origin = await app.listen("127.0.0.1", 0);
}
await startServer();
after(() => Promise.all(apps.map((app) => app.close())));

const token = await createApiToken({ storeDir, env }, "checkouts:complete", "orders:write", "stock:write");

interface OrderJson {
  readonly number: number;
  readonly checkout_id: string;
  readonly amount: number;
}

/** Places an order by invoice, each with another address, because one recipient gets few confirmations at once. */
let orderCount = 0;

async function order(...items: readonly (readonly [id: number, quantity: number])[]): Promise<OrderJson> {
  orderCount += 1;
  const shopper = createClient(origin);
  for (const [id, quantity] of items) await add(shopper, id, quantity);
  const reply = await submit(shopper, await checkoutOf(shopper, "/en"), {
    ...address,
    email: `ada${orderCount}@shop.example`,
    order: "",
  });
  assert.equal(reply.status, 303, reply.text);
  const { out } = await runCommand({ storeDir, env }, "orders", "export");
  return JSON.parse(out.trim().split("\n").at(-1) ?? "");
}

function post(path: string, body: object): ReturnType<Client["send"]> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return createClient(origin).send("POST", path, { headers, body: JSON.stringify(body) });
}

const pay = ({ checkout_id: id, amount }: OrderJson, reference: string): ReturnType<Client["send"]> =>
  post(`/api/checkouts/${id}/complete`, { amount, currency: "EUR", reference });

const run = (...args: readonly string[]) => runCommand({ storeDir, env }, "orders", ...args);

const merchantMails = (): readonly ReceivedMail[] => receiver.mails.filter(({ to }) => to.includes(merchant));
const subjects = (): readonly string[] =>
  merchantMails().map((mail) => mail.header("subject").replaceAll("\u00a0", " "));

/** Waits for the merchant's mail with a subject. */
async function mailWith(subject: string): Promise<ReceivedMail> {
  await until(() => subjects().includes(subject), subject);
  return merchantMails()[subjects().indexOf(subject)] as ReceivedMail;
}

async function setStock(id: number, quantity: number): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/x-ndjson" };
  const body = JSON.stringify({ variant_id: id, quantity });
  assert.equal((await createClient(origin).send("POST", "/admin/stock", { headers, body })).status, 200);
}

test("the merchant gets an email when a payment for an earlier order arrives, and about a second payment to refund", async () => {
  const unpaid = await order([21, 1]);
  assert.equal((await pay(unpaid, "p-1")).status, 200);
  const paid = await mailWith(`Bestellung #${unpaid.number} ist bezahlt: 20,00 €`);
  assert.match(paid.header("reply-to"), /^ada/);
  assert.match(paid.text, new RegExp(`Bestellung anzeigen: https://shop\\.example/admin/orders/${unpaid.number}\n`));
  assert.equal((await pay(unpaid, "p-2")).status, 409);
  const { text } = await mailWith("Rückerstattung fällig: 20,00 €");
  assert.match(
    text,
    new RegExp(`\nBestellung #${unpaid.number} war bereits bezahlt\\.\nErstatten Sie die Zahlung p-2 `),
  );
});

test("the merchant gets an email about what another system does to an order, not about changes in the console or by a command", async () => {
  const orders = [await order([31, 1]), await order([21, 2]), await order([21, 3])];
  const [, byCommand, byApi] = orders.map(({ number }) => String(number));
  for (const command of [
    ["paid", byCommand, "--reference", "c-1"],
    ["cancel", byCommand],
  ])
    assert.equal((await run(...(command as string[]))).code, 0);
  for (const [operation, body] of [
    ["pay", { reference: "a-1" }],
    ["cancel", {}],
  ] as const)
    assert.equal((await post(`/api/orders/${byApi}/${operation}`, body)).status, 200);
  await mailWith(`Bestellung #${byApi} ist bezahlt: 60,00 €`);
  const { text } = await mailWith("Rückerstattung fällig: 60,00 €");
  assert.match(text, new RegExp(`\nBestellung #${byApi} wurde storniert\\.\nErstatten Sie die Zahlung a-1 `));
});

test("an order that reduces variants to two units causes one email about all of them, until they are restocked", async () => {
  await order([11, 1], [12, 1]);
  await order([11, 2], [12, 1], [41, 1]);
  const { text } = await mailWith("Niedriger Bestand: Mantel");
  assert.match(text, /^Niedriger Bestand: Mantel\n\nMantel, Rot, C-RED: 2\nMantel, Blau: 2\n\nTest Harbour\n$/);
  await order([11, 1]);
  await setStock(41, 1);
  await setStock(41, 9);
  await setStock(11, 4);
  await order([11, 3], [41, 7]);
  assert.match((await mailWith("Niedriger Bestand: Mantel und Cup")).text, /Rot, C-RED: 1\nCup: 2\n/);
});

test("no email is sent twice after a restart, or by a second server", async () => {
  await startServer();
  await setStock(41, 10);
  await order([41, 8]);
  await mailWith("Niedriger Bestand: Cup");
  await until(async () => {
    const { err } = await runCommand({ storeDir, env }, "events", "list", "--waiting");
    return /No undelivered events/.test(err);
  }, "all deliveries");
  assert.deepEqual(
    subjects()
      .map((subject) => subject.replace(/#\d+/, "#"))
      .toSorted(),
    [
      "Bestellung # ist bezahlt: 20,00 €",
      "Bestellung # ist bezahlt: 60,00 €",
      "Niedriger Bestand: Cup",
      "Niedriger Bestand: Mantel",
      "Niedriger Bestand: Mantel und Cup",
      "Rückerstattung fällig: 20,00 €",
      "Rückerstattung fällig: 60,00 €",
    ],
  );
  assert.equal(new Set(receiver.attempts).size, receiver.attempts.length);
});

test("settings turn off the emails to the merchant", async () => {
  const path = join(storeDir, "vitrine.config.ts");
  const off = { newOrders: false, payments: false, refundsDue: false, contacts: false, lowStock: 0 };
  const settings = (await readFile(path, "utf8")).replace('"newOrders":false', JSON.stringify(off).slice(1, -1));
  await writeFile(path, settings);
  await startServer();
  for (const app of apps.splice(0, apps.length - 1)) await app.close();
  const count = merchantMails().length;
  const unpaid = await order([11, 1]);
  await setStock(11, 9);
  await order([11, 8]);
  assert.equal((await pay(unpaid, "p-9")).status, 200);
  await pay(unpaid, "p-10");
  const shopper = createClient(origin);
  const fields = { form_type: "contact", "contact[email]": "grace@example.com", "contact[body]": "Hello" };
  const reply = await shopper.send("POST", "/contact", {
    headers: { "content-type": "application/x-www-form-urlencoded", accept: "text/html", "sec-fetch-mode": "navigate" },
    body: new URLSearchParams({ csrf_token: await shopper.token(), ...fields }).toString(),
  });
  assert.equal(reply.status, 303, reply.text);
  const last = await order([21, 1]);
  assert.equal((await run("cancel", String(last.number))).code, 0);
  await until(
    () => receiver.mails.some((mail) => mail.header("subject").includes(`#${last.number} at`)),
    "later mails",
  );
  await until(async () => {
    const { err } = await runCommand({ storeDir, env }, "events", "list", "--waiting");
    return /No undelivered events/.test(err);
  }, "all deliveries");
  assert.equal(merchantMails().length, count);
});
