import { constants } from "node:fs";
import { access, chmod, copyFile, open, readFile, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { getErrorCode } from "../not-found.ts";
import { createFieldProblem, createFieldsProblem, Problem } from "../problem.ts";
import { isObject } from "../runtime/is-object.ts";
import { isDiskFull, SetupError } from "../setup-error.ts";
import { hashSettings, liveSettings } from "./live-settings.ts";
import { parseSettings } from "./load-config.ts";
import { importModule } from "./merchant-module.ts";
import { formatSettingPath } from "./setting-line.ts";
import { changeSettingsSource, type SettingChange, type SettingPath } from "./settings-source.ts";
import { findConfigFile } from "./store-folder.ts";

/** The settings file of a store. */
export interface SettingsFile {
  /** Absolute path, without symbolic links. */
  readonly path: string;
  readonly text: string;
  readonly revision: string;
  /** The exported settings, not validated. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** Reads the settings file of a store.  @throws SetupError if it cannot be loaded */
export async function readSettingsFile(storeDir: string): Promise<SettingsFile> {
  const configFile = findConfigFile(storeDir);
  if (configFile === undefined) throw new SetupError(`${storeDir}: contains no vitrine.config.ts.`);
  const path = await realpath(configFile);
  const text = await readFile(path, "utf8");
  const revision = hashSettings(text);
  return { path, text, revision, settings: await loadSettings(path, revision) };
}

async function loadSettings(path: string, version: string): Promise<Readonly<Record<string, unknown>>> {
  const settings = await importModule(path, 'export the settings: "export default defineStore({ … })"', version);
  return Object(settings);
}

/** Returns whether this process may replace the file. */
export async function isWritable({ path }: Pick<SettingsFile, "path">): Promise<boolean> {
  const checks = [access(path, constants.W_OK), access(dirname(path), constants.W_OK)];
  return (await Promise.allSettled(checks)).every(({ status }) => status === "fulfilled");
}

/** A validated change of the settings file that is not saved yet. */
export interface PreparedChange {
  readonly changes: readonly SettingChange[];
  /**
   * Replaces the file. The previous version is copied to `backupFile`.
   * @throws Problem `settings_read_only` if the file cannot be replaced, or the disk is full
   */
  save(backupFile: string): Promise<void>;
  /** Releases the file, whether the change was saved or not. */
  close(): Promise<void>;
}

/**
 * Prepares a change of the settings file. Until `close`, no other change can be prepared.
 * @param patch JSON merge patch
 * @throws Problem `validation_failed` with each invalid setting, `settings_changed` if another change is in progress,
 * `settings_read_only` if the disk is full
 */
export async function prepareChange(
  file: SettingsFile,
  patch: Readonly<Record<string, unknown>>,
): Promise<PreparedChange> {
  const unknownNames = Object.keys(patch).filter((name) => !liveSettings.some((liveSetting) => liveSetting === name));
  if (unknownNames.length > 0)
    throw createFieldsProblem(
      unknownNames.map((field) => ({
        field,
        rule: "unknown",
        message: `${field} cannot be changed here. These settings can: ${liveSettings.join(", ")}.`,
      })),
    );
  const newSettings = applyPatch(file.settings, patch);
  const result = parseSettings(newSettings);
  if ("errors" in result)
    throw createFieldsProblem(
      result.errors.map(({ path, message }) => {
        const field = formatSettingPath(path);
        return { field, rule: "invalid", message: `${field} ${message}.` };
      }),
    );
  const changes = findChanges(file.settings, newSettings);
  const text = changeSettingsSource(file.text, changes);
  if (text === undefined) throw createComputedSettingProblem(changes);
  const temporaryFile = getTemporaryPath(file.path);
  await writeLockFile(temporaryFile, text, (await stat(file.path)).mode);
  const close = (): Promise<void> => rm(temporaryFile, { force: true });
  try {
    if (hashSettings(await readFile(file.path, "utf8")) !== file.revision) throw createConflictProblem();
    const writtenSettings = await loadSettings(temporaryFile, hashSettings(text));
    if (!isDeepStrictEqual(writtenSettings, newSettings)) throw createComputedSettingProblem(changes);
  } catch (error) {
    await close();
    throw error instanceof SetupError ? createComputedSettingProblem(changes) : error;
  }
  return {
    changes,
    async save(backupFile) {
      try {
        await copyFile(file.path, backupFile);
        // Settings may contain passwords.
        await chmod(backupFile, 0o600);
        await rename(temporaryFile, file.path);
      } catch (error) {
        throw explainWriteError(error);
      }
    },
    close,
  };
}

/** Deletes the file of a change that a crash interrupted. Only the process that owns the store may call this function. */
export async function removeInterruptedChange(storeDir: string): Promise<void> {
  const configFile = findConfigFile(storeDir);
  if (configFile === undefined) return;
  const temporaryFile = getTemporaryPath(await realpath(configFile));
  // If the folder is read-only, no change was interrupted.
  if (await isWritable({ path: temporaryFile })) await rm(temporaryFile);
}

/**
 * Returns the path of the file with a change that is not saved yet. It is next to the settings file, so that it can
 * import the same modules, and is also a lock.
 */
function getTemporaryPath(configFile: string): string {
  return join(dirname(configFile), `.vitrine.config.new${extname(configFile)}`);
}

/** Codes of errors when the file may not be replaced. A file that is a mount point gives EBUSY. */
const readOnlyErrors: ReadonlySet<unknown> = new Set(["EACCES", "EBUSY", "EPERM", "EROFS", "EXDEV"]);

function explainWriteError(error: unknown): unknown {
  const code = getErrorCode(error);
  if (readOnlyErrors.has(code)) return createReadOnlyProblem();
  // EFBIG: the file exceeds the limit of the process.
  if (!isDiskFull(error) && code !== "EFBIG") return error;
  return new Problem("settings_read_only", "The disk is full: free some space, and try again.");
}

export function createReadOnlyProblem(): Problem {
  return new Problem(
    "settings_read_only",
    "The server may not write to vitrine.config.ts. Change the file, or allow the server to write to its folder.",
  );
}

export function createConflictProblem(): Problem {
  return new Problem("settings_changed", "The settings have changed since you read them. Read them again.");
}

function createComputedSettingProblem(changes: readonly SettingChange[]): Problem {
  const names = changes.map(({ path }) => formatSettingPath(path));
  return createFieldProblem(
    names[0] ?? "",
    "computed",
    `${names.join(", ")}: code in vitrine.config.ts computes this setting. Edit the file.`,
  );
}

/** Milliseconds after which the lock of a crashed thread is ignored. */
const LOCK_LIFETIME_MS = 10_000;

/** Writes a file that must not exist.  @throws Problem `settings_changed` if another process has just created it */
async function writeLockFile(path: string, text: string, mode: number): Promise<void> {
  const lock = await stat(path).catch(() => undefined);
  const minLockTime = performance.timeOrigin + performance.now() - LOCK_LIFETIME_MS;
  if (lock !== undefined && lock.mtimeMs < minLockTime) await rm(path, { force: true });
  try {
    const handle = await open(path, "wx", mode & 0o777);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw getErrorCode(error) === "EEXIST" ? createConflictProblem() : explainWriteError(error);
  }
}

/** Applies a JSON merge patch to settings: null removes a setting. */
function applyPatch(target: unknown, patch: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const mergedGroup: Record<string, unknown> = isObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    const newValue = isObject(value) ? applyPatch(mergedGroup[name], value) : value;
    // An empty group has the same meaning as a missing one.
    if (newValue === null || (isObject(newValue) && Object.keys(newValue).length === 0)) delete mergedGroup[name];
    else mergedGroup[name] = newValue;
  }
  return mergedGroup;
}

/** Returns the smallest changes that turn one value into the other. A list of another length is replaced. */
function findChanges(oldValue: unknown, after: unknown, path: SettingPath = []): readonly SettingChange[] {
  if (isDeepStrictEqual(oldValue, after)) return [];
  if (isObject(oldValue) && isObject(after))
    return [...new Set([...Object.keys(oldValue), ...Object.keys(after)])].flatMap((key) =>
      findChanges(oldValue[key], after[key], [...path, key]),
    );
  if (Array.isArray(oldValue) && Array.isArray(after) && oldValue.length === after.length)
    return after.flatMap((item, index) => findChanges(oldValue[index], item, [...path, index]));
  return [{ path, value: after }];
}
