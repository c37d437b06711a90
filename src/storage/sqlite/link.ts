import { extname } from "node:path";
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import type { Batch, Outcomes } from "./batch.ts";
import type { Request, WorkerOptions } from "./worker.ts";

/** The way to the thread that has a connection. */
export interface Link {
  /** One batch at a time. */
  send(batch: Batch): void;
  /** Whether it keeps this thread from ending. */
  hold(isHeld: boolean): void;
  /** Finishes what was asked, then ends. */
  close(): Promise<void>;
}

/** Told of what came of each batch, and once that nothing more will. */
export interface LinkEvents {
  readonly onOutcomes: (outcomes: Outcomes) => void;
  readonly onEnd: () => void;
}

/** The thread itself, and its owner. */
export interface OwnLink extends Link {
  /** Ends the thread at once, as a crash would. */
  kill(): Promise<void>;
  /** Lets another thread send batches of its own through the port. */
  connect(port: MessagePort): void;
}

/** Starts a thread with a connection. */
export function startThread(options: WorkerOptions, { onOutcomes, onEnd }: LinkEvents): OwnLink {
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

/** A way to a thread that another thread owns. @param pass hands the other end to its owner, which connects it */
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
