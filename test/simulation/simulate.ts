import { Worker } from "node:worker_threads";

/** Consecutive seeds for one thread. */
export interface Batch {
  readonly firstSeed: number;
  readonly count: number;
  /** Name of a planted bug. Default: none. */
  readonly bugName?: string;
}

export interface BatchReport {
  readonly histories: number;
  readonly steps: number;
  readonly orders: number;
  /** Digest of each history. */
  readonly digests: readonly string[];
  /** The first history that violates an invariant, which ends the batch. */
  readonly failure?: { readonly seed: number; readonly violations: readonly string[] };
}

export interface Simulator {
  run(batch: Batch): Promise<BatchReport>;
  close(): Promise<unknown>;
}

export interface SimulatorOptions {
  /** URL of a PostgreSQL database with the schema. Default: an SQLite database in memory. */
  readonly databaseUrl?: string;
}

/** Starts a thread that runs batches one after another. */
export function startSimulator(options: SimulatorOptions = {}): Simulator {
  const worker = new Worker(new URL("./simulation-worker.ts", import.meta.url), { workerData: options });
  const pending: PromiseWithResolvers<BatchReport>[] = [];
  worker.on("message", (report: BatchReport) => pending.shift()?.resolve(report));
  worker.on("error", (error) => {
    for (const batch of pending.splice(0)) batch.reject(error);
  });
  return {
    run(batch) {
      const report = Promise.withResolvers<BatchReport>();
      pending.push(report);
      worker.postMessage(batch);
      return report.promise;
    },
    close: () => worker.terminate(),
  };
}
