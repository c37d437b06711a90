import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { CatalogSource } from "../storage/catalog/catalog-reader.ts";
import type { BuiltBase, BuiltDelta, Locales } from "./build.ts";
import { type BuildMessage, type BuildTask, build, isSmall } from "./build-task.ts";
import { createDeltaThread } from "./delta-thread.ts";
import type { LaidOver } from "./delta-worker.ts";
import type { IndexFolder } from "./index-files.ts";
import type { Deletes, LayersBelow } from "./layers.ts";

/**
 * Builds parts of snapshots in other threads. The thread of a full build ends with it, which releases its memory. The
 * first build of a small catalog runs in this thread, which takes less time than starting another.
 */
export interface SnapshotBuilder {
  /** Builds the full catalog. @param isAside whether requests are served during the build */
  base(isAside: boolean): Promise<BuiltBase>;
  /** Builds the changes since some layers. @returns undefined if only a full build is possible */
  delta(below: LayersBelow): Promise<LaidOver | undefined>;
  /** Builds the same in the background, while other changes are built. */
  merge(below: LayersBelow): Promise<LaidOver | undefined>;
  /** Returns the deletes of all layers with `above` over the others. @param above built layers, the oldest first */
  stack(below: LayersBelow, above: readonly BuiltDelta[]): Promise<Deletes>;
  /** Starts the thread for changes if it does not run. */
  expectChanges(): void;
  /** Releases the base of earlier deltas, and prepares for changes of the next base. */
  forgetBase(): Promise<void>;
  /** Stops running builds. Their promises reject, and so do those of later builds. */
  close(): Promise<void>;
}

/** A full build, a delta, or a merge of deltas. */
export type BuildPart = "whole" | "changes" | "merge";

/** Called after each build. @param isDone whether it succeeded */
export type OnBuilt = (part: BuildPart, ms: number, isDone: boolean) => void;

export interface BuilderOptions {
  readonly source: CatalogSource;
  readonly locales: Locales;
  /** Where full builds are saved; undefined if they are not. */
  readonly folder?: IndexFolder | undefined;
  readonly onBuilt?: OnBuilt | undefined;
  /** Receives the errors of saving a full build. */
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
      // The file of strings must stay open after the thread ends.
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
