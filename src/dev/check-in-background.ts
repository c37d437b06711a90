import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { Finding } from "../theme/check/finding.ts";
import type { ThemeCheckResult, ThemeCheckTask } from "./check-worker.ts";

/**
 * Checks a theme in a background thread.
 * @param onFindings receives the findings of each check, unless the files have changed since its start
 */
export function createThemeCheckWorker(task: ThemeCheckTask, onFindings: (findings: readonly Finding[]) => void) {
  const worker = new Worker(workerFile, { workerData: task });
  worker.unref();
  let isRunning = false;
  let isPending = false;
  const startThemeCheck = (): void => {
    isPending = isRunning;
    if (isRunning) return;
    isRunning = true;
    worker.postMessage("check");
  };
  worker.on("message", (findings: ThemeCheckResult) => {
    isRunning = false;
    if (isPending) startThemeCheck();
    else if (findings !== undefined) onFindings(findings);
  });
  return {
    /** Checks the theme again. If a check is running, the new check starts after it. */
    run: startThemeCheck,
    async close() {
      await worker.terminate();
    },
  };
}

const workerFile = new URL(`./check-worker${extname(import.meta.url)}`, import.meta.url);
