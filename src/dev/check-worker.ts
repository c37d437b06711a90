import { parentPort, workerData } from "node:worker_threads";
import type { Config } from "../config/settings.ts";
import { checkTheme } from "../theme/check/check-theme.ts";
import type { Finding } from "../theme/check/finding.ts";
import { readStoreInfo } from "../theme/check/known-store.ts";

/** Input of the worker thread that checks a theme. */
export interface ThemeCheckTask {
  /** Folder of the theme. */
  readonly dir: string;
  readonly storeDir: string;
  /** Settings of the store. */
  readonly config: Config;
  /** Settings of the store, combined with the theme's settings. */
  readonly themeConfig: Config;
}

/** Findings of a check; undefined if the files could not be read, for example while they are being moved. */
export type ThemeCheckResult = readonly Finding[] | undefined;

const { dir, storeDir, config, themeConfig } = workerData as ThemeCheckTask;
parentPort?.on("message", () => parentPort?.postMessage(checkFolder()));

function checkFolder(): ThemeCheckResult {
  try {
    return checkTheme(dir, themeConfig, readStoreInfo(storeDir, config, themeConfig));
  } catch {
    return undefined;
  }
}
