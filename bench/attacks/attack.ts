import { cp, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { catalogueFile } from "../catalogs.ts";
import { type BenchStore, makeStore, memoryMb, percentile, runCommand, startServer, stopServer } from "../store.ts";
import { type Visit, watchOtherClients } from "./other-clients.ts";

/** The shop that is attacked. */
export interface Target {
  readonly origin: string;
  readonly storeDir: string;
}

export interface AttackOptions {
  /** Products of the shop: those of the demo store, or 100,000 (the public catalog `products-100k`, read from `VITRINE_DATA`). */
  readonly products: "demo" | "100k";
  /** Settings, instead of the demo store's or a plain shop's. The text of `vitrine.config.ts`. */
  readonly config?: string;
  /** Additional files of the store, by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Environment variables of the server's process. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Serves a shop in a separate process, attacks it, and prints the attack's result and how long other visitors waited
 * before, during and after it. The others have a different IP address (127.0.0.2), so that limits by address do not
 * affect them.
 * @param attack returns its result, one line each
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

/** Milliseconds that other visitors run before they are measured, and without an attack. */
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

/** Looks at a process's resident memory ten times a second, in MB. */
function watchMemory(pid: number): { before(): number; most(): number } {
  const seen: number[] = [];
  const measure = async (): Promise<void> => {
    seen.push(await memoryMb(pid));
  };
  void measure();
  setInterval(measure, 100).unref();
  return { before: () => seen[0] ?? 0, most: () => Math.max(0, ...seen) };
}
