// Generates load on one server from a separate process, over keep-alive connections with one request in flight each.
// Reads a `LoadPlan` from standard input, and writes a `LoadResult` to standard output. Responses are split but not
// parsed, so that the load costs less than the server.

import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { AnswerReader } from "./response-reader.ts";

export interface LoadPlan {
  readonly port: number;
  readonly connections: number;
  readonly warmUpMs: number;
  readonly ms: number;
  /** Complete requests. Connections send them in sequence, and start again after the last one. */
  readonly requests: readonly string[];
}

export interface LoadResult {
  /** Number of responses in the measured time. `ms` is that time in milliseconds. */
  readonly count: number;
  readonly ms: number;
  /** Number of all responses, including those before and after the measured time. */
  readonly answers: number;
  /** Number of responses by HTTP status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Milliseconds from sending a request to the last byte of its response. */
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  /** Average bytes of a response body. */
  readonly bodyBytes: number;
  /** CPU use of this process as a share of the time. Near 1, the load generator is the bottleneck. */
  readonly cpuShare: number;
}

const MICROSECONDS = 1_000;

async function load({ port, connections, warmUpMs, ms, requests }: LoadPlan): Promise<LoadResult> {
  const bytes = requests.map((request) => Buffer.from(request, "latin1"));
  const times: number[] = [];
  const statuses: Record<string, number> = {};
  let bodyBytes = 0;
  let answers = 0;
  let nextRequest = 0;
  let measureStart = Number.POSITIVE_INFINITY;
  let isOver = false;
  const sockets = new Set<Socket>();
  const openConnection = (reject: (error: Error) => void): void => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    const reader = new AnswerReader();
    let sentAt = 0;
    let isEnding = false;
    const send = (): void => {
      sentAt = performance.now();
      socket.write(bytes[nextRequest % bytes.length] as Buffer);
      nextRequest += 1;
    };
    socket.on("data", (chunk: Buffer) => {
      for (const answer of reader.read(chunk)) {
        answers += 1;
        if (sentAt >= measureStart && !isOver) {
          times.push(performance.now() - sentAt);
          statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
          bodyBytes += answer.bodyBytes;
        }
        isEnding = answer.isLast;
        if (!isOver && !isEnding) send();
      }
    });
    socket.once("connect", send).once("error", reject);
    socket.once("close", () => {
      sockets.delete(socket);
      if (isOver) return;
      if (isEnding) openConnection(reject);
      else reject(new Error("the server closed a connection"));
    });
    sockets.add(socket);
  };
  const failure = new Promise<never>((_, reject) => {
    for (let number = 0; number < connections; number += 1) openConnection(reject);
  });
  const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
  await Promise.race([sleep(warmUpMs), failure]);
  measureStart = performance.now();
  const cpuBefore = process.cpuUsage();
  await Promise.race([sleep(ms), failure]);
  isOver = true;
  const elapsedMs = performance.now() - measureStart;
  const { user, system } = process.cpuUsage(cpuBefore);
  for (const socket of sockets) socket.destroy();
  times.sort((left, right) => left - right);
  const percentileAt = (share: number): number =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
  const count = times.length;
  return {
    count,
    ms: elapsedMs,
    answers,
    statuses,
    p50: percentileAt(0.5),
    p99: percentileAt(0.99),
    p999: percentileAt(0.999),
    bodyBytes: bodyBytes / count,
    cpuShare: (user + system) / MICROSECONDS / elapsedMs,
  };
}

const plan = JSON.parse(await text(process.stdin)) as LoadPlan;
process.stdout.write(JSON.stringify(await load(plan)));
