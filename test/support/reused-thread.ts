import { EventEmitter } from "node:events";
import { extname } from "node:path";
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";

/** Message to a thread: a module to run, with its `parentPort` and `workerData`. */
export interface ThreadTask {
  readonly url: string;
  readonly port: MessagePort;
  readonly workerData: unknown;
}

/** Threads that have no module to run. */
const idleThreads: Worker[] = [];

/**
 * Replaces `Worker` for modules that end by closing their `parentPort`: the thread then runs the next module. Tests open
 * thousands of databases with two threads each, and starting a thread takes about 25 ms of processor time.
 */
export class ReusedThread extends EventEmitter {
  /** Undefined after the module has ended. */
  #thread: Worker | undefined;
  readonly #port: MessagePort;

  constructor(module: URL, { workerData }: { readonly workerData: unknown }) {
    super();
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    const thread = idleThreads.pop() ?? startThread();
    this.#thread = thread;
    const handleError = (error: unknown): boolean => this.emit("error", error);
    thread.on("error", handleError);
    port1.on("message", (message) => this.emit("message", message));
    port1.once("close", () => {
      thread.off("error", handleError);
      this.#thread = undefined;
      this.emit("exit");
    });
    thread.postMessage({ url: module.href, port: port2, workerData } satisfies ThreadTask, [port2]);
  }

  postMessage(...message: Parameters<MessagePort["postMessage"]>): void {
    this.#port.postMessage(...message);
  }

  ref(): void {
    this.#port.ref();
  }

  unref(): void {
    this.#port.unref();
  }

  async terminate(): Promise<void> {
    await this.#thread?.terminate();
  }
}

function startThread(): Worker {
  const thread = new Worker(new URL(`./reused-thread-main${extname(import.meta.url)}`, import.meta.url));
  // The thread sends a message after its module has ended.
  thread.on("message", () => idleThreads.push(thread));
  // The port of a running module keeps the process alive.
  thread.unref();
  return thread;
}
