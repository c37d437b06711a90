import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, get, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { createEventStreams, type EventStream } from "./event-streams.ts";

let time = 0;
const streams = createEventStreams(() => time);
const openedStreams: { readonly stream: EventStream; readonly response: ServerResponse; isEnded: boolean }[] = [];
const server = createServer((request, response) => {
  const body = {
    startStream(stream: EventStream) {
      const entry = { stream, response, isEnded: false };
      openedStreams.push(entry);
      return () => {
        entry.isEnded = true;
      };
    },
  };
  response.writeHead(200, { connection: "close" });
  streams.open(request, response, body, false);
}).listen(0, "127.0.0.1");
await once(server, "listening");
after(() => server.close());

async function connect(): Promise<IncomingMessage> {
  const { port } = server.address() as AddressInfo;
  const [reply] = await once(get({ port, host: "127.0.0.1", agent: false }), "response");
  return reply;
}

test("an idle stream sends keep-alive comments, and ends at its maximum age", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const reply = (await connect()).setEncoding("utf8");
  const advanceTime = (ms: number): void => {
    time += ms;
    t.mock.timers.tick(1_000);
  };
  let text = "";
  reply.on("data", (chunk) => {
    text += chunk;
  });
  const [entry] = openedStreams.splice(0);
  assert.ok(entry);
  advanceTime(9_000);
  entry.stream.send("a", "1", "x");
  advanceTime(9_000);
  advanceTime(1_000);
  assert.equal(entry.isEnded, false);
  advanceTime(280_000);
  advanceTime(1_000);
  await once(reply, "end");
  assert.match(text, /^retry: \d+\n\nid: x\nevent: a\ndata: 1\n\n(?::\n\n){2}$/);
  if (!entry.response.closed) await once(entry.response, "close");
  assert.equal(entry.isEnded, true);
});

test("a client that does not read is disconnected before much data is buffered", async () => {
  const reply = await connect();
  reply.pause().on("error", () => undefined);
  const [entry] = openedStreams.splice(0);
  assert.ok(entry);
  let maxUnread = 0;
  while (!entry.response.destroyed) {
    entry.stream.send("a", "x".repeat(8_000), "x");
    maxUnread = Math.max(maxUnread, entry.response.writableLength);
    await turn();
  }
  assert.ok(maxUnread < 32 * 1_024, `${maxUnread} bytes`);
  if (!entry.response.closed) await once(entry.response, "close");
  assert.equal(entry.isEnded, true);
});

test("an event after the end is dropped without an error", async () => {
  const reply = (await connect()).setEncoding("utf8");
  const [entry] = openedStreams.splice(0);
  assert.ok(entry);
  entry.stream.end();
  entry.stream.send("a", "1", "x");
  streams.close();
  let text = "";
  for await (const chunk of reply) text += chunk;
  assert.match(text, /^retry: \d+\n\n$/);
  assert.match((await (await connect()).toArray()).join(""), /^retry: \d+\n\n$/);
  assert.deepEqual(openedStreams, []);
});
