// Compares the cost of the same requests in Vendure: reading a cart and adding the first item, in processor time of the
// server process. Each server runs on one core, the load on another, with 16 keep-alive connections. Vendure has 100
// products in PostgreSQL, whose time is not counted. Vitrine has 100,000 products in SQLite, whose time is counted.
//   VITRINE_DATA=… node bench/vendure.ts [--seconds 3] [--runs 3] [--store <folder>] [--record]
// The first run installs Vendure from the npm registry into the system's temporary folder.
import { parseArgs } from "node:util";
import { type Row, rowsOf } from "./http/rows.ts";
import { connections, openBenchServer, type RowResult, runRow, warmUp } from "./http/run-load.ts";
import { type Cells, recordRows, today } from "./results.ts";
import { percentile } from "./store.ts";
import { openVendure } from "./vendure/open-vendure.ts";
import { vendureRows } from "./vendure/vendure-rows.ts";

const { values: options } = parseArgs({
  options: {
    seconds: { type: "string", default: "3" },
    runs: { type: "string", default: "3" },
    store: { type: "string" },
    record: { type: "boolean", default: false },
  },
});
const heading = "## vendure.ts: the same request in Vendure";
const ms = Number(options.seconds) * 1_000;
const runs = Number(options.runs);

interface Measurement {
  readonly rate: number;
  /** Milliseconds of processor time per response. */
  readonly cpu: number;
}

const names = ["cart.js, three lines", "add, a new cart each"];
const vitrineResult = await measureVitrine();
const vendure = await measureVendure();
const rows: Cells[] = names.map((name) => [...today(), name, ...cellsOf(vitrineResult.get(name), vendure.get(name))]);
for (const row of rows) process.stdout.write(`| ${row.join(" | ")} |\n`);
if (options.record) recordRows(heading, rows);

async function measureVitrine(): Promise<ReadonlyMap<string, Measurement>> {
  const server = await openBenchServer(options.store, { hasProfile: false });
  try {
    await warmUp(server, 20_000);
    const rowsByName = new Map((await rowsOf(server.origin)).map((row) => [row.name, row]));
    return await medians((name) => runRow(rowsByName.get(name) as Row, server, ms));
  } finally {
    await server.close();
  }
}

async function measureVendure(): Promise<ReadonlyMap<string, Measurement>> {
  const server = await openVendure();
  try {
    const requests = await vendureRows(server.port);
    return await medians((name) =>
      server.run({ connections, warmUpMs: 1_000, ms, requests: requests.get(name) ?? [] }),
    );
  } finally {
    await server.close();
  }
}

/** Returns the medians of all runs except the first, which is the warm-up. */
async function medians(
  runRequest: (name: string) => Promise<Pick<RowResult, "result" | "cpuMs">>,
): Promise<ReadonlyMap<string, Measurement>> {
  const resultsByName = new Map<string, Measurement>();
  for (const name of names) {
    await runRequest(name);
    const measurements: Measurement[] = [];
    while (measurements.length < runs) {
      const { result, cpuMs } = await runRequest(name);
      measurements.push({ rate: (result.count * 1_000) / result.ms, cpu: cpuMs });
    }
    const median = (value: (measurement: Measurement) => number): number => percentile(measurements.map(value), 0.5);
    resultsByName.set(name, { rate: median(({ rate }) => rate), cpu: median(({ cpu }) => cpu) });
  }
  return resultsByName;
}

function cellsOf(vitrineRun: Measurement | undefined, vendureRun: Measurement | undefined): readonly string[] {
  if (vitrineRun === undefined || vendureRun === undefined) throw new Error("a row was not measured");
  return [
    `${Math.round(vitrineRun.rate)}`,
    `${Math.round(vendureRun.rate)}`,
    `${vitrineRun.cpu.toFixed(3)} ms`,
    `${vendureRun.cpu.toFixed(1)} ms`,
    (vendureRun.cpu / vitrineRun.cpu).toFixed(0),
  ];
}
