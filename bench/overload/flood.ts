// Generates load from a separate process, over connections with one request in flight each. The load is either a fixed
// rate that is independent of the responses (open loop), a new request after each response (closed loop), or one
// request on each connection at once (burst). Reads a `FloodPlan` from standard input, and writes a `FloodResult` to
// standard output.
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { AnswerReader } from "../http/response-reader.ts";

/** A kind of request, whose times are measured separately. */
export interface FloodKind {
  readonly name: string;
  /** Part of all requests, 0 to 1. */
  readonly share: number;
  /** Complete requests. Connections send them in sequence, and start again after the last one. */
  readonly requests: readonly string[];
}

export interface FloodPlan {
  readonly port: number;
  readonly connections: number;
  /** Requests per second on all connections together, or the kind of load. */
  readonly rate: number | "closed" | "burst";
  /** Milliseconds of load before the measured responses. Default: 0. */
  readonly warmUpMs?: number;
  /** Duration in milliseconds. A burst ends with its last response. */
  readonly ms: number;
  /** Maximum number of responses. Default: any. */
  readonly maxAnswers?: number;
  readonly kinds: readonly FloodKind[];
}

/** Number and times of responses with one status. */
export interface ResponseTimes {
  readonly count: number;
  /** Milliseconds from the request to its response. */
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
}

export interface FloodResult {
  readonly sentCount: number;
  /** Number of responses, including those of the warm-up. */
  readonly answerCount: number;
  /** Average bytes of the measured response bodies. */
  readonly bodyBytes: number;
  /** Number of requests in an open loop that found no idle connection, and were not sent. */
  readonly skippedCount: number;
  /** Duration of the load in milliseconds. */
  readonly ms: number;
  /** Number of connections that the server closed unexpectedly. */
  readonly closedCount: number;
  /** Times by kind and status. */
  readonly kinds: Readonly<Record<string, Readonly<Record<string, ResponseTimes>>>>;
  /** CPU use of this process as a share of the time. Near 1, the load generator is the bottleneck. */
  readonly cpuShare: number;
}

async function flood(plan: FloodPlan): Promise<FloodResult> {
  const { port, connections, rate, warmUpMs = 0, ms, maxAnswers = Number.POSITIVE_INFINITY } = plan;
  const kinds = plan.kinds.map(({ requests, ...kind }) => ({
    ...kind,
    requests: requests.map((request) => Buffer.from(request, "latin1")),
    sentCount: 0,
    times: {} as Record<string, number[]>,
  }));
  type Kind = (typeof kinds)[number];
  const idleSenders: (() => void)[] = [];
  let sentCount = 0;
  let skippedCount = 0;
  let answerCount = 0;
  let bodyBytes = 0;
  let closedCount = 0;
  let measureStart = Number.POSITIVE_INFINITY;
  let isOver = false;
  /** Returns the kind that lacks most requests of its share. */
  const nextKind = (): Kind => {
    const missing = ({ share, sentCount: sentOfKind }: Kind): number => share * (sentCount + 1) - sentOfKind;
    return kinds.reduce((best, kind) => (missing(kind) > missing(best) ? kind : best));
  };
  const openConnection = (onReady: (send: () => void, close: () => void) => void): void => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    const reader = new AnswerReader();
    let sentAt = 0;
    let sentKind: Kind | undefined;
    let isEnding = false;
    const send = (): void => {
      const kind = nextKind();
      sentAt = performance.now();
      sentKind = kind;
      socket.write(kind.requests[kind.sentCount % kind.requests.length] ?? "");
      kind.sentCount += 1;
      sentCount += 1;
    };
    socket.on("connect", () => onReady(send, () => socket.destroy()));
    socket.on("data", (chunk: Buffer) => {
      for (const answer of reader.read(chunk)) {
        if (isOver) return;
        const { status, isLast } = answer;
        isEnding = isLast;
        answerCount += 1;
        if (sentAt >= measureStart) {
          const times = sentKind?.times ?? {};
          times[status] ??= [];
          times[status].push(performance.now() - sentAt);
          bodyBytes += answer.bodyBytes;
        }
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
  measureStart = performance.now() + warmUpMs;
  if (typeof rate !== "number") for (const send of idleSenders.splice(0)) send();
  for (
    let nextIndex = 0;
    answerCount < maxAnswers &&
    (performance.now() < measureStart + ms || (rate === "burst" && answerCount < connections));
    await sleep(1)
  ) {
    if (typeof rate !== "number") continue;
    const dueCount = Math.floor(((performance.now() - measureStart) * rate) / 1_000);
    for (; nextIndex < dueCount; nextIndex += 1) {
      const send = idleSenders.shift();
      // A request without an idle connection is not sent later, because that would change the load.
      if (send === undefined) skippedCount += 1;
      else send();
    }
  }
  isOver = true;
  const elapsedMs = performance.now() - measureStart;
  for (const close of closeFunctions) close();
  const { user, system } = process.cpuUsage(cpuBefore);
  const cpuShare = (user + system) / MICROSECONDS / (warmUpMs + elapsedMs);
  const measuredCount = kinds.flatMap(({ times }) => Object.values(times)).reduce((sum, list) => sum + list.length, 0);
  const summarizeKind = ({ name, times }: Kind): [string, Readonly<Record<string, ResponseTimes>>] => [
    name,
    Object.fromEntries(Object.entries(times).map(([status, list]) => [status, summarize(list)])),
  ];
  return {
    sentCount,
    answerCount,
    bodyBytes: bodyBytes / measuredCount,
    skippedCount,
    ms: elapsedMs,
    closedCount,
    kinds: Object.fromEntries(kinds.map(summarizeKind)),
    cpuShare,
  };
}

const MICROSECONDS = 1_000;

function summarize(list: readonly number[]): ResponseTimes {
  const times = Float64Array.from(list).sort();
  const percentileAt = (share: number): number =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return {
    count: times.length,
    p50: percentileAt(0.5),
    p99: percentileAt(0.99),
    p999: percentileAt(0.999),
    max: percentileAt(1),
  };
}

const plan = JSON.parse(await text(process.stdin)) as FloodPlan;
process.stdout.write(JSON.stringify(await flood(plan)), () => process.exit());
