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
  let next = 0;
  let from = Number.POSITIVE_INFINITY;
  let isOver = false;
  const sockets = new Set<Socket>();
  const open = (fail: (error: Error) => void): void => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    const reader = new AnswerReader();
    let sentAt = 0;
    let isEnding = false;
    const send = (): void => {
      sentAt = performance.now();
      socket.write(bytes[next % bytes.length] as Buffer);
      next += 1;
    };
    socket.on("data", (chunk: Buffer) => {
      for (const answer of reader.read(chunk)) {
        answers += 1;
        if (sentAt >= from && !isOver) {
          times.push(performance.now() - sentAt);
          statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
          bodyBytes += answer.bodyBytes;
        }
        isEnding = answer.isLast;
        if (!isOver && !isEnding) send();
      }
    });
    socket.once("connect", send).once("error", fail);
    socket.once("close", () => {
      sockets.delete(socket);
      if (isOver) return;
      if (isEnding) open(fail);
      else fail(new Error("the server closed a connection"));
    });
    sockets.add(socket);
  };
  const failed = new Promise<never>((_, fail) => {
    for (let number = 0; number < connections; number += 1) open(fail);
  });
  const wait = (some: number): Promise<void> => new Promise((done) => setTimeout(done, some));
  await Promise.race([wait(warmUpMs), failed]);
  from = performance.now();
  const cpuBefore = process.cpuUsage();
  await Promise.race([wait(ms), failed]);
  isOver = true;
  const took = performance.now() - from;
  const { user, system } = process.cpuUsage(cpuBefore);
  for (const socket of sockets) socket.destroy();
  times.sort((one, other) => one - other);
  const at = (share: number): number =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
  const count = times.length;
  return {
    count,
    ms: took,
    answers,
    statuses,
    p50: at(0.5),
    p99: at(0.99),
    bodyBytes: bodyBytes / count,
    cpuShare: (user + system) / MICROSECONDS / took,
  };
}

const plan = JSON.parse(await text(process.stdin)) as LoadPlan;
process.stdout.write(JSON.stringify(await load(plan)));
