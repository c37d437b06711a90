import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { after, test } from "node:test";
import { readCart } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import { createClient } from "../support/client.ts";
import { openSocket } from "../support/raw-socket.ts";
import { serve, vitrine } from "../support/server-process.ts";
import { makeStore } from "../support/shop.ts";

const storeDir = await makeStore({});
after(() => rm(storeDir, { recursive: true, force: true }));

test("SIGTERM: requests in flight are answered, and the process exits with 0 within 5 seconds", async () => {
  const server = await serve(storeDir);
  const client = createClient(server.origin);
  await client.post("/cart/add.js", { id: variant.unlimited });
  const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const body = JSON.stringify({ id: variant.unlimited, quantity: 1 });
  const { host } = new URL(server.origin);
  const head = `POST /cart/add.js HTTP/1.1\r\nHost: ${host}\r\nCookie: ${cookie}\r\nX-CSRF-Token: ${client.cookies.get("csrf_token")}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  const answers = Array.from({ length: 20 }, () => {
    const socket = openSocket(server.origin);
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
    });
    const closed = new Promise<string>((resolve) => socket.on("close", () => resolve(text)));
    socket.on("error", () => undefined);
    socket.write(head + body.slice(0, 5));
    return { socket, closed };
  });
  await new Promise((resolve) => setTimeout(resolve, 300));
  server.child.kill("SIGTERM");
  await new Promise((resolve) => setTimeout(resolve, 300));
  for (const { socket } of answers) socket.write(body.slice(5));
  const texts = await Promise.all(answers.map(({ closed }) => closed));
  const { code } = await server.finished;
  assert.equal(code, 0);
  for (const text of texts) assert.match(text, /^HTTP\/1\.1 200 /);

  const secondServer = await serve(storeDir);
  const reader = createClient(secondServer.origin);
  for (const [name, value] of client.cookies) reader.cookies.set(name, value);
  assert.equal((await readCart(reader)).item_count, 21);
  secondServer.child.kill("SIGINT");
  assert.equal((await secondServer.finished).code, 0, "SIGINT ends it the same way");
});

test("idle keep-alive connections do not delay the stop, and SIGHUP acts like SIGTERM", async () => {
  const server = await serve(storeDir);
  await Promise.all(Array.from({ length: 10 }, () => createClient(server.origin).get("/cart.js")));
  server.child.kill("SIGHUP");
  assert.equal((await server.finished).code, 0);
});

test("a hooks module that keeps a connection or a timer open does not prevent the stop", async () => {
  const hooks = `setInterval(() => {}, 60_000); export default { shipping: { rates: () => [] } };`;
  const hookDir = await makeStore({ config: { hooks: "hooks.ts" }, storeFiles: { "hooks.ts": hooks } });
  after(() => rm(hookDir, { recursive: true, force: true }));
  const server = await serve(hookDir);
  server.child.kill("SIGTERM");
  assert.equal((await server.finished).code, 0);
});

test("a second server on one store refuses to start with a message", async () => {
  const server = await serve(storeDir);
  try {
    const second = await vitrine(["serve", storeDir, "--port", "0"]).finished;
    assert.equal(second.code, 1);
    assert.ok(second.stderr.length > 0 && !/^\s+at /m.test(second.stderr), second.stderr);
    assert.equal((await createClient(server.origin).get("/cart.js")).status, 200, "the first goes on");
  } finally {
    server.child.kill("SIGTERM");
    await server.finished;
  }
});

test("a killed server leaves nothing that prevents the next start", async () => {
  const first = await serve(storeDir);
  first.child.kill("SIGKILL");
  await first.finished;
  const next = await serve(storeDir);
  next.child.kill("SIGTERM");
  assert.equal((await next.finished).code, 0);
});
