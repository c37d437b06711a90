import { join, resolve } from "node:path";
import { loadConfig } from "../../config/load-config.ts";
import type { Config } from "../../config/settings.ts";
import { isStoreFolder } from "../../config/store-folder.ts";
import { locateDatabase } from "../../storage/open-database.ts";
import { system } from "../../system.ts";
import { defineCommand, UsageError } from "../arguments.ts";
import { checkCartDatabases, checkKeys, openCheckedDatabase } from "../doctor/check-data.ts";
import { checkClock, checkDisk, checkVersions } from "../doctor/check-machine.ts";
import {
  checkConsole,
  checkEvents,
  checkHooks,
  checkMail,
  checkProxy,
  checkSearchRules,
  checkThemeFiles,
} from "../doctor/check-settings.ts";
import { checkSharedIndex } from "../doctor/check-shared-index.ts";
import { type CheckResult, createFailure, createSuccess, type Diagnosis, formatResult } from "../doctor/diagnosis.ts";
import type { CommandIo } from "../io.ts";

const usage = `Usage: vitrine doctor [dir]

Checks the installation of the store in dir (default: the current folder), also while its server runs: versions, settings, database,
databases for carts, keys, free disk space, clock, whether the server ignored headers of a proxy, hooks, theme, search rules, mail server,
console, shared index, and events. Every finding names the next step. Reads every page of an SQLite file. Logs in to the mail server,
but sends no message. Writes a small file to the storage of the shared index, and removes it. "vitrine check" checks theme and catalog
files in detail.`;

/** Runs `vitrine doctor`. The exit code is 1 if the store cannot be served, and 0 for warnings only. */
export const run = defineCommand(usage, {}, async ({ positionals }, io) => {
  if (positionals.length > 1) throw new UsageError("doctor takes one folder.");
  const dir = resolve(io.cwd, positionals[0] ?? ".");
  let hasError = false;
  for await (const [checkName, result] of diagnose(dir, io)) {
    hasError ||= result.severity === "error";
    // Commands in the message must start with the program name that the user typed, such as "npx vitrine".
    io.stdout.write(`${formatResult(checkName, result).replaceAll('"vitrine ', () => `"${io.program} `)}\n`);
  }
  return hasError ? 1 : 0;
});

/** @throws SetupError if the folder is not a store */
async function* diagnose(dir: string, { env }: CommandIo): AsyncGenerator<Diagnosis> {
  const dataDir = join(dir, "data");
  const source = locateDatabase(dataDir, env.DATABASE_URL);
  let config: Config | undefined;
  try {
    config = await loadConfig(dir);
    yield ["settings", createSuccess()];
  } catch (error) {
    if (!isStoreFolder(dir)) throw error;
    yield ["settings", createFailure(error)];
  }
  const { result, database } = await openCheckedDatabase(source);
  try {
    yield ["database", result];
    yield* checkCartDatabases(env.CART_DATABASE_URLS, source, database);
    if (config !== undefined) yield ["proxy", checkProxy(dir, config)];
    yield await attempt("versions", checkVersions(dir, database));
    yield await attempt("keys", checkKeys(dataDir, env.VITRINE_SECRET, database, !("file" in source)));
    yield await attempt("disk", checkDisk(dataDir));
    yield await attempt("clock", checkClock(dir, database, system.now()));
    if (database !== undefined) yield await attempt("events", checkEvents(database));
    if (config === undefined) return;
    if (config.hooks !== undefined) yield await attempt("hooks", checkHooks(dir, config));
    yield ["theme", checkThemeFiles(dir, config)];
    yield ["search rules", await checkSearchRules(dir, config)];
    yield ["mail", await checkMail(config)];
    if (database !== undefined && config.console) yield await attempt("console", checkConsole(database));
    const sharedIndex = await checkSharedIndex(dir, config, database, env);
    if (sharedIndex !== undefined) yield ["shared index", sharedIndex];
  } finally {
    await database?.close();
  }
}

/** Waits for a check, and reports its failure, so that the other checks run as well. */
async function attempt(checkName: string, result: Promise<CheckResult>): Promise<Diagnosis> {
  return [checkName, await result.catch(createFailure)];
}
