import { cp, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { catalogueFile } from "../catalogs.ts";
import { type BenchStore, makeStore, memoryMb, percentile, runCommand, startServer, stopServer } from "../store.ts";
import { type Visit, watchOtherClients } from "./other-clients.ts";

/** The shop under attack. */
export interface Target {
  readonly origin: string;
  readonly storeDir: string;
}

export interface AttackOptions {
  /**
   * Catalog of the shop: the demo store, or the public catalog `products-100k` with 100,000 products in the folder
   * `VITRINE_DATA`.
   */
  readonly products: "demo" | "100k";
  /** Text of `vitrine.config.ts`. Default: the settings of the demo store or of a new shop. */
  readonly config?: string;
  /** Additional files of the store, by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Environment variables of the server's process. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Starts a shop in a separate process and attacks it. Prints the result of the attack, and the response times of other
 * visitors before, during and after it. The visitors have a different IP address (127.0.0.2), so that limits per
 * address do not affect them.
 * @param attack performs the attack and returns its result as lines
 */
export async function runAttack(
  { products, config, files = {}, env = {} }: AttackOptions,
  attack: (target: Target) => Promise<readonly string[]>,
): Promise<void> {
  const store = await makeStore();
  try {
    await fill(store, products, config);
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(store.dir, path)), { recursive: true });
      await writeFile(join(store.dir, path), text);
    }
    const server = await startServer(store.dir, undefined, env);
    const otherClients = watchOtherClients(server.origin);
    try {
      await otherClients.visitsFor(WARM_UP_MS);
      print("before", await otherClients.visitsFor(QUIET_MS));
      const memory = watchMemory(server.child.pid ?? 0);
      const [lines, visits] = await otherClients.visitsDuring(() =>
        attack({ origin: server.origin, storeDir: store.dir }),
      );
      for (const line of lines) console.log(line);
      print("meanwhile", visits);
      print("after", await otherClients.visitsFor(QUIET_MS));
      console.log(`memory: ${memory.startMb()} MB before, ${memory.peakMb()} MB at most`);
    } finally {
      await otherClients.stop();
      await stopServer(server.child);
    }
  } finally {
    await store.remove();
  }
}

/** Warm-up time of other visitors and duration of the measurement without an attack, in milliseconds. */
const WARM_UP_MS = 5_000;
const QUIET_MS = 3_000;

const demo = fileURLToPath(new URL("../../examples/harbour-outfitters", import.meta.url));

async function fill({ dir }: BenchStore, products: AttackOptions["products"], config?: string): Promise<void> {
  if (products === "demo") await cp(demo, dir, { recursive: true, filter: (path) => path !== join(demo, "data") });
  if (config !== undefined) await writeFile(join(dir, "vitrine.config.ts"), config);
  if (products === "100k") await runCommand(["import", "--store", dir, catalogueFile("products-100k")]);
}

function print(phase: string, visits: readonly Visit[]): void {
  for (const path of new Set(visits.map((visit) => visit.path))) {
    const pathVisits = visits.filter((visit) => visit.path === path);
    const times = pathVisits.filter(({ status }) => status === 200).map(({ ms }) => ms);
    const ms = [percentile(times, 0.5), percentile(times, 0.99), Math.max(...times)];
    console.log(
      `${phase}, others' ${path}: p50, p99, most ${ms.map((value) => value.toFixed(1)).join(", ")} ms; ${times.length} of ${pathVisits.length} times 200`,
    );
  }
}

/** Samples the resident memory of a process ten times a second, in MB. */
function watchMemory(pid: number): { startMb(): number; peakMb(): number } {
  const samples: number[] = [];
  const measure = async (): Promise<void> => {
    samples.push(await memoryMb(pid));
  };
  void measure();
  setInterval(measure, 100).unref();
  return { startMb: () => samples[0] ?? 0, peakMb: () => Math.max(0, ...samples) };
}
