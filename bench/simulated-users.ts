// Simulates shoppers who type, on a separate thread. Other work of a benchmark, such as starting a command or writing a
// file, does not delay them. If the system permits, the thread has a higher priority, because real shoppers have
// separate machines.
import { Agent, get } from "node:http";
import { constants, setPriority } from "node:os";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { keystrokes, realQueries } from "../packages/search/bench/keystrokes-typed.ts";

export interface Timed {
  /** Scheduled time in milliseconds since 1970. */
  readonly due: number;
  readonly ms: number;
  /** Whether the server was overloaded (status 503). */
  readonly isRejected?: true;
}

export interface Shoppers {
  /** Stops and waits for requests in flight.  @returns all keystrokes  @throws Error if a keystroke was rejected */
  stop(): Promise<readonly Timed[]>;
}

/**
 * Sends keystrokes at scheduled times, even if earlier ones have no response yet. Times are measured from the schedule,
 * so the delay of a blocked server counts.
 * @param rate keystrokes per second
 * @param mayBeRejected whether rejections are allowed. Default: a rejection is an error
 */
export function typeAway(origin: string, rate: number, mayBeRejected = false): Shoppers {
  const worker = new Worker(new URL(import.meta.url), { workerData: { origin, rate, mayBeRejected } });
  const ended = new Promise<readonly Timed[]>((done, fail) => worker.once("message", done).once("error", fail));
  return {
    stop() {
      worker.postMessage("stop");
      return ended;
    },
  };
}

/** Sends a GET request.  @param agent keep-alive agent */
export function ask(url: string, agent: Agent): Promise<{ readonly status: number; readonly body: string }> {
  return new Promise((done, fail) => {
    get(url, { agent }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
      response.once("end", () => done({ status: response.statusCode ?? 0, body })).once("error", fail);
    }).once("error", fail);
  });
}

function type(origin: string, rate: number, mayBeRejected: boolean): { stop(): Promise<readonly Timed[]> } {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const texts = keystrokes(realQueries(500).measured);
  const times: Timed[] = [];
  const rejected: number[] = [];
  const open = new Set<Promise<void>>();
  const begin = performance.now();
  let sent = 0;
  const send = async (due: number): Promise<void> => {
    const text = encodeURIComponent(texts[sent % texts.length] ?? "");
    const { status } = await ask(`${origin}/search/suggest.json?q=${text}`, agent);
    if (status !== 200 && !(status === 503 && mayBeRejected)) rejected.push(status);
    const timed = { due: performance.timeOrigin + due, ms: performance.now() - due };
    times.push(status === 503 ? { ...timed, isRejected: true } : timed);
  };
  const timer = setInterval(() => {
    for (; begin + (sent * 1_000) / rate <= performance.now(); sent += 1) {
      const request = send(begin + (sent * 1_000) / rate).finally(() => open.delete(request));
      open.add(request);
    }
  }, 1);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(open);
      agent.destroy();
      if (rejected.length > 0) throw new Error(`${rejected.length} keystrokes were answered ${rejected[0]}`);
      return times;
    },
  };
}

const port = parentPort;
if (!isMainThread && port !== null) {
  try {
    // On Linux, this changes the priority of the current thread only.
    if (process.platform === "linux") setPriority(constants.priority.PRIORITY_ABOVE_NORMAL);
  } catch {
    // Without permission, the thread keeps its normal priority.
  }
  const { origin, rate, mayBeRejected } = workerData as {
    readonly origin: string;
    readonly rate: number;
    readonly mayBeRejected: boolean;
  };
  const typing = type(origin, rate, mayBeRejected);
  port.once("message", async () => port.postMessage(await typing.stop()));
}
