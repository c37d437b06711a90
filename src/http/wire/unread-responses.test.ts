import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { limitUnreadResponses } from "./unread-responses.ts";

// The test uses a Unix socket, which buffers only about 200 KB. TCP might buffer the entire response.
const responseBytes = Buffer.alloc(4_000_000, "x");
const dir = await mkdtemp(join(tmpdir(), "vitrine-unread-"));
const path = join(dir, "server");
const onSent = limitUnreadResponses();
const server = createServer((request, response) => {
  response.end(responseBytes);
  onSent(request.socket, response);
});
server.listen(path);
await once(server, "listening");
after(async () => {
  server.close();
  await rm(dir, { recursive: true });
});

/** Sends a request, and reads the response after `mayRead` resolves.  @returns the number of bytes received */
async function readResponse(mayRead: Promise<unknown>): Promise<number> {
  const socket = connect(path).pause();
  socket.on("error", () => undefined).write("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  await mayRead;
  let length = 0;
  socket.on("data", (chunk) => (length += chunk.length)).resume();
  await once(socket, "close");
  return length;
}

test("unread responses use bounded memory: the slowest readers are disconnected, and others are served", async () => {
  // The delay is longer than three checks of the server, which run every 250 milliseconds.
  const delay = new Promise((resolve) => setTimeout(resolve, 800));
  const slowReaders = Array.from({ length: 60 }, () => readResponse(delay));
  for (let attempt = 0; attempt < 5; attempt += 1)
    assert.ok((await readResponse(Promise.resolve())) > responseBytes.length);
  const lengths = await Promise.all(slowReaders);
  const cutCount = lengths.filter((length) => length < responseBytes.length).length;
  assert.ok(cutCount > 0 && cutCount < lengths.length, `${cutCount} of ${lengths.length} were given up`);
});
