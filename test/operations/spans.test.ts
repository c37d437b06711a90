import assert from "node:assert/strict";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { after, test } from "node:test";
import { add } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import { createClient } from "../support/client.ts";
import { serve } from "../support/server-process.ts";
import { makeStore } from "../support/shop.ts";
import { until } from "../support/until.ts";

/** A span in the JSON of OTLP. */
interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const callerId = "00f067aa0ba902b7";
const traceparent = `00-${traceId}-${callerId}-01`;

/** A collector that receives spans over HTTP. */
const spans: Span[] = [];
const collector = createServer(async (request, response) => {
  const { resourceSpans } = JSON.parse(await text(request)) as {
    resourceSpans: { scopeSpans: { spans: Span[] }[] }[];
  };
  spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
  response.setHeader("content-type", "application/json").end("{}");
}).listen(0, "127.0.0.1");
await once(collector, "listening");
after(() => collector.close().closeAllConnections());

const storeDir = await makeStore({ config: { server: { threads: 2, maxWait: 60_000 } } });
after(() => rm(storeDir, { recursive: true }));
const sdk = new URL("../support/start-spans.ts", import.meta.url);
const server = await serve(storeDir, "", {
  NODE_OPTIONS: `--import=${sdk}`,
  OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
  LOG_LEVEL: "info",
});

async function untilSpan(name: string): Promise<Span> {
  return until(() => spans.find((span) => span.name === name), `the span ${name}`);
}

function attributesOf({ attributes }: Span): Readonly<Record<string, unknown>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

test("a collector receives the spans of a request, its search, and its render, below the caller's span", async () => {
  const client = createClient(server.origin);
  const path = "/search/suggest?q=coat&section_id=predictive-search";
  assert.equal((await client.send("GET", path, { headers: { traceparent } })).status, 200);
  const request = await untilSpan("GET /search/suggest");
  const [search, render] = [await untilSpan("search suggestions"), await untilSpan("render section")];
  assert.deepEqual([request.traceId, request.parentSpanId], [traceId, callerId]);
  const expected = { "http.request.method": "GET", "http.route": "/search/suggest", "http.response.status_code": 200 };
  assert.deepEqual(attributesOf(request), expected);
  for (const span of [search, render])
    assert.deepEqual([span.traceId, span.parentSpanId], [traceId, request.spanId], span.name);
  assert.equal(JSON.stringify(spans).includes("coat"), false, "spans contain no texts of customers");
});

test("a write has the span of its commit below the span of its request", async () => {
  spans.length = 0;
  const client = createClient(server.origin);
  const { send } = client;
  client.send = (method, path, options = {}) =>
    send(method, path, { ...options, headers: { ...options.headers, traceparent } });
  await add(client, variant.unlimited);
  const request = await untilSpan("POST /cart/add.js");
  const write = await until(() => spans.find(({ name, traceId: id }) => name === "database write" && id === traceId));
  assert.equal(write.parentSpanId, request.spanId);
});

test("without a header, a request is the root of a trace", async () => {
  spans.length = 0;
  await createClient(server.origin).get("/products/none.js");
  const request = await until(() => spans.find(({ name }) => name.startsWith("GET /products/")));
  assert.equal(request.parentSpanId ?? "", "");
  assert.equal(attributesOf(request)["http.response.status_code"], 404);
});
