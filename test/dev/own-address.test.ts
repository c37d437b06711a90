import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { after, test } from "node:test";
import { develop } from "../support/server-process.ts";
import { makeStore } from "../support/shop.ts";

const storeDir = await makeStore({ hasTheme: false, config: { origin: "https://shop.example", cdn: {} } });
const server = await develop(storeDir);
after(async () => {
  server.child.kill("SIGTERM");
  await server.finished;
  await rm(storeDir, { recursive: true, force: true });
});

test("the link to the console and its form work at the development server, although the settings name another address", async () => {
  const findLink = (): string | undefined => /First login .*: (\S+)\n/.exec(server.log())?.[1];
  while (findLink() === undefined) await new Promise((resolve) => server.child.stderr?.once("data", resolve));
  const link = new URL(findLink() ?? "");
  assert.equal(link.origin, server.origin);
  const token = /vitrine_[\w-]+/.exec(await (await fetch(link)).text())?.[0] ?? "";
  const body = new URLSearchParams([...link.searchParams, ["token", token]]);
  const options = { method: "POST", headers: { origin: server.origin }, body, redirect: "manual" } as const;
  assert.equal((await fetch(new URL("/admin/first-login", server.origin), options)).status, 303);
});
