import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { createClient } from "../support/client.ts";
import { runProgram } from "../support/command.ts";
import { serve } from "../support/server-process.ts";
import { makeStore } from "../support/shop.ts";

const run = (...args: readonly string[]) => runProgram(args);
const advice =
  'X-Forwarded headers from 127.0.0.1 are ignored, so its visitors share one address: if it is your proxy, set trustProxy: ["127.0.0.1"].';

test("forwarded headers of an untrusted proxy are logged once and reported by check and doctor until the settings change", async () => {
  const storeDir = await makeStore({ config: { server: { threads: 2 } } });
  const { out: before } = await run("doctor", storeDir);
  assert.match(before, /^settings: ok\ndatabase: ok \(.*\)\nproxy: ok\n/);
  const server = await serve(storeDir, "", { LOG_LEVEL: "warn" });
  for (let n = 0; n < 20; n += 1)
    assert.equal(
      (await createClient(server.origin).get("/cart.js", { "x-forwarded-for": `192.0.2.${n}` })).status,
      200,
    );
  server.child.kill("SIGTERM");
  const { stderr } = await server.finished;
  assert.equal(stderr.split(advice.slice(0, 40)).length, 2, stderr);
  const check = await run("check", storeDir);
  assert.match(check.out, /vitrine\.config\.ts: warning: X-Forwarded headers from 127\.0\.0\.1 are ignored/);
  assert.equal((await run("doctor", storeDir)).out.split("\n")[2], `proxy: warning: ${advice}`);

  const config = 'export default { name: "Shop", currency: "USD", trustProxy: ["127.0.0.1"] };\n';
  await writeFile(join(storeDir, "vitrine.config.ts"), config);
  assert.doesNotMatch((await run("check", storeDir)).out, /X-Forwarded/);
  assert.match((await run("doctor", storeDir)).out, /^proxy: ok$/m);
});

test("doctor reports a folder without a store", async () => {
  const { code, err } = await run("doctor", "/");
  assert.deepEqual([code, /is not a store/.test(err)], [1, true]);
});
