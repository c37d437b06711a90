import { extname } from "node:path";
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import type { ChangeTopic } from "../database.ts";
import type { JobBatch, JobOutcomes } from "./batch.ts";
import type { MessageFromWorker, WorkerMessage, WorkerOptions } from "./worker.ts";

/** Message channel to the thread that has the database connection. */
export interface ThreadLink {
  /** Sends a batch. The next batch may be sent only after the outcomes arrived. */
  send(batch: JobBatch): void;
  /** Sets whether the link keeps this thread from exiting. */
  keepAlive(isActive: boolean): void;
  /** Closes the link after all sent batches are complete. */
  close(): Promise<void>;
}

/** Callbacks of a link. `onEnd` is called when the other thread ends. */
export interface ThreadLinkCallbacks {
  readonly onOutcomes: (outcomes: JobOutcomes) => void;
  readonly onEnd: () => void;
}

/** ThreadLink to a database thread, for the thread that started it. */
export interface OwnedThreadLink extends ThreadLink {
  /** Ends the thread immediately, as a crash would. */
  kill(): Promise<void>;
  /** Allows another thread to send batches through the port. */
  connect(port: MessagePort): void;
}

/** Receives the topics of statements of a group, after its commit. */
export type ChangeListener = (topics: ReadonlySet<ChangeTopic>) => void;

/** Starts a thread with a database connection.  @param onChange receives the changes of all threads */
export function startThread(
  options: WorkerOptions,
  { onOutcomes, onEnd }: ThreadLinkCallbacks,
  onChange?: ChangeListener,
): OwnedThreadLink {
  const worker = new Worker(workerFile, { workerData: options, name: `sqlite ${options.role}` });
  const handleMessage = (message: MessageFromWorker): void => {
    if ("changedTopics" in message) onChange?.(message.changedTopics);
    else onOutcomes(message);
  };
  worker.on("message", handleMessage).on("error", onEnd).on("exit", onEnd);
  return {
    send: (batch) => worker.postMessage(batch),
    keepAlive: (isActive) => (isActive ? worker.ref() : worker.unref()),
    connect: (port) => worker.postMessage({ connect: port } satisfies WorkerMessage, [port]),
    kill: async () => void (await worker.terminate()),
    async close() {
      const exitPromise = new Promise((resolve) => worker.once("exit", resolve));
      worker.ref();
      worker.postMessage("close" satisfies WorkerMessage);
      await exitPromise;
    },
  };
}

/**
 * Connects to a database thread that another thread started.
 * @param sendPort sends one port of a new message channel to the thread that started the database thread
 */
export function connectToThread(
  sendPort: (port: MessagePort) => void,
  { onOutcomes, onEnd }: ThreadLinkCallbacks,
): ThreadLink {
  const { port1, port2 } = new MessageChannel();
  port1.on("message", onOutcomes).on("close", onEnd);
  sendPort(port2);
  return {
    send: (batch) => port1.postMessage(batch),
    keepAlive: (isActive) => (isActive ? port1.ref() : port1.unref()),
    close: async () => port1.close(),
  };
}

const workerFile = new URL(`./worker${extname(import.meta.url)}`, import.meta.url);
