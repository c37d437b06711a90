import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { mkdir, mkdtempDisposable, open, readdir, readFile, realpath, rename, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import type { Readable } from "node:stream";
import { rejectFilePath } from "../config/store-folder.ts";
import { ignoreNotFound } from "../not-found.ts";
import { readPackageVersion } from "../runtime/package-version.ts";
import { SetupError } from "../setup-error.ts";
import type { DatabaseFacts } from "../storage/database-facts.ts";
import { locateDatabase } from "../storage/open-database.ts";
import { dumpPostgres } from "../storage/postgres/dump.ts";
import { copySqlite, readSqliteFacts } from "../storage/sqlite/copy.ts";
import { type Archive, writeArchive } from "./archive.ts";
import {
  DUMP_PREFIX,
  FORMAT_VERSION,
  formatManifest,
  IMPORT_RECORD_PATH,
  MANIFEST_NAME,
  type Manifest,
  type ManifestMember,
  SECRET_PATH,
  SQLITE_PATH,
  STORE_FOLDER,
} from "./manifest.ts";

export interface BackupOptions {
  readonly storeDir: string;
  /** PostgreSQL URL. Default: the store's SQLite file. */
  readonly databaseUrl: string | undefined;
  /** Value of `VITRINE_SECRET`. Default: the file `data/secret`. */
  readonly secret: string | undefined;
  readonly includesSecret: boolean;
  /** Path of the new file, or a stream. */
  readonly output: string | NodeJS.WritableStream;
  /** Environment variables of the pg_dump process. */
  readonly env: NodeJS.ProcessEnv;
  readonly now: () => number;
}

/**
 * Size in bytes of the parts into which a PostgreSQL dump is split. Each part is held in memory, because a tar file
 * contains the size of a member before its content, and the size of a dump is known only at its end.
 */
const DUMP_PART_BYTES = 8 * 1024 * 1024;

/**
 * Writes the database, the files of the store, and a manifest to a file that only its owner can read. The server may
 * run at the same time. The file gets its final name only when it is complete and on disk.
 * @param onStagingFolder receives the folder of unfinished files, to delete it if the process is interrupted
 * @throws SetupError if there is nothing to back up, or the file cannot be written
 */
export async function createBackup(options: BackupOptions, onStagingFolder: (dir: string) => void): Promise<Manifest> {
  const { output, storeDir } = options;
  rejectFilePath(storeDir);
  if (!existsSync(storeDir)) throw new SetupError(`${storeDir}: no such folder. Name the folder of the store.`);
  if (typeof output === "string") rejectOutput(storeDir, output);
  const folder = typeof output === "string" ? dirname(output) : join(storeDir, "data");
  await mkdir(folder, { recursive: true, ...(typeof output === "string" ? {} : { mode: 0o700 }) });
  // The folder is accessible only to its owner.
  await using stagingDir = await mkdtempDisposable(join(folder, ".vitrine-backup-"));
  onStagingFolder(stagingDir.path);
  const file = join(stagingDir.path, "backup.tar.gz");
  const stream = typeof output === "string" ? createWriteStream(file, { mode: 0o600, flush: true }) : output;
  const manifest = await writeArchive(stream, (archive) => writeMembers(archive, options, stagingDir.path));
  if (typeof output === "string") await rename(file, output);
  return manifest;
}

function rejectOutput(storeDir: string, file: string): void {
  if (existsSync(file)) throw new SetupError(`${file}: exists already. Choose another name with --out.`);
  const path = relative(storeDir, file);
  const [name = ""] = path.split(sep);
  // The next backup, an image, and a Git repository would contain the file, which may contain the secret.
  if (name !== ".." && !isAbsolute(path) && !excludedNames.test(name))
    throw new SetupError(
      `${file}: would be part of the store: choose a file in another folder with --out, or a name like backup-2.tar.gz.`,
    );
}

async function writeMembers(archive: Archive, options: BackupOptions, stagingDir: string): Promise<Manifest> {
  const { storeDir, databaseUrl, now } = options;
  const dataDir = join(storeDir, "data");
  const createdAt = new Date(now());
  const members: Record<string, ManifestMember> = {};
  const addBytes = async (name: string, bytes: Uint8Array): Promise<void> => {
    const properties = { size: bytes.length, mode: 0o600, mtime: createdAt };
    members[name] = await archive.add(name, splitBytes(bytes), properties);
  };
  const addFile = async (name: string, path: string): Promise<void> => {
    await using handle = await open(path);
    const { size, mode, mtime } = await handle.stat();
    const content = createReadStream(path, { fd: handle, autoClose: false });
    members[name] = await archive.add(name, content, { size, mode: mode & 0o777, mtime });
  };
  const addDump = async (dump: Readable): Promise<void> => {
    let parts = 0;
    for await (const part of splitContent(dump, DUMP_PART_BYTES)) {
      parts += 1;
      await addBytes(`${DUMP_PREFIX}${String(parts).padStart(6, "0")}`, part);
    }
  };
  if (options.includesSecret) await addBytes(SECRET_PATH, await readSecret(dataDir, options.secret));
  // The import record lists the catalog files that were imported. It is read before the database, and the files are
  // read after it. A file that changes during the backup is therefore imported again after a restore, and no change is
  // lost.
  const importRecord = await readFile(join(dataDir, "catalog-taken")).catch(ignoreNotFound);
  let facts: DatabaseFacts;
  const source = locateDatabase(dataDir, databaseUrl);
  if ("file" in source) {
    const targetFile = join(stagingDir, "vitrine.db");
    copySqlite(source.file, targetFile);
    facts = await readSqliteFacts(targetFile);
    await addFile(SQLITE_PATH, targetFile);
  } else facts = await dumpPostgres(source.url, options.env, addDump);
  if (importRecord !== undefined) await addBytes(IMPORT_RECORD_PATH, importRecord);
  for await (const { name, path } of listStoreFiles(storeDir)) await addFile(`${STORE_FOLDER}${name}`, path);
  const manifest: Manifest = {
    format: FORMAT_VERSION,
    createdAt: createdAt.toISOString(),
    version: readPackageVersion(),
    database: "file" in source ? "sqlite" : "postgresql",
    ...facts,
    members,
  };
  await addBytes(MANIFEST_NAME, formatManifest(manifest));
  return manifest;
}

async function readSecret(dataDir: string, configuredSecret: string | undefined): Promise<Buffer> {
  if (configuredSecret !== undefined) return Buffer.from(`${configuredSecret}\n`);
  const file = join(dataDir, "secret");
  const secret = await readFile(file).catch(ignoreNotFound);
  if (secret === undefined)
    throw new SetupError(`${file}: the store has no secret. Set VITRINE_SECRET, or leave --with-secret out.`);
  return secret;
}

async function* splitBytes(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Joins the chunks of a stream to parts of about `size` bytes. */
async function* splitContent(content: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  let chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of content) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes < size) continue;
    yield Buffer.concat(chunks);
    chunks = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(chunks);
}

