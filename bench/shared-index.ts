// Measures how soon a new server answers with and without a shared index, and how soon a rollback is visible on two
// servers. The servers use one PostgreSQL database.
//   VITRINE_DATA=… node bench/shared-index.ts [--products 1000000] [--location s3://bucket/prefix] [--record]
// The first rollback undoes a change of one product, the second one of all products.
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { query, startPostgres } from "../test/support/postgres-server.ts";
import { bigCatalogue } from "./catalog-1m.ts";
import { recordRows, today } from "./results.ts";
import { runCommand, type Server, startServer, stopServer } from "./store.ts";

const { values: options } = parseArgs({
  options: {
    products: { type: "string", default: "1000000" },
    location: { type: "string" },
    record: { type: "boolean", default: false },
  },
});
const heading = "## shared-index.ts: new servers and rollbacks with a shared index";
const SAMPLE_MS = 20;

const postgres = await startPostgres();
const dir = await mkdtemp(join(tmpdir(), "vitrine-bench-"));
const servers: Server[] = [];
try {
  const databaseUrl = await postgres.createDatabase("shop");
  process.env.DATABASE_URL = databaseUrl;
  const sharedDir = join(dir, "shared");
  const location = options.location ?? sharedDir;
  const catalog = bigCatalogue(Number(options.products));
  const importSeconds = await runCommand(["import", "--store", writeStore("one", location), catalog]);
  print(`import: ${importSeconds.toFixed(1)} s`);
  // This server collects no statistics itself. Without them, the next import takes hours.
  await query(databaseUrl, "ANALYZE");

  const first = await start("one");
  await untilShared(1);
  const second = await start("two", location);
  const bytes = sumBytes(join(dir, "two", "data", "index"));
  const restarted = await stopServer(second.child).then(() => start("two"));
  const alone = await start("three", undefined);
  const [rows] = await query(databaseUrl, "SELECT SUM(LENGTH(data)) AS bytes FROM catalog_rows");
  await stopServer(alone.child);
  print(
    `first ${format(first)}, new ${format(second)} (${bytes} bytes), restarted ${format(restarted)}, alone ${format(alone)}`,
  );

  const pair = [first, restarted];
  const change = join(dir, "change.jsonl");
  writeFileSync(
    change,
    '{"kind":"product","id":9000001,"handle":"xylograph","title":"Xylograph","variants":[{"price":1}]}\n',
  );
  await runCommand(["import", "--store", join(dir, "one"), change]);
  await Promise.all(pair.map(({ origin }) => untilFound(origin, "xylograph", true)));
  await untilShared(2);
  const smallRollback = await measureRollback(pair, "xylograph", 1);
  print(`rollback of one product: ${smallRollback}`);

  const allChanged = join(dir, "all.jsonl");
  await pipeline(Readable.from(changeTitles(catalog)), createWriteStream(allChanged));
  await runCommand(["import", "--store", join(dir, "one"), allChanged]);
  const importedAt = performance.now();
  await untilShared(3);
  await Promise.all(pair.map(({ origin }) => untilFound(origin, "zymurgy", true)));
  print(`all products changed: visible after ${((performance.now() - importedAt) / 1_000).toFixed(1)} s`);
  const largeRollback = await measureRollback(pair, "zymurgy", 2);
  print(`rollback of all products: ${largeRollback}`);

  const megabytes = (count: number): string => `${Math.round(count / 1e6)} MB`;
  const row = [
    ...today(),
    options.products,
    options.location === undefined ? "folder" : "S3",
    `${format(second)}, ${megabytes(bytes)}`,
    format(restarted),
    `${format(alone)}, ${megabytes(Number(rows?.bytes))}`,
    smallRollback,
    largeRollback,
  ];
  print(`| ${row.join(" | ")} |`);
  if (options.record) recordRows(heading, [row]);
} finally {
  for (const { child } of servers) if (child.exitCode === null) child.kill("SIGKILL");
  await postgres.remove();
  await rm(dir, { recursive: true, force: true });
}

function writeStore(name: string, location: string | undefined): string {
  const storeDir = join(dir, name);
  const settings = { name: "Bench", currency: "USD", server: { threads: 1, sharedIndex: location } };
  mkdirSync(storeDir, { recursive: true });
  writeFileSync(join(storeDir, "vitrine.config.ts"), `export default ${JSON.stringify(settings)};\n`);
  return storeDir;
}

/** Starts a server.  @param location storage of the shared index; without this argument, the store exists already */
async function start(name: string, ...[location]: readonly [] | readonly [string | undefined]): Promise<Server> {
  const storeDir = join(dir, name);
  if (!existsSync(storeDir)) writeStore(name, location);
  const server = await startServer(storeDir, { VITRINE_SECRET: "only-for-benchmarks-0123456789-abcdef" });
  servers.push(server);
  return server;
}

async function untilShared(revision: number): Promise<void> {
  for (;;) {
    const [builder] = await query(process.env.DATABASE_URL ?? "", "SELECT revision FROM index_builders");
    if (Number(builder?.revision) === revision) return;
    await setTimeout(SAMPLE_MS);
  }
}

async function untilFound(origin: string, word: string, isFound: boolean): Promise<void> {
  for (;;) {
    const response = await fetch(`${origin}/search/suggest.json?q=${word}&resources[type]=product`);
    const { resources } = (await response.json()) as {
      resources: { results: { products: readonly { readonly title: string }[] } };
    };
    // Products with similar words may be found instead.
    if (resources.results.products.some(({ title }) => title.toLowerCase().includes(word)) === isFound) return;
    await setTimeout(SAMPLE_MS);
  }
}

/** Rolls back to a revision and returns.  @returns times until both servers show it, and until both show the newest */
async function measureRollback(pair: readonly Server[], word: string, revision: number): Promise<string> {
  const times: string[] = [];
  for (const sql of [
    `INSERT INTO catalog_rollback (id, revision) VALUES (1, ${revision})`,
    "DELETE FROM catalog_rollback",
  ]) {
    const startTime = performance.now();
    // The command `vitrine rollback` does the same.
    await query(process.env.DATABASE_URL ?? "", `${sql}; NOTIFY vitrine_changes, 'catalog'`);
    await Promise.all(pair.map(({ origin }) => untilFound(origin, word, sql.startsWith("DELETE"))));
    times.push(`${((performance.now() - startTime) / 1_000).toFixed(2)} s`);
  }
  return times.join(" / ");
}

async function* changeTitles(catalog: string): AsyncGenerator<string> {
  let rest = "";
  // `readline` would also split lines at U+2028 in a text.
  for await (const chunk of createReadStream(catalog, "utf8")) {
    const lines = `${rest}${chunk}`.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield `${line.replace('"title":"', '"title":"Zymurgy ')}\n`;
  }
}

function sumBytes(folder: string): number {
  const inodes = new Map(
    readdirSync(folder)
      .map((name) => statSync(join(folder, name)))
      .map((stat) => [stat.ino, stat.size]),
  );
  return [...inodes.values()].reduce((sum, size) => sum + size, 0);
}

function format({ seconds }: Server): string {
  return `${seconds.toFixed(1)} s`;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
