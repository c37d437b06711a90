import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { after, test } from "node:test";
import { readCart } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import { createClient } from "../support/client.ts";
import { openSocket } from "../support/raw-socket.ts";
import { serve, vitrine } from "../support/server-process.ts";
import { makeStore, openShop } from "../support/shop.ts";

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

  const next = await openShop(storeDir);
  const reader = createClient(next.origin);
  for (const [name, value] of client.cookies) reader.cookies.set(name, value);
  assert.equal((await readCart(reader)).item_count, 21);
  await next.close();
});

test("a second server on one store refuses to start with a message, until the first one is killed", async () => {
  const server = await serve(storeDir);
  const second = await vitrine(["serve", storeDir, "--port", "0"]).finished;
  assert.equal(second.code, 1);
  assert.ok(second.stderr.length > 0 && !/^\s+at /m.test(second.stderr), second.stderr);
  assert.equal((await createClient(server.origin).get("/cart.js")).status, 200, "the first goes on");
  server.child.kill("SIGKILL");
  await server.finished;
  await (await openShop(storeDir)).close();
});

test("idle keep-alive connections do not delay the stop, and SIGHUP acts like SIGTERM", async () => {
  const server = await serve(storeDir);
  await Promise.all(Array.from({ length: 10 }, () => createClient(server.origin).get("/cart.js")));
  server.child.kill("SIGHUP");
  assert.equal((await server.finished).code, 0);
});

test("a hooks module that keeps a connection or a timer open does not prevent the stop, and SIGINT acts like SIGTERM", async () => {
  const hooks = `setInterval(() => {}, 60_000); export default { shipping: { rates: () => [] } };`;
  const hookDir = await makeStore({ config: { hooks: "hooks.ts" }, storeFiles: { "hooks.ts": hooks } });
  after(() => rm(hookDir, { recursive: true, force: true }));
  const server = await serve(hookDir);
  server.child.kill("SIGINT");
  assert.equal((await server.finished).code, 0);
});
