import { extname } from "node:path";
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import type { Batch, Outcomes } from "./batch.ts";
import type { Request, WorkerOptions } from "./worker.ts";

/** Connection to the thread with the database connection. */
export interface Link {
  /** One batch at a time. */
  send(batch: Batch): void;
  /** Whether it keeps this thread from exiting. */
  hold(isHeld: boolean): void;
  /** Completes all sent batches, then ends. */
  close(): Promise<void>;
}

/** Receives the outcome of each batch, and one final call. */
export interface LinkEvents {
  readonly onOutcomes: (outcomes: Outcomes) => void;
  readonly onEnd: () => void;
}

/** Connection of the thread's owner. */
export interface OwnedLink extends Link {
  /** Ends the thread immediately, as a crash would. */
  kill(): Promise<void>;
  /** Lets another thread send batches through the port. */
  connect(port: MessagePort): void;
}

/** Starts a thread with a database connection. */
export function startThread(options: WorkerOptions, { onOutcomes, onEnd }: LinkEvents): OwnedLink {
  const worker = new Worker(workerFile, { workerData: options, name: `sqlite ${options.role}` });
  worker.on("message", onOutcomes).on("error", onEnd).on("exit", onEnd);
  return {
    send: (batch) => worker.postMessage(batch),
    hold: (isHeld) => (isHeld ? worker.ref() : worker.unref()),
    connect: (port) => worker.postMessage({ connect: port } satisfies Request, [port]),
    kill: async () => void (await worker.terminate()),
    async close() {
      const ended = new Promise((done) => worker.once("exit", done));
      worker.ref();
      worker.postMessage("close" satisfies Request);
      await ended;
    },
  };
}

/** Connects to a thread that another thread owns. @param pass sends the other end to its owner, which connects it */
export function openPort(pass: (port: MessagePort) => void, { onOutcomes, onEnd }: LinkEvents): Link {
  const { port1, port2 } = new MessageChannel();
  port1.on("message", onOutcomes).on("close", onEnd);
  pass(port2);
  return {
    send: (batch) => port1.postMessage(batch),
    hold: (isHeld) => (isHeld ? port1.ref() : port1.unref()),
    close: async () => port1.close(),
  };
}

const workerFile = new URL(`./worker${extname(import.meta.url)}`, import.meta.url);
