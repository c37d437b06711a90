import assert from "node:assert/strict";
import { test } from "node:test";
import type { SuggestJson } from "../replies.ts";
import { startShop } from "../shop.ts";

let now = Date.now();
const shop = await startShop({ now: () => now });
const client = shop.client();

/** Visitors are told apart by address and agent. */
async function searched(term: string, visitors: number, times = 1): Promise<void> {
  for (let visitor = 0; visitor < visitors; visitor += 1) {
    for (let time = 0; time < times; time += 1) {
      const path = `/search?q=${encodeURIComponent(term)}`;
      const { status } = await shop.client().get(path, { "user-agent": `browser ${visitor}`, accept: "text/html" });
      assert.equal(status, 200);
    }
  }
}

async function suggestions(q: string): Promise<readonly string[]> {
  const reply = await client.get(`/search/suggest.json?type=query&q=${encodeURIComponent(q)}`);
  return reply.json<SuggestJson>().resources.results.queries.map(({ text }) => text);
}

test("4.1 queries: what 20 visitors searched and found is suggested, and nothing that is personal, rarer or finds nothing", async () => {
  assert.deepEqual((await suggestions("yellow nor")).includes("yellow norrland raincoat"), false);
  await searched("Yellow Norrland raincoat", 20);
  await searched("spray yellow coats", 19);
  await searched("raincoat spray yellow", 1, 25);
  await searched("raincoat ada@example.test", 20);
  await searched("raincoat 4111 1111 1111 1111", 20);
  await searched("raincoat +33 6 12 34 56 78", 20);
  await searched("zzqqxx", 20);
  const started = performance.now();
  while (!(await suggestions("yellow nor")).includes("yellow norrland raincoat")) {
    assert.ok(performance.now() - started < 8_000, "shown within some seconds");
    await new Promise((resolve) => setTimeout(resolve, 250));
    now += 60_000;
  }
  assert.ok(!(await suggestions("spray yel")).includes("spray yellow coats"));
  assert.ok(!(await suggestions("raincoat spr")).includes("raincoat spray yellow"));
  assert.deepEqual(await suggestions("zzq"), []);
  for (const text of await suggestions("raincoat")) assert.doesNotMatch(text, /ada|4111|33/);
});
