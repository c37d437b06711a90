import assert from "node:assert/strict";
import { test } from "node:test";
import { rows } from "../support/catalog.ts";
import { createApiToken } from "../support/command.ts";
import { logIn, postForm } from "../support/console.ts";
import { startShop } from "../support/shop.ts";
import { until } from "../support/until.ts";

let now = Date.parse("2026-11-25T12:00:00Z");
const shop = await startShop({ rows, config: { console: true, trustProxy: ["127.0.0.1"] }, now: () => now });
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

test("a synonym is suggested after five networks reformulated a search, and is added to the draft or dismissed", async () => {
  for (const from of ["zzqx coracle", "zzqx currach"])
    for (let n = 1; n <= 6; n += 1) {
      const client = shop.client();
      const headers = { "x-forwarded-for": `198.${n}.101.7`, accept: "text/html" };
      for (const q of [from, "oiled jumper"]) {
        now += 100;
        await client.get(`/search?q=${encodeURIComponent(q)}`, headers);
      }
      const referer = `${shop.origin}/search?q=oiled%20jumper`;
      // Four networks do not suffice for the second pair.
      if (from !== "zzqx currach" || n <= 4) await client.get("/products/oiled-jumper", { ...headers, referer });
    }
  const suggested = async () => (await merchant.get("/admin/rules")).text;
  const suggestion = /zzqx coracle =&gt; oiled jumper<\/code> <small class="muted">6 shoppers/;
  await until(async () => suggestion.test(await suggested()), "the suggestion");
  assert.doesNotMatch(await suggested(), /currach/);
  const decide = (more: object) =>
    postForm(shop, merchant, "/admin/rules/suggestions", {
      csrf,
      locale: "en",
      from: "zzqx coracle",
      to: "oiled jumper",
      ...more,
    });
  assert.equal((await decide({ accept: "true" })).headers.location, "/admin/rules?done=added&kind=synonyms");
  const accepted = await suggested();
  assert.match(accepted, /<code class="grow">zzqx coracle =&gt; oiled jumper</);
  assert.doesNotMatch(accepted, /Suggested synonyms/);
  assert.match((await merchant.get("/admin/try?q=zzqx+coracle&rules=draft")).text, /Oiled Jumper/);
  await discardDraft(accepted);
  assert.match(await suggested(), /Suggested synonyms/);
  assert.equal((await decide({})).headers.location, "/admin/rules?done=dismissed");
  assert.doesNotMatch(await suggested(), /Suggested synonyms/);
});
