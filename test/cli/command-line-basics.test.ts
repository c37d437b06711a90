import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { add } from "../support/assertions.ts";
import { product } from "../support/catalog.ts";
import { createApiToken, runCommand, runProgram } from "../support/command.ts";
import { placeOrder } from "../support/orders.ts";
import { vitrine } from "../support/server-process.ts";
import { makeStore, startShop } from "../support/shop.ts";
import { putSchema } from "../support/test-database.ts";

const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
  readonly version: string;
};
const shop = await startShop({
  hasTheme: false,
  config: { console: true },
  rows: [product(1, "mug", "Mug", [{ id: 11, title: "Default Title", price: 900 }])],
});
const orders = (...args: readonly string[]) => runCommand(shop, "orders", ...args);
const runs = (...args: string[]) => runProgram(args);

test("-h and --help list the commands, --version and -v print the version, and each command has -h", async () => {
  const [long, short] = [await runs("--help"), await runs("-h")];
  assert.deepEqual([long.code, short.code, short.out], [0, 0, long.out]);
  assert.match(long.out, /^Usage: vitrine <command>\n[\s\S]* {2}orders +\w/);
  for (const option of ["--version", "-v"]) {
    const printed = await runs(option);
    assert.deepEqual([printed.code, printed.out], [0, `${version}\n`]);
  }
  const help = await orders("-h");
  assert.deepEqual([help.code, help.err], [0, ""]);
  assert.match(help.out, /^Usage: vitrine orders list/);
});

test("a command whose output is on a full disk reports it on one line, with exit code 1", {
  skip: existsSync("/dev/full") ? false : "the system has no /dev/full",
}, async () => {
  const { code, stderr } = await vitrine(["help"], "exec >/dev/full").finished;
  assert.deepEqual([code, stderr], [1, "vitrine: the output is incomplete: the disk is full.\n"]);
});

test("a command ends without an error if the reader of its output closes the pipe", async () => {
  const { child, finished } = vitrine(["help"]);
  child.stdout?.destroy();
  const { code, stderr } = await finished;
  assert.deepEqual([code, stderr], [0, ""]);
});

test("a misspelled command or option suggests the closest one", async () => {
  const misspelled = await runs("ordres");
  assert.equal(misspelled.code, 2);
  assert.match(misspelled.err, /there is no command "ordres": did you mean "orders"\?/);
  assert.doesNotMatch((await runs("sell")).err, /did you mean/);
  const option = await orders("list", "--sinse", "2026-11-01");
  assert.equal(option.code, 2);
  assert.match(option.err, /there is no option --sinse: did you mean "--since"\?/);
});

test("orders print as JSON and as text, with correct plurals and no title for the default variant", async () => {
  await placeOrder(shop.client(), "ada@example.com", "", { id: 11 });
  await placeOrder(shop.client(), "ada@example.com", "", { id: 11, quantity: 2 });
  const { out } = await orders("list");
  assert.match(out, / 1 piece {2}ada[\s\S]* 2 pieces {2}ada/);
  const [, number = ""] = /#(\d+) [^\n]* 1 piece /.exec(out) ?? [];
  assert.match((await orders("show", number)).out, /\n {2}1 x Mug {2}\$9\.00\n/);
  assert.doesNotMatch((await orders("export", "--format", "csv")).out, /Default Title/);

  const list = (await orders("list", "--json")).out.trim().split("\n");
  assert.deepEqual(
    list.map((line) => (JSON.parse(line) as { readonly amount: number }).amount),
    [900, 1_800],
  );
  assert.deepEqual((await orders("show", number, "--json")).out, `${list[0]}\n`);
  assert.equal((await orders("cancel", number)).code, 0);
  assert.equal((await orders("refunds", "--json")).code, 0);
  const rejectedResult = await orders("cancel", number, "--json");
  assert.equal(rejectedResult.code, 2);
  assert.match(rejectedResult.err, /--json is for list, show, refunds and export/);
});

test("the console's page of an order shows no title for the default variant", async () => {
  const admin = shop.client();
  await admin.send("POST", "/admin/login", {
    headers: { "content-type": "application/x-www-form-urlencoded", origin: shop.origin },
    body: new URLSearchParams({ token: await createApiToken(shop, "console") }).toString(),
  });
  const client = shop.client();
  await add(client, 11, 1);
  const [, number = ""] = /#(\d+) /.exec((await orders("list")).out) ?? [];
  const page = await admin.get(`/admin/orders/${number}`);
  assert.match(page.text, /Mug/);
  assert.doesNotMatch(page.text, /Default Title/);
});

test("commands that send no events run without a webhook secret; serve and events test name the missing one", async () => {
  const url = "https://erp.example/hooks";
  const storeDir = await makeStore({ hasTheme: false });
  after(() => rm(storeDir, { recursive: true, force: true }));
  await putSchema(storeDir);
  const settings = `{ name: "Test", currency: "USD", events: { webhooks: [{ url: "${url}", secret: process.env.NOT_SET }] } }`;
  await writeFile(join(storeDir, "vitrine.config.ts"), `export default ${settings};\n`);
  for (const [command, ...args] of [
    ["orders", "list"],
    ["events", "list"],
    ["token", "list"],
    ["contacts"],
    ["check"],
    ["import", join(storeDir, "catalog")],
    ["export", "--out", join(storeDir, "out")],
  ] as const) {
    const { code, err } = await runCommand({ storeDir, env: {} }, command, ...args);
    assert.equal(code, 0, `${command}: ${err}`);
  }
  const missing = new RegExp(`events\\.webhooks has no secret for ${url.replaceAll(".", "\\.")}`);
  await assert.rejects(runCommand({ storeDir, env: {} }, "events", "test", url), missing);
  const served = await vitrine(["serve", storeDir, "--port", "0"]).finished;
  assert.equal(served.code, 1);
  assert.match(served.stderr, missing);
});

test("a search in a store without a catalog says so", async () => {
  const folder = await makeStore({ config: {} });
  const searched = await runs("search", "--store", folder, "mug");
  assert.deepEqual([searched.code, searched.out], [1, ""]);
  assert.match(searched.err, /^The store has no catalog yet\. Import one with `vitrine import`/);
});
