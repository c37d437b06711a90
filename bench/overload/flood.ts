// Load that does not wait for the server: requests are due at a rate, over many kept connections, from a process of its own. Reads a `FloodPlan`
// from standard input, writes a `FloodResult` to standard output.
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { AnswerReader } from "../http/answer-reader.ts";

export interface FloodPlan {
  readonly port: number;
  readonly connections: number;
  /** Requests a second, on all connections together. */
  readonly rate: number;
  readonly ms: number;
  /** Whole requests as they are sent; connections take them in turn, from the first again after the last. */
  readonly requests: readonly string[];
}

/** What was answered with one status. */
export interface Answered {
  readonly count: number;
  /** Milliseconds from the moment at which a request was due, be it that its connection still waited for an answer then. */
  readonly p50: number;
  readonly p99: number;
  readonly most: number;
}

export interface FloodResult {
  readonly sent: number;
  /** Connections that ended without an answer that said so. */
  readonly closed: number;
  readonly statuses: Readonly<Record<string, Answered>>;
  /** What was answered 200, by method and path. */
  readonly paths: Readonly<Record<string, Answered>>;
  /** Share of the time in which this process used a processor: near 1, it is the load that is slow. */
  readonly ownShare: number;
}

async function flood({ port, connections, rate, ms, requests }: FloodPlan): Promise<FloodResult> {
  const bytes = requests.map((request) => Buffer.from(request, "latin1"));
  const kinds = requests.map((request) => request.slice(0, request.search(/\?| HTTP/)));
  const times: Record<string, number[]> = {};
  const timesOfPaths: Record<string, number[]> = {};
  const every = (connections * 1_000) / rate;
  const start = performance.now() + 500;
  const cpuBefore = process.cpuUsage();
  let sent = 0;
  let closed = 0;
  let isOver = false;
  const lanes = Array.from({ length: connections }, (_, number) => {
    let due = start + (number * every) / connections;
    let socket: Socket | undefined;
    let isWaiting = false;
    let kind = "";
    let isEnding = false;
    const send = (): void => {
      if (isOver || isWaiting || socket === undefined || performance.now() < due) return;
      isWaiting = true;
      kind = kinds[sent % kinds.length] ?? "";
      socket.write(bytes[sent % bytes.length] as Buffer);
      sent += 1;
    };
    const open = (): void => {
      const opened = connect({ port, host: "127.0.0.1", noDelay: true });
      const reader = new AnswerReader();
      opened.on("connect", () => {
        socket = opened;
      });
      opened.on("data", (chunk: Buffer) => {
        for (const { status, isLast } of reader.read(chunk)) {
          isEnding = isLast;
          note(times, status, performance.now() - due);
          if (status === "200") note(timesOfPaths, kind, performance.now() - due);
          due += every;
          isWaiting = false;
        }
        send();
      });
      // It is closed then.
      opened.on("error", () => {});
      opened.on("close", () => {
        if (!isOver && !isEnding) closed += 1;
        isEnding = false;
        socket = undefined;
        isWaiting = false;
        if (!isOver) open();
      });
    };
    open();
    return { send, close: () => socket?.destroy() };
  });
  const tick = setInterval(() => {
    for (const { send } of lanes) send();
  }, 1);
  await new Promise((done) => setTimeout(done, start + ms - performance.now()));
  isOver = true;
  clearInterval(tick);
  for (const { close } of lanes) close();
  const { user, system } = process.cpuUsage(cpuBefore);
  const ownShare = (user + system) / MICROSECONDS / (performance.now() - start);
  return { sent, closed, statuses: summed(times), paths: summed(timesOfPaths), ownShare };
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
  return { count: times.length, p50: at(0.5), p99: at(0.99), most: at(1) };
}

const plan = JSON.parse(await text(process.stdin)) as FloodPlan;
process.stdout.write(JSON.stringify(await flood(plan)));
