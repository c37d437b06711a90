import { stat } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { loadConfig } from "../config/load-config.ts";
import type { Config, StoreSettings } from "../config/settings.ts";
import { findConfigFile } from "../config/store-folder.ts";
import type { Log } from "../observability/log.ts";
import { type PollLoop, poll } from "../runtime/poll.ts";
import { SetupError } from "../setup-error.ts";

/**
 * Milliseconds between polls. A change is reported only if two polls in a row find the same version of the file,
 * because the file may still be written.
 */
const POLL_INTERVAL_MS = 1_000;

export interface RunningSettings {
  readonly storeDir: string;
  /** Settings that override the settings of the file. */
  readonly overrides: StoreSettings | undefined;
  readonly config: Config;
}

/** Logs when the settings or the hooks module change on disk, because changes apply only after a restart. */
export function watchSettings(
  { storeDir, overrides, config }: RunningSettings,
  log: Log,
  pollIntervalMs = POLL_INTERVAL_MS,
): PollLoop {
  const hooks = config.hooks === undefined ? undefined : join(storeDir, config.hooks);
  const settingsWatcher = watchFile(() => findConfigFile(storeDir), reportChanges);
  const hooksWatcher = watchFile(
    () => hooks,
    async () => log.warn({}, `${config.hooks} has changed: restart the server to apply it`),
  );
  return poll(
    { name: "reading changed settings", intervalMs: pollIntervalMs, log, startsImmediately: true },
    async () => {
      await Promise.all([settingsWatcher(), hooksWatcher()]);
    },
  );

  async function reportChanges(fileVersion: string): Promise<void> {
    try {
      const names = findChangedNames(config, await loadConfig(storeDir, overrides, fileVersion));
      if (names.length > 0)
        log.warn({}, `settings have changed; restart the server to apply them: ${names.join(", ")}`);
      else log.warn({}, "settings match the running server again: no restart is needed");
    } catch (error) {
      if (!(error instanceof SetupError)) throw error;
      log.warn({}, `settings have changed, and a restart would fail: ${error.message}`);
    }
  }
}

/**
 * Creates a function that polls a file.
 * @param onChange called when the file has changed, and did not change again until the next poll
 */
function watchFile(
  findFile: () => string | undefined,
  onChange: (fileVersion: string) => Promise<void>,
): () => Promise<void> {
  let reportedVersion: string | undefined;
  let previousVersion: string | undefined;
  return async () => {
    const fileVersion = await readFileVersion(findFile());
    const isStable = fileVersion === previousVersion;
    previousVersion = fileVersion;
    reportedVersion ??= fileVersion;
    if (fileVersion === reportedVersion || !isStable || fileVersion === "") return;
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
  if (!isSettingGroup(oldValue) || !isSettingGroup(newValue)) return [name];
  return [...new Set([...Object.keys(oldValue), ...Object.keys(newValue)])].flatMap((key) =>
    findChangedNames(oldValue[key], newValue[key], name === "" ? key : `${name}.${key}`),
  );
}

function isSettingGroup(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
