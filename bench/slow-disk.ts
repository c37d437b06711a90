// What does a slow disk cost? The same server on the disk as it is, and on one whose every sync takes 10 ms more: changes of carts over many
// connections, and searches beside them. 100,000 products, the server on one core, the load on another.
//   VITRINE_DATA=… node bench/slow-disk.ts [--sync 10] [--connections 256] [--seconds 3] [--runs 3] [--store <folder>] [--record]
// The two disks take turns; of several runs the median counts. Needs a C compiler (`cc`) and Linux, for the syncs that take longer.
import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { LoadResult } from "./http/load.ts";
import { type Row, rowsOf } from "./http/rows.ts";
import { load, openBenchServer } from "./http/run-load.ts";
import { type Cells, recordRows, today } from "./results.ts";
import { percentile } from "./store.ts";

const { values: options } = parseArgs({
  options: {
    sync: { type: "string", default: "10" },
    connections: { type: "string", default: "256" },
    seconds: { type: "string", default: "3" },
    runs: { type: "string", default: "3" },
    store: { type: "string" },
    record: { type: "boolean", default: false },
  },
});
const heading = "## slow-disk.ts: cart changes on a slow disk";
const WARM_UP_MS = 1_000;
/** Connections of shoppers who type, and of those who write. */
const SHOPPERS = 16;

interface Round {
  readonly writes: LoadResult;
  readonly searches: LoadResult;
}

const folder = await mkdtemp(join(tmpdir(), "vitrine-slow-disk-"));
try {
  const library = join(folder, "slow-sync.so");
  const source = fileURLToPath(new URL("./slow-disk/slow-sync.c", import.meta.url));
  execFileSync("cc", ["-shared", "-fPIC", "-o", library, source, "-ldl"]);
  const disks = {
    "as it is": {},
    [`a sync takes ${options.sync} ms more`]: { LD_PRELOAD: library, SLOW_SYNC_MS: options.sync },
  };
  const rounds = new Map<string, Round[]>();
  for (let run = 0; run < Number(options.runs); run += 1)
    for (const [disk, env] of Object.entries(disks))
      rounds.set(disk, [...(rounds.get(disk) ?? []), await measure(env)]);
  const rows = [...rounds].map(([disk, some]): Cells => [...today(), disk, ...cellsOf(some)]);
  for (const row of rows) process.stdout.write(`| ${row.join(" | ")} |\n`);
  if (options.record) recordRows(heading, rows);
} finally {
  await rm(folder, { recursive: true });
}

async function measure(env: Readonly<Record<string, string>>): Promise<Round> {
  const server = await openBenchServer(options.store, { hasProfile: false, env });
  try {
    const rows = await rowsOf(server.origin);
    const named = (name: string): Row => rows.find((row) => row.name === name) as Row;
    const port = Number(new URL(server.origin).port);
    const put = async (name: string, connections: number): Promise<LoadResult> =>
      load({
        port,
        connections,
        warmUpMs: WARM_UP_MS,
        ms: Number(options.seconds) * 1_000,
        requests: await named(name).requests(),
      });
    const writes = await put("change, many carts", Number(options.connections));
    const [searches] = await Promise.all([put("suggest json, fresh", SHOPPERS), put("change, many carts", SHOPPERS)]);
    return { writes, searches };
  } finally {
    await server.close();
  }
}

function cellsOf(rounds: readonly Round[]): readonly string[] {
  const cells = (of: (round: Round) => LoadResult): readonly string[] => {
    const median = (value: (result: LoadResult) => number): number =>
      percentile(
        rounds.map((round) => value(of(round))),
        0.5,
      );
    return [
      `${Math.round(median(({ statuses, ms }) => ((statuses["200"] ?? 0) * 1_000) / ms))}`,
      `${median(({ p50 }) => p50).toFixed(1)} / ${median(({ p99 }) => p99).toFixed(1)} ms`,
      `${median(({ count, statuses }) => 100 - (100 * (statuses["200"] ?? 0)) / count).toFixed(1)} %`,
    ];
  };
  return [...cells(({ writes }) => writes), ...cells(({ searches }) => searches)];
}
