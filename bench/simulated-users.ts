// Simulates shoppers who type, on a separate thread. Other work of a benchmark, such as starting a command or writing a
// file, does not delay them. If the system permits, the thread has a higher priority, because real shoppers have
// separate machines.
import { Agent, get } from "node:http";
import { constants, setPriority } from "node:os";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { keystrokes, realQueries } from "../packages/search/bench/keystrokes-typed.ts";

export interface TimedRequest {
  /** Scheduled time in milliseconds since 1970. */
  readonly startTime: number;
  readonly ms: number;
}

export interface Shoppers {
  /** Stops and waits for requests in flight.  @returns all keystrokes  @throws Error if a keystroke was rejected */
  stop(): Promise<readonly TimedRequest[]>;
}

/**
 * Sends keystrokes at scheduled times, even if earlier ones have no response yet. Times are measured from the schedule,
 * so the delay of a blocked server counts.
 * @param rate keystrokes per second
 */
export function startTyping(origin: string, rate: number): Shoppers {
  const worker = new Worker(new URL(import.meta.url), { workerData: { origin, rate } });
  const result = new Promise<readonly TimedRequest[]>((resolve, reject) =>
    worker.once("message", resolve).once("error", reject),
  );
  return {
    stop() {
      worker.postMessage("stop");
      return result;
    },
  };
}

/** Sends a GET request.  @param agent keep-alive agent */
export function sendGet(url: string, agent: Agent): Promise<{ readonly status: number; readonly body: string }> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
      response.once("end", () => resolve({ status: response.statusCode ?? 0, body })).once("error", reject);
    }).once("error", reject);
  });
}

function typeContinuously(origin: string, rate: number): Shoppers {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const texts = keystrokes(realQueries(500).measuredQueries);
  const times: TimedRequest[] = [];
  const rejectedStatuses: number[] = [];
  const openRequests = new Set<Promise<void>>();
  const loopStart = performance.now();
  let sentCount = 0;
  const send = async (startTime: number): Promise<void> => {
    const text = encodeURIComponent(texts[sentCount % texts.length] ?? "");
    const { status } = await sendGet(`${origin}/search/suggest.json?q=${text}`, agent);
    if (status !== 200) rejectedStatuses.push(status);
    times.push({ startTime: performance.timeOrigin + startTime, ms: performance.now() - startTime });
  };
  const timer = setInterval(() => {
    for (; loopStart + (sentCount * 1_000) / rate <= performance.now(); sentCount += 1) {
      const request = send(loopStart + (sentCount * 1_000) / rate).finally(() => openRequests.delete(request));
      openRequests.add(request);
    }
  }, 1);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(openRequests);
      agent.destroy();
      if (rejectedStatuses.length > 0)
        throw new Error(`${rejectedStatuses.length} keystrokes were answered ${rejectedStatuses[0]}`);
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
  const { origin, rate } = workerData as { readonly origin: string; readonly rate: number };
  const typist = typeContinuously(origin, rate);
  port.once("message", async () => port.postMessage(await typist.stop()));
}
