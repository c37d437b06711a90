import { parentPort, workerData } from "node:worker_threads";
import { type BuildTask, runBuild } from "./build-task.ts";

const port = parentPort;
if (port !== null) await runBuild(workerData as BuildTask, (message) => port.postMessage(message));
