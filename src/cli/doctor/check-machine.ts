import { readdir, readFile, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { findConfigFile } from "../../config/store-folder.ts";
import { ignoreNotFound } from "../../not-found.ts";
import { readPackageVersion } from "../../runtime/package-version.ts";
import type { Database } from "../../storage/database.ts";
import { LATEST_VERSION } from "../../storage/schema-version.ts";
import { type CheckResult, createSuccess, createWarning } from "./diagnosis.ts";

/**
 * Checks that the package.json of the store requires the running version of Vitrine, so that "npm install" does not
 * install another, and that all servers and commands on the database have this version.
 */
export async function checkVersions(storeDir: string, database: Database | undefined): Promise<CheckResult> {
  const version = readPackageVersion();
  const text = await readFile(join(storeDir, "package.json"), "utf8").catch(ignoreNotFound);
  const requiredVersion = text === undefined ? undefined : readVitrineVersion(text);
  if (requiredVersion !== undefined && /^\d/.test(requiredVersion) && requiredVersion !== version)
    return createWarning(
      `package.json of the store names Vitrine ${requiredVersion}, but this is ${version}: run "npm install" in the store, or set the version in package.json.`,
    );
  const connectedVersions = (await database?.readConnectedVersions?.()) ?? [];
  const otherVersion = connectedVersions.find(
    (runningServer) => runningServer.version !== version || runningServer.schemaVersion !== LATEST_VERSION,
  );
  if (otherVersion !== undefined)
    return createWarning(
      `a server of Vitrine ${otherVersion.version} (schema ${otherVersion.schemaVersion}) uses the database, but this is ${version} (schema ${LATEST_VERSION}): after an upgrade, install the same version on all servers.`,
    );
  return createSuccess(`Vitrine ${version}, Node ${process.versions.node}, SQLite ${process.versions.sqlite}`);
}

function readVitrineVersion(packageText: string): string | undefined {
  try {
    return (JSON.parse(packageText) as { readonly dependencies?: { readonly vitrine?: string } }).dependencies?.vitrine;
  } catch {
    return undefined;
  }
}

/** Minimum free disk space in bytes: about ten times the data that a busy shop writes per day. */
const MIN_FREE_BYTES = 500e6;

/** Checks the free disk space, and whether interrupted commands have left files in the data folder. */
export async function checkDisk(dataDir: string): Promise<CheckResult> {
  if ((await stat(dataDir).catch(ignoreNotFound)) === undefined) return createSuccess("no data yet");
  const names = await readdir(dataDir, { recursive: true });
  const leftoverFolder = names.find((name) => /^\.vitrine-(?:backup|restore)-\w+$/.test(name));
  if (leftoverFolder !== undefined)
    return createWarning(
      `${join(dataDir, leftoverFolder)} is left from an interrupted command and contains customers' data: delete it, unless a backup is in progress.`,
    );
  const sizes = names
    .filter(isStoreData)
    .map(async (name) => (await stat(join(dataDir, name)).catch(ignoreNotFound))?.size ?? 0);
  const usedBytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  const { bavail, bsize, ffree, files } = await statfs(dataDir);
  const freeBytes = bavail * bsize;
  const neededBytes = Math.max(MIN_FREE_BYTES, usedBytes);
  if (files > 0 && ffree === 0)
    return createWarning(`the file system of ${dataDir} can hold no more files: delete some, or move the store.`);
  if (freeBytes < neededBytes)
    return createWarning(
      `${formatMegabytes(freeBytes)} are free for ${dataDir}, but a new index, a backup, or a migration may need ${formatMegabytes(neededBytes)}: free some space, or move the store.`,
    );
  return createSuccess(`${formatMegabytes(freeBytes)} free, ${formatMegabytes(usedBytes)} used`);
}

/**
 * Returns whether a file in the data folder belongs to the database or an index. A backup, a migration, or a new index
 * may need as much space again.
 */
function isStoreData(name: string): boolean {
  return name.startsWith("vitrine.db") || name.startsWith("index");
}

function formatMegabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}

/**
 * Maximum difference of clocks in milliseconds. Tokens and deadlines tolerate a larger difference, but events may then
 * be in the wrong order.
 */
const MAX_CLOCK_DIFFERENCE_MS = 2_000;

/**
 * Compares the clock of this machine with the clock of the database server, and with the times of the newest cart and
 * of the last change of the settings.
 * @param now clock of this machine, in milliseconds since 1970
 */
export async function checkClock(storeDir: string, database: Database | undefined, now: number): Promise<CheckResult> {
  const advice = 'set the clock, and keep it synchronized, for example with "timedatectl set-ntp true".';
  const differenceMs = database === undefined ? 0 : now - database.now();
  if (Math.abs(differenceMs) > MAX_CLOCK_DIFFERENCE_MS)
    return createWarning(
      `the clock of this machine is ${formatSeconds(differenceMs)} ${differenceMs > 0 ? "ahead of" : "behind"} the database server: ${advice}`,
    );
  const [row] = (await database?.read("SELECT MAX(updated_at) AS time FROM carts").catch(() => [])) ?? [];
  const configFile = findConfigFile(storeDir);
  const changedAt = configFile === undefined ? 0 : (await stat(configFile)).mtimeMs;
  const newestTime = Math.max(Number(row?.time ?? 0), changedAt);
  if (newestTime - now > MAX_CLOCK_DIFFERENCE_MS)
    return createWarning(
      `the clock of this machine is ${formatSeconds(newestTime - now)} behind the newest ${newestTime === changedAt ? "change of the settings" : "cart"}: ${advice}`,
    );
  return createSuccess();
}

function formatSeconds(ms: number): string {
  return `${Math.round(Math.abs(ms) / 1_000)} s`;
}
