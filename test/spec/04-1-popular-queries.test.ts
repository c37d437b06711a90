import assert from "node:assert/strict";
import { test } from "node:test";
import type { SuggestJson } from "../support/replies.ts";
import { startShop } from "../support/shop.ts";
import { until } from "../support/until.ts";

const DAY = 86_400_000;
/** Time at noon, so that the date does not change during the searches. */
let now = Math.floor(Date.now() / DAY) * DAY + DAY / 2;
const shop = await startShop({ now: () => now, config: { trustProxy: ["127.0.0.1"] } });
const client = shop.client();

/** Searches once from each of `people` IP addresses. By default each address is in a separate network. */
async function search(term: string, people: number, addressOf = (n: number) => `198.${n}.100.7`): Promise<void> {
  const path = `/search?q=${encodeURIComponent(term)}`;
  await Promise.all(
    Array.from({ length: people }, async (_, n) => {
      const headers = { "user-agent": `browser ${n}`, accept: "text/html", "x-forwarded-for": addressOf(n) };
      assert.equal((await shop.client().get(path, headers)).status, 200);
    }),
  );
}

async function suggestions(q: string): Promise<readonly string[]> {
  const reply = await client.get(`/search/suggest.json?type=query&q=${encodeURIComponent(q)}`);
  return reply.json<SuggestJson>().resources.results.queries.map(({ text }) => text);
}

test("4.1 queries: searches that are frequent in many networks are suggested from the next day, but no personal, rare or forged ones", async () => {
  assert.deepEqual((await suggestions("yellow nor")).includes("yellow norrland raincoat"), false);
  await search("Yellow Norrland raincoat", 45);
  await search("spray yellow coat", 19);
  await search("raincoat spray yellow", 45, () => "203.0.113.9");
  await search("coat spray yellow", 45, (n) => `203.0.113.${n}`);
  await search("raincoat yellow spray", 45, (n) => `2001:db8:7:${n.toString(16)}::1`);
  await search("coat yelow", 45);
  await search("yellow norrl", 45);
  await search("raincoat ada@example.test", 45);
  await search("raincoat 4111 1111 1111 1111", 45);
  await search("raincoat +33 6 12 34 56 78", 45);
  await search("zzqqxx", 45);
  now += DAY;
  await until(async () => {
    now += 60_000;
    return (await suggestions("yellow nor")).includes("yellow norrland raincoat");
  });
  for (const [typed, unwanted] of [
    ["spray yel", "spray yellow coat"],
    ["raincoat spr", "raincoat spray yellow"],
    ["coat spr", "coat spray yellow"],
    ["raincoat yel", "raincoat yellow spray"],
    ["coat yel", "coat yelow"],
    ["yellow nor", "yellow norrl"],
  ] as const)
    assert.ok(!(await suggestions(typed)).includes(unwanted), unwanted);
  assert.deepEqual(await suggestions("zzq"), []);
  for (const text of await suggestions("raincoat")) assert.doesNotMatch(text, /ada|4111|33/);
});
