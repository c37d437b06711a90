// Generates load from a separate process, over connections with one request in flight each. The load is either a fixed
// rate that is independent of the responses (open loop), a new request after each response (closed loop), or one
// request on each connection at once (burst). Reads a `FloodPlan` from standard input, and writes a `FloodResult` to
// standard output.
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { AnswerReader } from "../http/response-reader.ts";

export interface FloodPlan {
  readonly port: number;
  readonly connections: number;
  /** Requests per second on all connections together, or the kind of load. */
  readonly rate: number | "closed" | "burst";
  /** Duration in milliseconds. A burst ends with its last response. */
  readonly ms: number;
  /** Complete requests. Connections send them in sequence, and start again after the last one. */
  readonly requests: readonly string[];
}

/** Number and times of responses with one status. */
export interface ResponseTimes {
  readonly count: number;
  /** Milliseconds from the request to its response. */
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

export interface FloodResult {
  readonly sentCount: number;
  /** Duration of the load in milliseconds. */
  readonly ms: number;
  /** Number of connections that the server closed unexpectedly. */
  readonly closedCount: number;
  readonly statuses: Readonly<Record<string, ResponseTimes>>;
  /** Responses with status 200, by method and path. */
  readonly paths: Readonly<Record<string, ResponseTimes>>;
  /** CPU use of this process as a share of the time. Near 1, the load generator is the bottleneck. */
  readonly cpuShare: number;
}

async function flood({ port, connections, rate, ms, requests }: FloodPlan): Promise<FloodResult> {
  const bytes = requests.map((request) => Buffer.from(request, "latin1"));
  const requestNames = requests.map((request) => request.slice(0, request.search(/\?| HTTP/)));
  const times: Record<string, number[]> = {};
  const timesOfPaths: Record<string, number[]> = {};
  const idleSenders: (() => void)[] = [];
  let sentCount = 0;
  let answerCount = 0;
  let closedCount = 0;
  let isOver = false;
  const openConnection = (onReady: (send: () => void, close: () => void) => void): void => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    const reader = new AnswerReader();
    let sentAt = 0;
    let requestName = "";
    let isEnding = false;
    const send = (): void => {
      sentAt = performance.now();
      requestName = requestNames[sentCount % requestNames.length] ?? "";
      socket.write(bytes[sentCount % bytes.length] as Buffer);
      sentCount += 1;
    };
    socket.on("connect", () => onReady(send, () => socket.destroy()));
    socket.on("data", (chunk: Buffer) => {
      for (const { status, isLast } of reader.read(chunk)) {
        if (isOver) return;
        isEnding = isLast;
        answerCount += 1;
        addTime(times, status, performance.now() - sentAt);
        if (status === "200") addTime(timesOfPaths, requestName, performance.now() - sentAt);
        if (isLast) return;
        if (rate === "closed") send();
        else idleSenders.push(send);
      }
    });
    // An error closes the socket, which is handled there.
    socket.on("error", () => {});
    socket.on("close", () => {
      if (isOver) return;
      if (!isEnding) closedCount += 1;
      openConnection((sendAgain) => (rate === "closed" ? sendAgain() : idleSenders.push(sendAgain)));
    });
  };
  const closeFunctions: (() => void)[] = [];
  await new Promise<void>((resolve) => {
    for (let number = 0; number < connections; number += 1)
      openConnection((send, close) => {
        idleSenders.push(send);
        if (closeFunctions.push(close) === connections) resolve();
      });
  });
  const cpuBefore = process.cpuUsage();
  const start = performance.now();
  if (typeof rate !== "number") for (const send of idleSenders.splice(0)) send();
  for (
    let nextIndex = 0;
    performance.now() < start + ms || (rate === "burst" && answerCount < connections);
    await sleep(1)
  ) {
    if (typeof rate !== "number") continue;
    // A request without an idle connection is not sent later, because that would change the load.
    const dueCount = Math.floor(((performance.now() - start) * rate) / 1_000);
    for (; nextIndex < dueCount; nextIndex += 1) idleSenders.shift()?.();
  }
  isOver = true;
  const elapsedMs = performance.now() - start;
  for (const close of closeFunctions) close();
  const { user, system } = process.cpuUsage(cpuBefore);
  const cpuShare = (user + system) / MICROSECONDS / elapsedMs;
  return {
    sentCount,
    ms: elapsedMs,
    closedCount,
    statuses: summarizeTimes(times),
    paths: summarizeTimes(timesOfPaths),
    cpuShare,
  };
}

const MICROSECONDS = 1_000;

function addTime(times: Record<string, number[]>, name: string, ms: number): void {
  times[name] ??= [];
  times[name].push(ms);
}

function summarizeTimes(times: Readonly<Record<string, number[]>>): Readonly<Record<string, ResponseTimes>> {
  return Object.fromEntries(Object.entries(times).map(([name, list]) => [name, summarize(list)]));
}

function summarize(times: number[]): ResponseTimes {
  times.sort((left, right) => left - right);
  const percentileAt = (share: number): number =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { count: times.length, p50: percentileAt(0.5), p99: percentileAt(0.99), max: percentileAt(1) };
}

const plan = JSON.parse(await text(process.stdin)) as FloodPlan;
process.stdout.write(JSON.stringify(await flood(plan)), () => process.exit());
