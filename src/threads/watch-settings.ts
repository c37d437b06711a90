import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { applyLiveSettings, hashSettings, type RunningSettings } from "../config/live-settings.ts";
import { loadConfig } from "../config/load-config.ts";
import type { Config, StoreSettings } from "../config/settings.ts";
import { findConfigFile } from "../config/store-folder.ts";
import type { Log } from "../observability/log.ts";
import { isObject } from "../runtime/is-object.ts";
import { poll } from "../runtime/poll.ts";
import { SetupError } from "../setup-error.ts";

/**
 * Milliseconds between polls. A change is reported only if two polls in a row find the same version of the file,
 * because the file may still be written.
 */
const POLL_INTERVAL_MS = 1_000;

export interface WatchedSettings {
  readonly storeDir: string;
  /** Settings that override the settings of the file. */
  readonly overrides: StoreSettings | undefined;
  readonly config: Config;
  /** Receives the settings after each valid change of the file. */
  readonly onChange: (settings: RunningSettings) => void;
}

export interface SettingsWatcher {
  /** Reads the settings file without waiting for the next poll. The caller has completely written the file. */
  readNow(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Applies changes of the settings file. Logs which changed settings apply only after a restart, as does a change of the
 * hooks module.
 */
export function watchSettings(
  { storeDir, overrides, config, onChange }: WatchedSettings,
  log: Log,
  pollIntervalMs = POLL_INTERVAL_MS,
): SettingsWatcher {
  let runningConfig = config;
  let isRestartReported = false;
  let isFileComplete = false;
  const hooks = config.hooks === undefined ? undefined : join(storeDir, config.hooks);
  const settingsWatcher = watchFile(
    () => findConfigFile(storeDir),
    (fileVersion) => (fileVersion === "" ? reportMissingFile() : applyChanges(fileVersion)),
    () => isFileComplete,
  );
  const hooksWatcher = watchFile(
    () => hooks,
    async (fileVersion) =>
      log.warn(
        {},
        fileVersion === ""
          ? `${config.hooks} is missing, and a restart would fail: restore it`
          : `${config.hooks} has changed: restart the server to apply it`,
      ),
  );
  const job = poll(
    { name: "reading changed settings", intervalMs: pollIntervalMs, log, startsImmediately: true },
    async () => {
      await Promise.all([settingsWatcher(), hooksWatcher()]);
    },
  );
  return {
    async readNow() {
      isFileComplete = true;
      try {
        await job.runNow();
      } finally {
        isFileComplete = false;
      }
    },
    close: job.close,
  };

  async function reportMissingFile(): Promise<void> {
    isRestartReported = true;
    log.warn({}, "the settings file is missing, and a restart would fail: restore it");
  }

  async function applyChanges(fileVersion: string): Promise<void> {
    try {
      const revision = await computeSettingsRevision(storeDir);
      const savedConfig = await loadConfig(storeDir, overrides, fileVersion);
      const newConfig = applyLiveSettings(runningConfig, savedConfig);
      const appliedNames = findChangedNames(runningConfig, newConfig);
      const pendingNames = findChangedNames(newConfig, savedConfig);
      runningConfig = newConfig;
      onChange({ config: newConfig, revision });
      if (appliedNames.length > 0) log.info({}, `changed settings apply now: ${appliedNames.join(", ")}`);
      if (pendingNames.length > 0)
        log.warn({}, `settings have changed; restart the server to apply them: ${pendingNames.join(", ")}`);
      else if (isRestartReported) log.warn({}, "settings match the running server again: no restart is needed");
      isRestartReported = pendingNames.length > 0;
    } catch (error) {
      if (!(error instanceof SetupError)) throw error;
      isRestartReported = true;
      log.warn({}, `settings have changed, and a restart would fail: ${error.message}`);
    }
  }
}

/** Returns a hash of the settings file; "" if there is none. */
async function computeSettingsRevision(storeDir: string): Promise<string> {
  const file = findConfigFile(storeDir);
  return file === undefined ? "" : hashSettings(await readFile(file, "utf8"));
}

/**
 * Creates a function that polls a file.
 * @param onChange called when the file has changed or was removed, and did not change again until the next poll
 * @param isComplete returns whether the file is completely written, so that the next poll is not necessary
 */
function watchFile(
  findFile: () => string | undefined,
  onChange: (fileVersion: string) => Promise<void>,
  isComplete: () => boolean = () => false,
): () => Promise<void> {
  let reportedVersion: string | undefined;
  let previousVersion: string | undefined;
  return async () => {
    const fileVersion = await readFileVersion(findFile());
    const isStable = fileVersion === previousVersion || isComplete();
    previousVersion = fileVersion;
    reportedVersion ??= fileVersion;
    if (fileVersion === reportedVersion || !isStable) return;
    reportedVersion = fileVersion;
    await onChange(fileVersion);
  };
}

/** Returns the modification time and size of a file; "" if the file does not exist. */
async function readFileVersion(file: string | undefined): Promise<string> {
  if (file === undefined) return "";
  return stat(file).then(
    ({ mtimeMs, size }) => `${mtimeMs}-${size}`,
    () => "",
  );
}

/** Returns the names of the settings that differ between two configs, such as "cart.maxLines". */
function findChangedNames(oldValue: unknown, newValue: unknown, name = ""): readonly string[] {
  if (isDeepStrictEqual(oldValue, newValue)) return [];
  if (!isObject(oldValue) || !isObject(newValue)) return [name];
  return [...new Set([...Object.keys(oldValue), ...Object.keys(newValue)])].flatMap((key) =>
    findChangedNames(oldValue[key], newValue[key], name === "" ? key : `${name}.${key}`),
  );
}
