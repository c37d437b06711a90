import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { test } from "node:test";
import { variant } from "../support/catalog.ts";
import { createClient } from "../support/client.ts";
import { runCommand } from "../support/command.ts";
import { placeOrder } from "../support/orders.ts";
import { serve } from "../support/server-process.ts";
import { makeStore } from "../support/shop.ts";
import { until } from "../support/until.ts";
import { startReceiver } from "../support/webhook-receiver.ts";

test("LOG_LEVEL=info logs one line per request: route, method, status, and time, and no input, cookies, or tokens of visitors", async () => {
  const storeDir = await makeStore({});
  const server = await serve(storeDir, "export LOG_LEVEL=info");
  const client = createClient(server.origin);
  const mark = (place: string): string => `canary${place}`;
  try {
    await client.get("/fr/products/rope?variant=1");
    await client.get("/nothing/here?q=a");
    await client.post("/cart/add.js", { id: variant.unlimited });
    await client.get(`/search/suggest.json?q=${mark("query")}`);
    await client.get(`/search?q=${mark("page")}`, {
      "user-agent": mark("agent"),
      referer: `https://x.test/${mark("referer")}`,
    });
    await client.get(`/search/suggest?q=a&section_id=${mark("section")}`);
    await client.get(`/${mark("path")}`);
    await client.get("/cart.js", { cookie: `cart=${mark("cookie")}` });
    const properties = { [mark("name")]: mark("value") };
    await client.post("/cart/add.js", { id: variant.tracked, properties });
    const update = { note: mark("note"), discount: mark("discount"), gift_cards: mark("card") };
    await client.post("/cart/update.js", update);
    await client.post("/cart/add.js", `{"${mark("json")}`);
    await client.post("/cart/add.js", { id: mark("id"), quantity: mark("quantity") });
    await client.post(`/cart/add.js?sections_url=${mark("url")}`, { id: variant.tracked });
    await client.post("/cart/add.js", {}, { "x-csrf-token": mark("token") });
    for (const id of [variant.tracked, variant.unlimited])
      await client.post("/cart/add.js", { id }, { "idempotency-key": mark("key") });
    await client.post("/cart/add.js", {}, { "idempotency-key": `${mark("bad")} ${mark("key")}` });
    await client.get("/cart.js?sections=endless,enormous");
    await client.get("/search/suggest?q=a&section_id=endless");
  } finally {
    server.child.kill("SIGTERM");
  }
  const { stdout, stderr, code } = await server.finished;
  await rm(storeDir, { recursive: true, force: true });
  assert.equal(code, 0);
  assert.doesNotMatch(stdout + stderr, /canary/);
  for (const [name, value] of client.cookies) assert.ok(!(stdout + stderr).includes(value), name);
  const lines = stderr.split("\n").filter((text) => text.startsWith("{"));
  const entries = lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  const requests = entries.filter(({ msg }) => String(msg).includes("a request was completed"));
  assert.deepEqual(
    requests.slice(0, 3).map(({ method, route, status }) => `${method} ${route} ${status}`),
    ["GET /products/:handle 404", "GET * 404", "POST /cart/add.js 200"],
  );
  for (const { time, level, msg, method, route, status, durationMs, ...otherFields } of requests) {
    assert.ok(typeof durationMs === "number" && durationMs >= 0);
    assert.deepEqual(otherFields, {});
  }
});

test("the log contains no answers of receivers of events, which may repeat data of customers", async () => {
  const receiver = await startReceiver();
  const email = "ada@example.com";
  receiver.answer((_, response) => response.writeHead(500).end(`cannot store ${email}`));
  const webhooks = [{ url: receiver.url, secret: receiver.secret }];
  const storeDir = await makeStore({ hasTheme: false, config: { events: { webhooks } } });
  const server = await serve(storeDir, "export LOG_LEVEL=warn");
  await placeOrder(createClient(server.origin), email);
  const events = (): ReturnType<typeof runCommand> => runCommand({ storeDir, env: {} }, "events", "list", "--waiting");
  await until(async () => (await events()).out.includes(email));
  server.child.kill("SIGTERM");
  const { stdout, stderr } = await server.finished;
  await rm(storeDir, { recursive: true, force: true });
  assert.match(stderr, /events cannot be delivered to .*vitrine events list --waiting/);
  assert.ok(!(stdout + stderr).includes(email), stderr);
});
