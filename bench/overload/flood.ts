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
export interface Answered {
  readonly count: number;
  /** Milliseconds from the request to its response. */
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

export interface FloodResult {
  readonly sent: number;
  /** Duration of the load in milliseconds. */
  readonly ms: number;
  /** Number of connections that the server closed unexpectedly. */
  readonly closed: number;
  readonly statuses: Readonly<Record<string, Answered>>;
  /** Responses with status 200, by method and path. */
  readonly paths: Readonly<Record<string, Answered>>;
  /** CPU use of this process as a share of the time. Near 1, the load generator is the bottleneck. */
  readonly cpuShare: number;
}

async function flood({ port, connections, rate, ms, requests }: FloodPlan): Promise<FloodResult> {
  const bytes = requests.map((request) => Buffer.from(request, "latin1"));
  const kinds = requests.map((request) => request.slice(0, request.search(/\?| HTTP/)));
  const times: Record<string, number[]> = {};
  const timesOfPaths: Record<string, number[]> = {};
  const idle: (() => void)[] = [];
  let sent = 0;
  let answered = 0;
  let closed = 0;
  let isOver = false;
  const open = (onReady: (send: () => void, close: () => void) => void): void => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    const reader = new AnswerReader();
    let sentAt = 0;
    let kind = "";
    let isEnding = false;
    const send = (): void => {
      sentAt = performance.now();
      kind = kinds[sent % kinds.length] ?? "";
      socket.write(bytes[sent % bytes.length] as Buffer);
      sent += 1;
    };
    socket.on("connect", () => onReady(send, () => socket.destroy()));
    socket.on("data", (chunk: Buffer) => {
      for (const { status, isLast } of reader.read(chunk)) {
        if (isOver) return;
        isEnding = isLast;
        answered += 1;
        note(times, status, performance.now() - sentAt);
        if (status === "200") note(timesOfPaths, kind, performance.now() - sentAt);
        if (isLast) return;
        if (rate === "closed") send();
        else idle.push(send);
      }
    });
    // An error closes the socket, which is handled there.
    socket.on("error", () => {});
    socket.on("close", () => {
      if (isOver) return;
      if (!isEnding) closed += 1;
      open((again) => (rate === "closed" ? again() : idle.push(again)));
    });
  };
  const closing: (() => void)[] = [];
  await new Promise<void>((done) => {
    for (let number = 0; number < connections; number += 1)
      open((send, close) => {
        idle.push(send);
        if (closing.push(close) === connections) done();
      });
  });
  const cpuBefore = process.cpuUsage();
  const start = performance.now();
  if (typeof rate !== "number") for (const send of idle.splice(0)) send();
  for (let due = 0; performance.now() < start + ms || (rate === "burst" && answered < connections); await sleep(1)) {
    if (typeof rate !== "number") continue;
    // A request without an idle connection is not sent later, because that would change the load.
    const now = Math.floor(((performance.now() - start) * rate) / 1_000);
    for (; due < now; due += 1) idle.shift()?.();
  }
  isOver = true;
  const took = performance.now() - start;
  for (const close of closing) close();
  const { user, system } = process.cpuUsage(cpuBefore);
  const cpuShare = (user + system) / MICROSECONDS / took;
  return { sent, ms: took, closed, statuses: summed(times), paths: summed(timesOfPaths), cpuShare };
}

const MICROSECONDS = 1_000;

function note(times: Record<string, number[]>, name: string, ms: number): void {
  times[name] ??= [];
  times[name].push(ms);
}

function summed(times: Readonly<Record<string, number[]>>): Readonly<Record<string, Answered>> {
  return Object.fromEntries(Object.entries(times).map(([name, list]) => [name, answered(list)]));
}

function answered(times: number[]): Answered {
  times.sort((one, other) => one - other);
  const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { count: times.length, p50: at(0.5), p99: at(0.99), max: at(1) };
}

const plan = JSON.parse(await text(process.stdin)) as FloodPlan;
process.stdout.write(JSON.stringify(await flood(plan)), () => process.exit());
