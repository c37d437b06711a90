import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { Finding } from "../theme/check/finding.ts";
import type { CheckAnswer, CheckTask } from "./check-worker.ts";

/** Checks a theme beside the server, in a thread of its own. */
export interface ThemeCheck {
  /** The files are otherwise: they are checked once what is under way is done. */
  run(): void;
  close(): Promise<void>;
}

/** @param onFindings told of all of them after each check, unless the files have changed meanwhile */
export function checkBeside(task: CheckTask, onFindings: (findings: readonly Finding[]) => void): ThemeCheck {
  const worker = new Worker(workerFile, { workerData: task });
  worker.unref();
  let isUnderWay = false;
  let isWanted = false;
  const begin = (): void => {
    isWanted = isUnderWay;
    if (isUnderWay) return;
    isUnderWay = true;
    worker.postMessage("check");
  };
  worker.on("message", (findings: CheckAnswer) => {
    isUnderWay = false;
    if (isWanted) begin();
    else if (findings !== undefined) onFindings(findings);
  });
  return {
    run: begin,
    async close() {
      await worker.terminate();
    },
  };
}

const workerFile = new URL(`./check-worker${extname(import.meta.url)}`, import.meta.url);