/** Names in the store's folder that a backup excludes, as in `deploy/Dockerfile.dockerignore`. */
const excludedNames = /^(?:data|\.env.*|backup.*|.*\.tar\.gz|.*\.db|\.git|\.vitrine-backup-.*)$/;
/** Name of folders with packages, which "npm install" creates. */
const PACKAGES_FOLDER = "node_modules";

/** A file of the store's folder. */
interface StoreFile {
  /** Path in the store's folder, with slashes. */
  readonly name: string;
  readonly path: string;
}

/**
 * Yields the files that a store consists of, in order of their names: settings, catalog, media, theme, search rules,
 * and others. Follows symbolic links. Secrets, packages, caches, and earlier backups are left out.
 */
async function* listStoreFiles(storeDir: string): AsyncGenerator<StoreFile> {
  yield* listFolder(storeDir, "", [await realpath(storeDir)]);
}

/**
 * @param ancestors real paths of the folder and of the folders that contain it, to detect symbolic links that form a
 * cycle
 */
async function* listFolder(dir: string, prefix: string, ancestors: readonly string[]): AsyncGenerator<StoreFile> {
  for (const name of (await readdir(dir)).sort()) {
    if (name === PACKAGES_FOLDER || (prefix === "" && excludedNames.test(name))) continue;
    const path = join(dir, name);
    // An editor may delete a file during the backup, and the target of a symbolic link may not exist.
    const stats = await stat(path).catch(ignoreNotFound);
    if (stats?.isFile() === true) yield { name: `${prefix}${name}`, path };
    if (stats?.isDirectory() !== true) continue;
    const folder = await realpath(path);
    if (!ancestors.includes(folder)) yield* listFolder(path, `${prefix}${name}/`, [...ancestors, folder]);
  }
}
