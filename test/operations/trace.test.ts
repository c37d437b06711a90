import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { after, test } from "node:test";
import fc from "fast-check";
import { parseTraceparent } from "../../src/runtime/trace-context.ts";
import { add } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import { type Client, createClient } from "../support/client.ts";
import { placeOrder } from "../support/orders.ts";
import { type ServerProcess, serve } from "../support/server-process.ts";
import { makeStore } from "../support/shop.ts";
import { until } from "../support/until.ts";
import { startReceiver } from "../support/webhook-receiver.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const spanId = "00f067aa0ba902b7";
const header = `00-${traceId}-${spanId}-01`;

const receiver = await startReceiver();
const storeDir = await makeStore({
  hasTheme: false,
  config: {
    hooks: "hooks.ts",
    server: { threads: 2 },
    events: { webhooks: [{ url: receiver.url, secret: receiver.secret }] },
  },
  storeFiles: {
    "hooks.ts": `export default {
      tax: {
        percents(to, goods, { traceparent }) {
          if (traceparent?.endsWith("-00")) throw new Error("trace of the hook: " + traceparent);
        },
      },
    };`,
  },
});
after(() => rm(storeDir, { recursive: true }));
const server: ServerProcess = await serve(storeDir, "", { LOG_LEVEL: "info" });

/** A client that sends a header `traceparent` with each request. */
function tracedClient(traceparent: string): Client {
  const client = createClient(server.origin);
  const { send } = client;
  client.send = (method, path, options = {}) =>
    send(method, path, { ...options, headers: { ...options.headers, traceparent } });
  return client;
}

interface LogLine {
  readonly msg: string;
  readonly route?: string;
  readonly error?: string;
  readonly trace_id?: string;
  readonly span_id?: string;
}

const logLines = (): readonly LogLine[] =>
  server
    .log()
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line));

test("the ids of a trace are in every log line of its request, and the header reaches hooks", async () => {
  const client = tracedClient(header);
  await client.get("/search/suggest.json?q=coat");
  await client.get("/search/suggest.json?q=coat");
  const unsampled = `${header.slice(0, -2)}00`;
  const failing = tracedClient(unsampled);
  await add(failing, variant.unlimited);
  await failing.get(String((await failing.get("/checkout")).headers.location));
  const hookLine = await until(() => logLines().find(({ msg }) => msg === "a hook failed"));
  assert.match(String(hookLine.error), new RegExp(`trace of the hook: ${unsampled}`));
  assert.deepEqual([hookLine.trace_id, hookLine.span_id], [traceId, spanId]);
  const requests = await until(() => {
    const found = logLines().filter(({ route }) => route === "/search/suggest.json");
    return found.length >= 2 ? found : undefined;
  });
  for (const { trace_id, span_id } of requests) assert.deepEqual([trace_id, span_id], [traceId, spanId]);
});

test("a request without a valid header has no ids in the log", async () => {
  await createClient(server.origin).get("/products.json");
  await tracedClient(`00-${"0".repeat(32)}-${spanId}-01`).get("/products.json");
  await tracedClient("<script>").get("/products.json");
  const requests = await until(() => {
    const found = logLines().filter(({ route }) => route === "/products.json");
    return found.length >= 3 ? found : undefined;
  });
  for (const line of requests) assert.ok(!("trace_id" in line) && !("span_id" in line));
  assert.doesNotMatch(server.log(), /<script>/);
});

test("a webhook has the trace of the request that caused its event", async () => {
  await placeOrder(tracedClient(header));
  const created = await until(() => receiver.received.find(({ type }) => type === "order.created"));
  assert.equal(created.traceparent, header);
  const contact = async (client: Client): Promise<void> => {
    const reply = await client.send("POST", "/contact", {
      headers: { "content-type": "application/x-www-form-urlencoded", accept: "text/html" },
      body: new URLSearchParams({
        csrf_token: await client.token(),
        form_type: "contact",
        "contact[email]": "ada@example.com",
        "contact[body]": "Where is my coat?",
      }).toString(),
    });
    assert.equal(reply.status, 303, reply.text);
  };
  await contact(tracedClient(header));
  await contact(createClient(server.origin));
  const received = await until(() => {
    const contacts = receiver.received.filter(({ type }) => type === "contact.received");
    return contacts.length >= 2 ? contacts : undefined;
  });
  assert.deepEqual(
    received.map(({ traceparent }) => traceparent),
    [header, undefined],
  );
});

test("headers are valid as the specification says, and others are ignored", () => {
  assert.equal(parseTraceparent(header)?.traceparent, header);
  assert.equal(parseTraceparent(`cc-${traceId}-${spanId}-01-later`)?.traceparent, header);
  for (const invalid of [
    undefined,
    [header],
    "",
    `${header}-`,
    `${header} `,
    `${header}, ${header}`,
    `ff-${traceId}-${spanId}-01`,
    `cc-${traceId}-${spanId}-01.later`,
    `00-${"0".repeat(32)}-${spanId}-01`,
    `00-${traceId}-${"0".repeat(16)}-01`,
    header.toUpperCase(),
    header.slice(1),
  ])
    assert.equal(parseTraceparent(invalid), undefined, String(invalid));
  const hex = fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: 16, maxLength: 34 });
  fc.assert(
    fc.property(hex, hex, (trace, span) => {
      const isValid = trace.length === 32 && span.length === 16 && /[1-9a-f]/.test(trace) && /[1-9a-f]/.test(span);
      assert.equal(parseTraceparent(`00-${trace}-${span}-00`) !== undefined, isValid);
    }),
  );
});
