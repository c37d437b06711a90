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
  readonly closed: number;
  readonly statuses: Readonly<Record<string, Answered>>;
}

async function flood({ port, connections, rate, ms, requests }: FloodPlan): Promise<FloodResult> {
  const bytes = requests.map((request) => Buffer.from(request, "latin1"));
  const times: Record<string, number[]> = {};
  const every = (connections * 1_000) / rate;
  const start = performance.now() + 500;
  let sent = 0;
  let closed = 0;
  let isOver = false;
  const lanes = Array.from({ length: connections }, (_, number) => {
    let due = start + (number * every) / connections;
    let socket: Socket | undefined;
    let isWaiting = false;
    const send = (): void => {
      if (isOver || isWaiting || socket === undefined || performance.now() < due) return;
      isWaiting = true;
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
        for (const { status } of reader.read(chunk)) {
          times[status] ??= [];
          times[status].push(performance.now() - due);
          due += every;
          isWaiting = false;
        }
        send();
      });
      opened.on("error", () => {
        closed += 1;
      });
      opened.on("close", () => {
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
  return {
    sent,
    closed,
    statuses: Object.fromEntries(Object.entries(times).map(([status, list]) => [status, answered(list)])),
  };
}

function answered(times: number[]): Answered {
  times.sort((one, other) => one - other);
  const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { count: times.length, p50: at(0.5), p99: at(0.99), most: at(1) };
}

const plan = JSON.parse(await text(process.stdin)) as FloodPlan;
process.stdout.write(JSON.stringify(await flood(plan)));
