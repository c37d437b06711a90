import { stat } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { loadConfig } from "../config/load-config.ts";
import type { Config, StoreSettings } from "../config/settings.ts";
import { configFile } from "../config/store-folder.ts";
import type { Log } from "../observability/log.ts";
import { type Poll, poll } from "../runtime/poll.ts";
import { SetupError } from "../setup-error.ts";

/** Milliseconds between looks at the files. One counts once it is alike at two looks: until then it is being saved. */
const POLL_MS = 1_000;

export interface ServedSettings {
  readonly storeDir: string;
  /** Settings that beat the file's. */
  readonly overrides: StoreSettings | undefined;
  readonly config: Config;
}

/** Tells the log which settings have changed while the store is served, as they count after a restart alone; so does the module of
 *  hooks. */
export function followSettings({ storeDir, overrides, config }: ServedSettings, log: Log, pollMs = POLL_MS): Poll {
  const hooks = config.hooks === undefined ? undefined : join(storeDir, config.hooks);
  const settings = followFile(() => configFile(storeDir), tellOfSettings);
  const module = followFile(
    () => hooks,
    async () => log.warn({}, `${config.hooks} has changed and counts after a restart`),
  );
  return poll({ name: "reading changed settings", everyMs: pollMs, log, startsNow: true }, async () => {
    await Promise.all([settings(), module()]);
  });

  async function tellOfSettings(stamp: string): Promise<void> {
    try {
      const names = changedNames(config, await loadConfig(storeDir, overrides, stamp));
      if (names.length > 0) log.warn({}, `settings have changed and count after a restart: ${names.join(", ")}`);
      else log.warn({}, "settings are again as they are served: nothing waits for a restart");
    } catch (error) {
      if (!(error instanceof SetupError)) throw error;
      log.warn({}, `settings have changed, and a restart would fail: ${error.message}`);
    }
  }
}

/** @param onChange told of a file that is otherwise than at the look before the last, and still since then
 *  @returns looks once */
function followFile(find: () => string | undefined, onChange: (stamp: string) => Promise<void>): () => Promise<void> {
  let told: string | undefined;
  let before: string | undefined;
  return async () => {
    const stamp = await stampOf(find());
    const isStill = stamp === before;
    before = stamp;
    told ??= stamp;
    if (stamp === told || !isStill || stamp === "") return;
    told = stamp;
    await onChange(stamp);
  };
}

/** @returns "" for a file that is not there */
async function stampOf(file: string | undefined): Promise<string> {
  if (file === undefined) return "";
  return stat(file).then(
    ({ mtimeMs, size }) => `${mtimeMs}-${size}`,
    () => "",
  );
}

/** "cart.maxLines": settings that two configs have otherwise. */
function changedNames(one: unknown, other: unknown, name = ""): readonly string[] {
  if (isDeepStrictEqual(one, other)) return [];
  if (!isGroup(one) || !isGroup(other)) return [name];
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].flatMap((key) =>
    changedNames(one[key], other[key], name === "" ? key : `${name}.${key}`),
  );
}

function isGroup(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
