import assert from "node:assert/strict";
import { access, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { rows } from "../support/catalog.ts";
import type { Reply } from "../support/client.ts";
import { createApiToken } from "../support/command.ts";
import { findHandles, logIn, postForm } from "../support/console.ts";
import { startShop } from "../support/shop.ts";
import { until } from "../support/until.ts";

const shop = await startShop({ rows, config: { console: true } });
const { client: merchant, csrf } = await logIn(shop, await createApiToken(shop, "console"));

function post(path: string, fields: Readonly<Record<string, string>> = {}): Promise<Reply> {
  return postForm(shop, merchant, path, { csrf, ...fields });
}

test("rules in files override the console's, are read-only there, and can be imported", async () => {
  const folder = join(shop.storeDir, "search");
  const first = async (q: string): Promise<string> => (await findHandles(shop, q))[0] ?? "";
  const rulesPage = async (): Promise<string> => (await merchant.get("/admin/rules")).text;
  const add = (name: string, query: string, value: string): Promise<Reply> =>
    post("/admin/rules", { name, query, value });
  await add("synonyms", "wherry, tote", "");
  await add("pins", "raincoat", "canvas-tote");
  await add("pins", "anchor", "canvas-tote");
  const [, revision = ""] = /name="revision" value="(\d+)"/.exec(await rulesPage()) ?? [];
  await post("/admin/rules/publish", { revision });
  await until(async () => (await first("wherry")) === "canvas-tote", "the console's rules apply");

  await mkdir(folder);
  await writeFile(join(folder, "pins.txt"), "# first\nrope: oiled-jumper\nraincoat: oiled-jumper");
  await until(async () => (await first("rope")) === "oiled-jumper", "the file applies");
  await until(async () => (await findHandles(shop, "wherry")).length === 0, "the console's rules do not");
  const rulesHtml = await rulesPage();
  assert.match(rulesHtml, /<code class="grow">rope: oiled-jumper<\/code>/);
  assert.match(rulesHtml, /published here before do not apply now/);
  assert.doesNotMatch(rulesHtml, /# first|name="query"|\/admin\/rules\/publish/);
  const rejectedReply = await add("pins", "oar", "canvas-tote");
  assert.equal(rejectedReply.headers.location, "/admin/rules?done=files");
  assert.doesNotMatch((await merchant.get("/admin/try?q=rope")).text, /value="draft"/);
  const exported = await merchant.get("/admin/rules/export/pins.txt");
  assert.equal(exported.text, "rope: oiled-jumper\nraincoat: oiled-jumper\n");

  await writeFile(join(folder, "hides.txt"), "rope oiled-jumper");
  const faulty = await post("/admin/rules/take-over");
  assert.equal(faulty.status, 422);
  assert.match(faulty.text, /search\/hides\.txt:1: .*has no/);
  await rm(join(folder, "hides.txt"));
  const takeOverReply = await post("/admin/rules/take-over");
  assert.equal(takeOverReply.headers.location, "/admin/rules?done=taken_over");
  await until(async () => (await first("wherry")) === "canvas-tote", "the database's rules apply");
  const firsts = [await first("rope"), await first("raincoat"), await first("anchor")];
  assert.deepEqual(
    firsts,
    ["oiled-jumper", "oiled-jumper", "canvas-tote"],
    "a rule of the file replaces one for its query",
  );
  assert.match(await rulesPage(), /name="query"/);
  assert.equal((await add("pins", "oar", "canvas-tote")).headers.location, "/admin/rules?done=added&kind=pins");
  await assert.rejects(access(folder));
});
