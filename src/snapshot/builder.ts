import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { CatalogSource } from "../storage/catalog/catalog-reader.ts";
import type { BuiltBase, BuiltDelta, Locales } from "./build.ts";
import { type BuildMessage, type BuildTask, build, isSmall } from "./build-task.ts";
import { createDeltaThread } from "./delta-thread.ts";
import type { LaidOver } from "./delta-worker.ts";
import type { IndexFolder } from "./index-files.ts";
import type { Deletes, LayersBelow } from "./layers.ts";

/** Builds parts of snapshots in other threads. The memory of a thread is released when a whole build is done. The first build of a small
 *  catalog runs in this thread, which takes less time than the start of another. */
export interface SnapshotBuilder {
  /** @param isAside something is served meanwhile */
  base(isAside: boolean): Promise<BuiltBase>;
  /** What changed since some layers. @returns undefined where only a whole build will do */
  delta(below: LayersBelow): Promise<LaidOver | undefined>;
  /** The same aside, while changes go on being built. */
  merge(below: LayersBelow): Promise<LaidOver | undefined>;
  /** Deletes of all layers once some, which are built already, lie over others. @param above the oldest first */
  stack(below: LayersBelow, above: readonly BuiltDelta[]): Promise<Deletes>;
  /** Makes ready for changes, where that was not done yet. */
  expectChanges(): void;
  /** Lets go of the base that changes were built on, and makes ready for those of another. */
  forgetBase(): Promise<void>;
  /** Stops what is under way; its promise rejects, as do those of builds that are asked for later. */
  close(): Promise<void>;
}

/** A whole catalogue; what changed since; several such changes in one. */
export type BuildPart = "whole" | "changes" | "merge";

/** Told of each build, and whether it came to something. */
export type OnBuilt = (part: BuildPart, ms: number, isDone: boolean) => void;

export interface BuilderOptions {
  readonly source: CatalogSource;
  readonly locales: Locales;
  /** Where whole builds are kept; absent: nowhere. */
  readonly folder?: IndexFolder | undefined;
  readonly onBuilt?: OnBuilt | undefined;
  /** Told why a whole build could not be kept. */
  readonly onTrouble: (error: unknown) => void;
}

export function createSnapshotBuilder({
  source,
  locales,
  folder,
  onBuilt,
  onTrouble,
}: BuilderOptions): SnapshotBuilder {
  const workers = new Set<Worker>();
  const changes = createDeltaThread({ source, locales });
  const merges = createDeltaThread({ source, locales });
  let isClosed = false;
  const expectChanges = (): void => {
    if (!isClosed) changes.start();
  };
  const timed = async <T>(part: BuildPart, build: () => Promise<T>): Promise<T> => {
    if (isClosed) throw new Error("nothing is built any more: the shop is closing");
    const start = performance.now();
    let isDone = false;
    try {
      const result = await build();
      isDone = true;
      return result;
    } finally {
      onBuilt?.(part, performance.now() - start, isDone);
    }
  };
  const buildHere = async (task: BuildTask): Promise<BuiltBase> => {
    let base: BuiltBase | undefined;
    await build(task, (message) => {
      if ("trouble" in message) onTrouble(message.trouble);
      else base = message.base;
    });
    if (base === undefined) throw new Error("the build ended without a snapshot");
    return base;
  };
  const buildInThread = (task: BuildTask): Promise<BuiltBase> =>
    new Promise((resolve, reject) => {
      // A file of texts that it opens stays open when it ends.
      const worker = new Worker(workerFile, { workerData: task, trackUnmanagedFds: false });
      workers.add(worker);
      worker.on("message", (message: BuildMessage) => {
        if ("trouble" in message) onTrouble(message.trouble);
        else resolve(message.base);
      });
      worker.once("error", reject);
      worker.once("exit", () => {
        workers.delete(worker);
        reject(new Error("the snapshot's thread ended before it was done"));
      });
    });
  return {
    base: (isAside) =>
      timed("whole", async () => {
        const task = { source, locales, isAside, ...(folder === undefined ? {} : { folder }) };
        return !isAside && (await isSmall(task)) ? await buildHere(task) : await buildInThread(task);
      }),
    delta: (below) => timed("changes", () => changes.build(below)),
    merge: (below) => timed("merge", () => merges.build(below)).finally(() => merges.stop()),
    stack: (below, above) => changes.stack(below, above),
    expectChanges,
    async forgetBase() {
      await changes.stop();
      expectChanges();
    },
    async close() {
      isClosed = true;
      await Promise.all([changes.stop(), merges.stop(), ...[...workers].map((worker) => worker.terminate())]);
    },
  };
}

const workerFile = new URL(`./worker${extname(import.meta.url)}`, import.meta.url);
