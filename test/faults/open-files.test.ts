import assert from "node:assert/strict";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { add } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import { createClient, send } from "../support/client.ts";
import { openSocket } from "../support/raw-socket.ts";
import { serve } from "../support/server-process.ts";
import { makeStore } from "../support/shop.ts";

test("exhausted file descriptors do not affect pages, carts and files, and the log names the limit to raise", {
  skip: process.platform === "win32",
}, async () => {
  const storeDir = await makeStore({ themeFiles: { "assets/one.css": "a{}" } });
  await mkdir(join(storeDir, "media"));
  await writeFile(join(storeDir, "media", "note.txt"), "moin");
  const server = await serve(storeDir, "ulimit -n 160", { LOG_LEVEL: "warn" });
  const sockets = Array.from({ length: 400 }, () => openSocket(server.origin).on("error", () => undefined));
  await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once("connect", resolve))));
  const client = createClient(server.origin);
  for (let turn = 0; turn < 5; turn += 1) {
    // A change makes the server scan the theme again.
    await writeFile(join(storeDir, "theme", "assets", "one.css"), `a{top:${turn}px}`);
    for (const path of ["/", "/products/harbour-raincoat", "/media/note.txt", "/assets/one.css"])
      assert.equal((await client.get(path)).status, 200, path);
    await add(client, variant.unlimited);
    await new Promise((resolve) => setTimeout(resolve, 120));
  }
  assert.match((await send(server.origin, "GET", "/")).text, /type=index /);
  for (const socket of sockets) socket.destroy();
  server.child.kill("SIGTERM");
  assert.equal((await server.finished).code, 0);
  assert.doesNotMatch(server.log(), /EMFILE/);
  assert.match(server.log(), /more than 40 connections.*LimitNOFILE/);
  await rm(storeDir, { recursive: true });
});
