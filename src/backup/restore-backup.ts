import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ignoreNotFound } from "../not-found.ts";
import { SetupError } from "../setup-error.ts";
import type { DatabaseFacts } from "../storage/database-facts.ts";
import { loadPostgres, requireEmptyPostgres } from "../storage/postgres/dump.ts";
import { readSqliteFacts } from "../storage/sqlite/copy.ts";
import { readArchive } from "./archive.ts";
import {
  DUMP_PREFIX,
  MANIFEST_NAME,
  type Manifest,
  type ManifestMember,
  parseManifest,
  SQLITE_PATH,
  STORE_FOLDER,
} from "./manifest.ts";

export interface RestoreOptions {
  /** Path of the backup, or a stream. */
  readonly input: string | Readable;
  /** Folder of the restored store: empty or missing. */
  readonly storeDir: string;
  /** Whether to restore only the database and the secret, into a store whose `data/` is empty or missing. */
  readonly isDataOnly: boolean;
  /** URL of an empty database, for the backup of a PostgreSQL database. */
  readonly databaseUrl: string | undefined;
  /** Environment variables of the pg_restore process. */
  readonly env: NodeJS.ProcessEnv;
}

/** Start of the name of the folder with the unfinished files of a restore. */
const STAGING_PREFIX = ".vitrine-restore-";

/** Entries of a folder that do not count as data. A new ext4 file system contains the folder "lost+found". */
const IGNORED_ENTRIES: ReadonlySet<string> = new Set(["lost+found"]);

/**
 * Restores a backup. Files are moved to the store's folder only after the backup is complete, its checksums are
 * correct, and the database has the rows that the manifest lists.
 * @param onStagingFolder receives the folder of unfinished files, to delete it if the process is interrupted
 * @throws SetupError if the target is not empty, or the backup is damaged or does not fit the target
 */
export async function restoreBackup(
  options: RestoreOptions,
  onStagingFolder: (dir: string) => void,
): Promise<Manifest> {
  const { storeDir, isDataOnly, input } = options;
  if (typeof input === "string" && !existsSync(input)) throw new SetupError(`${input}: no such file. Name a backup.`);
  const targetDir = isDataOnly ? join(storeDir, "data") : storeDir;
  await requireEmptyFolder(targetDir, isDataOnly);
  const createdDir = await mkdir(targetDir, { recursive: true, ...(isDataOnly ? { mode: 0o700 } : {}) });
  const stagingDir = await mkdtemp(join(targetDir, STAGING_PREFIX));
  onStagingFolder(createdDir ?? stagingDir);
  let isRestored = false;
  try {
    const members = await extractFiles(typeof input === "string" ? createReadStream(input) : input, stagingDir);
    const manifest = await verifyMembers(members, stagingDir);
    await restoreDatabase(manifest, options, stagingDir);
    await moveEntries(join(stagingDir, STORE_FOLDER, isDataOnly ? "data" : ""), targetDir);
    isRestored = true;
    return manifest;
  } finally {
    await rm(isRestored || createdDir === undefined ? stagingDir : createdDir, { recursive: true, force: true });
  }
}

async function requireEmptyFolder(dir: string, isDataOnly: boolean): Promise<void> {
  const entries = (await readdir(dir).catch(ignoreNotFound)) ?? [];
  const entry = entries.find((name) => !IGNORED_ENTRIES.has(name));
  if (entry?.startsWith(STAGING_PREFIX))
    throw new SetupError(
      `${dir}: contains ${entry} of another restore. If that restore is no longer running, delete this folder and start again.`,
    );
  if (entry !== undefined)
    throw new SetupError(
      `${dir}: is not empty: it contains ${entry}. A restore never replaces data: ${
        isDataOnly ? "move the folder away" : "name a new folder, or move this one away"
      }.`,
    );
}

