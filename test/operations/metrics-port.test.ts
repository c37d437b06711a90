import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { createServer } from "node:http";
import { after, test } from "node:test";
import { send } from "../support/client.ts";
import { runProgram } from "../support/command.ts";
import { vitrine } from "../support/server-process.ts";
import { makeStore } from "../support/shop.ts";
import { until } from "../support/until.ts";

test("METRICS_PORT serves the metrics on a separate port until the stop", async () => {
  const storeDir = await makeStore({});
  after(() => rm(storeDir, { recursive: true, force: true }));
  const { child, finished } = vitrine(["serve", storeDir, "--port", "0"], "export METRICS_PORT=0");
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name]?.on("data", (chunk: Buffer) => {
      output[name] += chunk.toString();
    });
  await Promise.race([until(() => output.stdout.startsWith("Vitrine is serving ")), finished]);
  const address = /^Metrics are at (http:\/\/127\.0\.0\.1:\d+)\/metrics$/m.exec(output.stderr)?.[1] ?? "";
  assert.equal((await send(address, "GET", "/metrics")).status, 200, output.stderr);
  child.kill("SIGTERM");
  assert.equal((await finished).code, 0);
  await assert.rejects(send(address, "GET", "/metrics"));
  assert.equal(output.stdout.trim().split("\n").length, 1);
});

test("an invalid METRICS_PORT is a usage error, and a port in use prevents the start", async () => {
  const storeDir = await makeStore({});
  after(() => rm(storeDir, { recursive: true, force: true }));
  for (const [value, pattern] of [
    ["nine", /METRICS_PORT: "nine" is not a port/],
    ["65536", /METRICS_PORT: "65536" is not a port/],
    ["", /METRICS_PORT: "" is not a port/],
    ["43210", /METRICS_PORT: 43210 is the port of the shop/],
  ] as const) {
    const { code, out, err } = await runProgram(["serve", storeDir, "--port", "43210"], { METRICS_PORT: value });
    assert.deepEqual([code, out], [2, ""], err);
    assert.match(err, pattern);
  }
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const takenAddress = other.address();
  assert.ok(typeof takenAddress === "object" && takenAddress !== null);
  const stopped = await vitrine(["serve", storeDir, "--port", "0"], `export METRICS_PORT=${takenAddress.port}`)
    .finished;
  other.close();
  assert.deepEqual([stopped.code, stopped.stdout], [1, ""]);
  assert.match(stopped.stderr, new RegExp(`port ${takenAddress.port} is in use: choose another with METRICS_PORT`));
});
