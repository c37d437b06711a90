// Measures the cost of a request relative to a bare `node:http` server that returns the same number of bytes. The
// server has 100,000 products and runs on one core. The load comes from another core, over 16 keep-alive connections.
// Short blocks of load alternate between the two servers, so that other load on the machine affects both equally.
//   VITRINE_DATA=… node bench/http.ts [--rows suggest,cart] [--warm-up 30] [--seconds 1] [--blocks 9] [--store <folder>] [--record]
// The server is warmed up with other suggestions for half a minute, and with one block of the row. Figures are medians
// of blocks. A ratio compares a block with the next block of the bare server. --rows selects rows whose names contain
// one of the words. --store reuses the imported shop in a folder. --record adds rows to results.md. `profile.ts` shows
// which functions use the time of a row.
import { parseArgs } from "node:util";
import { type Row, rowsOf } from "./http/rows.ts";
import { openBare, openBenchServer, type RowResult, runRow, warmUp } from "./http/run-load.ts";
import { type Cells, recordRows, today } from "./results.ts";
import { percentile } from "./store.ts";

const { values: options } = parseArgs({
  options: {
    rows: { type: "string", default: "" },
    "warm-up": { type: "string", default: "30" },
    seconds: { type: "string", default: "1" },
    blocks: { type: "string", default: "9" },
    store: { type: "string" },
    record: { type: "boolean", default: false },
  },
});
const heading = "## http.ts: requests on one core, in turns with a plain node:http server";

/** Measurements of a block of a row, and of the next block of the bare server. */
interface MeasuredBlock {
  readonly measuredRow: RowResult;
  readonly bareResult: Pick<RowResult, "result" | "cpuMs">;
}

const server = await openBenchServer(options.store, { hasProfile: false });
const rows: Cells[] = [];
try {
  await warmUp(server, Number(options["warm-up"]) * 1_000);
  const selectedRows = options.rows.split(",");
  for (const row of await rowsOf(server.origin)) {
    if (!selectedRows.some((part) => row.name.includes(part))) continue;
    rows.push([...today(), row.name, ...cellsOf(await measure(row))]);
    process.stdout.write(`| ${rows.at(-1)?.join(" | ")} |\n`);
  }
} finally {
  await server.close();
}
if (options.record) recordRows(heading, rows);

async function measure(row: Row): Promise<readonly MeasuredBlock[]> {
  const ms = Number(options.seconds) * 1_000;
  const firstResult = await runRow(row, server, ms);
  const bareServer = await openBare(Math.round(firstResult.result.bodyBytes));
  try {
    await bareServer.run(firstResult.plan);
    const blocks: MeasuredBlock[] = [];
    while (blocks.length < Number(options.blocks)) {
      const measuredRow = await runRow(row, server, ms);
      blocks.push({ measuredRow, bareResult: await bareServer.run(measuredRow.plan) });
    }
    return blocks;
  } finally {
    bareServer.close();
  }
}

function cellsOf(blocks: readonly MeasuredBlock[]): readonly string[] {
  const median = (value: (block: MeasuredBlock) => number): number => percentile(blocks.map(value), 0.5);
  const rateOf = ({ result }: MeasuredBlock["bareResult"]): number => (result.count * 1_000) / result.ms;
  return [
    `${Math.round(median(({ measuredRow }) => measuredRow.result.bodyBytes))}`,
    `${Math.round(median(({ measuredRow }) => rateOf(measuredRow)))}`,
    `${Math.round(median(({ bareResult }) => rateOf(bareResult)))}`,
    median(({ measuredRow, bareResult }) => rateOf(measuredRow) / rateOf(bareResult)).toFixed(3),
    `${median(({ measuredRow }) => measuredRow.result.p50).toFixed(2)} / ${median(({ measuredRow }) => measuredRow.result.p99).toFixed(2)} ms`,
    `${median(({ measuredRow }) => measuredRow.cpuMs).toFixed(4)} ms`,
    `${median(({ bareResult }) => bareResult.cpuMs).toFixed(4)} ms`,
    median(({ measuredRow, bareResult }) => bareResult.cpuMs / measuredRow.cpuMs).toFixed(3),
    `${median(({ measuredRow }) => measuredRow.serverMetrics.loopDelay.p999).toFixed(1)} ms`,
  ];
}
