import { parentPort, workerData } from "node:worker_threads";
import { type BuildTask, build } from "./build-task.ts";

const port = parentPort;
if (port !== null) await build(workerData as BuildTask, (message) => port.postMessage(message));
