import { createRequire, syncBuiltinESMExports } from "node:module";
import { parentPort } from "node:worker_threads";
import type { ThreadTask } from "./reused-thread.ts";

const workerThreads = createRequire(import.meta.url)("node:worker_threads");
const threadPort = parentPort;
let tasks = 0;

threadPort?.on("message", async ({ url, port, workerData }: ThreadTask) => {
  port.once("close", () => threadPort.postMessage("idle"));
  Object.assign(workerThreads, { parentPort: port, workerData });
  syncBuiltinESMExports();
  tasks += 1;
  // The query makes Node.js evaluate the module again.
  await import(`${url}?${tasks}`);
});
