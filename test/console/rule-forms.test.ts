import assert from "node:assert/strict";
import { test } from "node:test";
import { rows } from "../support/catalog.ts";
import { createApiToken } from "../support/command.ts";
import { logIn, postForm } from "../support/console.ts";
import { startShop } from "../support/shop.ts";

const shop = await startShop({ rows, config: { console: true } });
const { client: merchant, csrf } = await logIn(shop, await createApiToken(shop, "console"));

async function discardDraft(page: string): Promise<void> {
  const [, revision = ""] = /name="revision" value="(\d+)"/.exec(page) ?? [];
  await postForm(shop, merchant, "/admin/rules/discard", { csrf, revision });
}

test("the form adds a ranking rule to the draft, which the preview applies", async () => {
  const fields = { csrf, name: "ranking", query: "harbour", value: "newness", amount: "60", points: "4" };
  assert.equal((await postForm(shop, merchant, "/admin/rules", fields)).status, 303);
  const page = (await merchant.get("/admin/rules")).text;
  assert.match(page, /<code class="grow">harbour: newness 60 \+4</);
  const preview = (await merchant.get("/admin/try?q=harbour&rules=draft")).text;
  assert.match(preview, /Ranked by newness within 60 days \(up to \+4\)/);
  await discardDraft(page);
});
