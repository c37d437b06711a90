import { parentPort, workerData } from "node:worker_threads";
import { type BuildTask, runBuild } from "./build-task.ts";

const port = parentPort;
// Without a top-level await: V8 ends the process if a thread is terminated while such a module is evaluated.
if (port !== null) void runBuild(workerData as BuildTask, (message) => port.postMessage(message));
