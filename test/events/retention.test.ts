import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { openStore } from "../../src/cli/store-database.ts";
import { purgeEvents } from "../../src/storage/events/event-rows.ts";
import { runCommand } from "../support/command.ts";
import { placeOrder } from "../support/orders.ts";
import { startShop } from "../support/shop.ts";
import { until } from "../support/until.ts";
import { startReceiver } from "../support/webhook-receiver.ts";

const DAY_MS = 86_400_000;
const [removed, other] = [await startReceiver(), await startReceiver()];
const webhooks = [removed, other].map(({ url, secret }) => ({ url, secret }));
const shop = await startShop({ hasTheme: false, config: { events: { webhooks, timeout: 500 } } });
for (const receiver of [removed, other]) receiver.answer((_, response) => void response.writeHead(503).end());

const events = (...args: readonly string[]) => runCommand(shop, "events", ...args);
const waiting = async (): Promise<readonly { readonly id: string; readonly to: string }[]> =>
  (await events("list", "--waiting", "--json")).out
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));

test("events of a removed receiver are listed and can be dropped", async () => {
  await placeOrder(shop.client());
  await until(async () => (await waiting()).length === 2, "an event for each receiver");
  assert.equal(
    (await events("drop", "--all", "--to", removed.url)).out,
    "Dropped: 0.\n",
    "it is waiting, not given up",
  );
  const settings = { name: "Test Harbour", currency: "USD", events: { webhooks: webhooks.slice(1) } };
  await writeFile(join(shop.storeDir, "vitrine.config.ts"), `export default ${JSON.stringify(settings)};\n`);
  const { err } = await events("list");
  assert.match(err, new RegExp(`The settings have no receiver ${removed.url}. .*environment variables of the server`));
  assert.match(err, new RegExp(`"vitrine events drop --all --to ${removed.url}" deletes its events\\.`));
  assert.doesNotMatch(err, new RegExp(`no receiver ${other.url}`));
  assert.equal((await events("drop", "--all", "--to", removed.url)).out, "Dropped: 1.\n");
  assert.deepEqual(
    (await waiting()).map(({ to }) => to),
    [other.url],
  );
});

test("an event is deleted after 60 days, delivered or not", async () => {
  const [{ id = "" } = {}] = await waiting();
  const { database } = await openStore(shop.storeDir, shop.env.DATABASE_URL);
  try {
    await purgeEvents(database, Date.now() + 59 * DAY_MS);
    assert.equal((await events("show", id)).code, 0);
    await purgeEvents(database, Date.now() + 61 * DAY_MS);
    assert.equal((await events("show", id)).code, 1);
    assert.deepEqual(await waiting(), []);
  } finally {
    await database.close();
  }
});
