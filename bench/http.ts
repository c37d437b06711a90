// What does a request cost, beside what any request costs? 100,000 products, the server on one core, the load on another, 16 connections that are
// kept; each row beside a bare `node:http` server that answers as many bytes, in the same run.
//   VITRINE_DATA=… node bench/http.ts [--rows suggest,cart] [--seconds 3] [--runs 3] [--store <folder>] [--record]
// Of several runs the median counts. --rows takes those whose names contain one of the words, --store keeps the imported shop in a folder
// for the next time, --record appends to results.md. `profile.ts` shows where the time of a row goes.
import { parseArgs } from "node:util";
import { rowsOf } from "./http/rows.ts";
import { loadBare, openBenchServer, type RowResult, runRow } from "./http/run-load.ts";
import { appendRows, type Cells, today } from "./results.ts";
import { percentile } from "./store.ts";

const { values: options } = parseArgs({
  options: {
    rows: { type: "string", default: "" },
    seconds: { type: "string", default: "3" },
    runs: { type: "string", default: "3" },
    store: { type: "string" },
    record: { type: "boolean", default: false },
  },
});
const heading = "## http.ts: requests a second on one core, beside a bare node:http server";

interface Measured extends RowResult {
  readonly bareRate: number;
}

const server = await openBenchServer(options.store, { hasProfile: false });
const rows: Cells[] = [];
try {
  const wanted = options.rows.split(",");
  for (const row of await rowsOf(server.origin)) {
    if (!wanted.some((part) => row.name.includes(part))) continue;
    const measured: Measured[] = [];
    for (let run = 0; run < Number(options.runs); run += 1) {
      const one = await runRow(row, server, Number(options.seconds) * 1_000);
      const bare = await loadBare(one.plan, Math.round(one.result.bodyBytes));
      measured.push({ ...one, bareRate: (bare.count * 1_000) / bare.ms });
    }
    rows.push([...today(), row.name, ...cellsOf(measured)]);
    process.stdout.write(`| ${rows.at(-1)?.join(" | ")} |\n`);
  }
} finally {
  await server.close();
}
if (options.record) appendRows(heading, rows);

function cellsOf(measured: readonly Measured[]): readonly string[] {
  const median = (value: (one: Measured) => number): number => percentile(measured.map(value), 0.5);
  const rateOf = ({ result }: Measured): number => (result.count * 1_000) / result.ms;
  return [
    `${Math.round(median(({ result }) => result.bodyBytes))}`,
    `${Math.round(median(rateOf))}`,
    `${Math.round(median(({ bareRate }) => bareRate))}`,
    median((one) => rateOf(one) / one.bareRate).toFixed(3),
    `${median(({ result }) => result.p50).toFixed(2)} / ${median(({ result }) => result.p99).toFixed(2)} ms`,
    `${median((one) => one.cpuMs).toFixed(3)} ms`,
    `${median(({ watched }) => watched.loopDelay.p999).toFixed(1)} ms`,
  ];
}
