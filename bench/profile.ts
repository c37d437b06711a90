// Profiles a server under the load of one row of `http.ts`, draws a flame graph, and prints the functions with the most
// self time.
//   VITRINE_DATA=… node bench/profile.ts --row "suggest json, fresh" [--out flame.svg] [--warm-up 30] [--seconds 5] [--store <folder>]
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { type Call, callTree } from "./flame/call-tree.ts";
import { drawFlame } from "./flame/draw-flame.ts";
import { rowsOf } from "./http/rows.ts";
import { openBenchServer, runRow, warmUp } from "./http/run-load.ts";

const { values: options } = parseArgs({
  options: {
    row: { type: "string" },
    out: { type: "string", default: "flame.svg" },
    "warm-up": { type: "string", default: "30" },
    seconds: { type: "string", default: "5" },
    store: { type: "string" },
  },
});
/** Number of functions that are printed. */
const listedCount = 40;
/** Milliseconds of load before the profile starts. */
const WARM_UP_MS = 1_000;

const server = await openBenchServer(options.store, { hasProfile: true });
try {
  const rows = await rowsOf(server.origin);
  const row = rows.find(({ name }) => name === options.row);
  if (row === undefined) throw new Error(`--row takes one of: ${rows.map(({ name }) => name).join("; ")}`);
  await warmUp(server, Number(options["warm-up"]) * 1_000);
  await runRow(row, server, WARM_UP_MS);
  const { serverMetrics: watched, cpuMs } = await runRow(row, server, Number(options.seconds) * 1_000);
  if (watched.profile === undefined) throw new Error("the server was not profiled");
  const root = callTree(watched.profile, new URL("..", import.meta.url).href);
  writeFileSync(options.out, drawFlame(`Processor time of "${row.name}"`, root));
  process.stdout.write(
    `${row.name}: ${cpuMs.toFixed(4)} ms of processor time per response\n${listFunctions(root)}${options.out}\n`,
  );
} finally {
  await server.close();
}

/** Returns the functions with the highest self time, and their shares. */
function listFunctions(root: Call): string {
  const selfTimes = new Map<string, number>();
  const addCall = ({ name, self, calls }: Call): void => {
    selfTimes.set(name, (selfTimes.get(name) ?? 0) + self);
    for (const call of calls.values()) addCall(call);
  };
  addCall(root);
  return [...selfTimes]
    .sort(([, left], [, right]) => right - left)
    .slice(0, listedCount)
    .map(([name, self]) => `${((self / root.total) * 100).toFixed(1).padStart(5)} %  ${name}\n`)
    .join("");
}