/** Writes the members of a backup to a folder.  @returns their sizes and hashes by name */
async function extractFiles(input: Readable, dir: string): Promise<ReadonlyMap<string, ManifestMember>> {
  const members = new Map<string, ManifestMember>();
  for await (const { name, mode, content } of readArchive(input)) {
    if (!isSafeName(name, dir))
      throw new SetupError(`the backup has a member with an unsafe name: ${JSON.stringify(name)}.`);
    const file = join(dir, name);
    await mkdir(dirname(file), { recursive: true, mode: name.startsWith(`${STORE_FOLDER}data/`) ? 0o700 : 0o777 });
    const hash = createHash("sha256");
    let bytes = 0;
    const countBytes = async function* (): AsyncGenerator<Uint8Array> {
      for await (const chunk of content) {
        hash.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
    };
    await pipeline(countBytes, createWriteStream(file, { flags: "wx", mode: mode & 0o777, flush: true }));
    members.set(name, { bytes, sha256: hash.digest("hex") });
  }
  return members;
}

/** Returns whether a name is the path of a member inside the folder, also on systems with other separators. */
function isSafeName(name: string, dir: string): boolean {
  const isArchiveMember = name === MANIFEST_NAME || name.startsWith(DUMP_PREFIX) || name.startsWith(STORE_FOLDER);
  const isSafePath = name.split("/").every((part) => !["", ".", ".."].includes(part) && !part.includes("\0"));
  return isArchiveMember && isSafePath && join(dir, name).startsWith(`${dir}${sep}`);
}

/** Compares the members with the manifest.  @throws SetupError */
async function verifyMembers(members: ReadonlyMap<string, ManifestMember>, dir: string): Promise<Manifest> {
  if (!members.has(MANIFEST_NAME))
    throw new SetupError(`the backup is incomplete: it has no ${MANIFEST_NAME}. Use another backup.`);
  const manifest = parseManifest(await readFile(join(dir, MANIFEST_NAME), "utf8"));
  for (const [name, { sha256 }] of Object.entries(manifest.members))
    if (members.get(name)?.sha256 !== sha256)
      throw new SetupError(
        `the backup is damaged: ${name} ${members.has(name) ? "has another SHA-256 than in the manifest" : "is missing"}. Use another copy of the file, or another backup.`,
      );
  for (const name of members.keys())
    if (name !== MANIFEST_NAME && manifest.members[name] === undefined)
      throw new SetupError(`the backup is damaged: its manifest lacks ${name}. Use another backup.`);
  return manifest;
}

/**
 * Loads the dump of a PostgreSQL database; a SQLite file needs no loading. Compares the number of rows of each table
 * with the manifest.
 * @throws SetupError
 */
async function restoreDatabase(
  manifest: Manifest,
  { databaseUrl, env }: RestoreOptions,
  stagingDir: string,
): Promise<void> {
  let facts: DatabaseFacts;
  if (manifest.database === "sqlite") {
    if (databaseUrl !== undefined)
      throw new SetupError("the backup has an SQLite database, but DATABASE_URL is set. Unset it and start again.");
    facts = await readSqliteFacts(join(stagingDir, SQLITE_PATH));
  } else {
    if (databaseUrl === undefined)
      throw new SetupError(
        "the backup has a PostgreSQL database. Create an empty database, set DATABASE_URL to its URL, and start again.",
      );
    await requireEmptyPostgres(databaseUrl, env);
    const parts = Object.keys(manifest.members).filter((name) => name.startsWith(DUMP_PREFIX));
    facts = await loadPostgres(databaseUrl, env, readFiles(parts.sort().map((name) => join(stagingDir, name))));
  }
  for (const [table, rowCount] of Object.entries({ ...manifest.tables, ...facts.tables })) {
    const [foundCount, expectedCount] = [facts.tables[table], manifest.tables[table]];
    if (foundCount !== expectedCount)
      throw new SetupError(
        `the restored database differs from the backup: table ${table} has ${foundCount ?? "no"} rows instead of ${expectedCount ?? rowCount}. Use another backup.`,
      );
  }
}

async function* readFiles(files: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const file of files) yield* createReadStream(file);
}

/** Moves the entries of a folder to an existing folder, which may be a mount point. */
async function moveEntries(sourceDir: string, targetDir: string): Promise<void> {
  // Move the data last. If it is missing, the restore was interrupted.
  const entries = (await readdir(sourceDir).catch(ignoreNotFound)) ?? [];
  const names = entries.sort((a, b) => Number(isDataFile(a)) - Number(isDataFile(b)));
  for (const name of names) await rename(join(sourceDir, name), join(targetDir, name));
}

function isDataFile(name: string): boolean {
  return name === "data" || name === "vitrine.db";
}
