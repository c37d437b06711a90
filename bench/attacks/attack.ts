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
      await otherClients.for(WARM_UP_MS);
      print("before", await otherClients.for(QUIET_MS));
      const memory = watchMemory(server.child.pid ?? 0);
      const [lines, visits] = await otherClients.during(() => attack({ origin: server.origin, storeDir: store.dir }));
      for (const line of lines) console.log(line);
      print("meanwhile", visits);
      print("after", await otherClients.for(QUIET_MS));
      console.log(`memory: ${memory.before()} MB before, ${memory.most()} MB at most`);
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

function print(when: string, visits: readonly Visit[]): void {
  for (const path of new Set(visits.map((visit) => visit.path))) {
    const some = visits.filter((visit) => visit.path === path);
    const answered = some.filter(({ status }) => status === 200).map(({ ms }) => ms);
    const ms = [percentile(answered, 0.5), percentile(answered, 0.99), Math.max(...answered)];
    console.log(
      `${when}, others' ${path}: p50, p99, most ${ms.map((value) => value.toFixed(1)).join(", ")} ms; ${answered.length} of ${some.length} answered 200`,
    );
  }
}

/** Samples the resident memory of a process ten times a second, in MB. */
function watchMemory(pid: number): { before(): number; most(): number } {
  const seen: number[] = [];
  const measure = async (): Promise<void> => {
    seen.push(await memoryMb(pid));
  };
  void measure();
  setInterval(measure, 100).unref();
  return { before: () => seen[0] ?? 0, most: () => Math.max(0, ...seen) };
}
