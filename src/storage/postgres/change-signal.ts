import type pg from "pg";
import { createThrottle } from "../../runtime/throttle.ts";
import type { ChangeTopic } from "../database.ts";

/** Notifies other servers about changes, and receives their notifications. One may be lost, because servers also poll. */
export interface ChangeSignal {
  /** Schedules a notification to all servers. */
  announce(topics: Iterable<ChangeTopic>): void;
  /** Calls `onChange` after changes of other servers and of this one, until the signal is closed. */
  listen(onChange: (topic: ChangeTopic) => void): void;
  /** Sends the scheduled notifications, and disconnects. */
  close(): Promise<void>;
}

export interface ChangeSignalOptions {
  /** Creates a client without connecting it. */
  readonly createClient: () => pg.Client;
  /** Runs a statement in a separate transaction. */
  readonly runStatement: (sql: string, params: readonly string[]) => Promise<unknown>;
}

const CHANNEL = "vitrine_changes";
/** Minimum milliseconds between two messages of a thread, because PostgreSQL sends each one to all servers. */
const MIN_SEND_INTERVAL_MS = 500;
const RECONNECT_DELAY_MS = 1_000;

/**
 * Creates a signal that uses LISTEN and NOTIFY of PostgreSQL. Messages are sent in separate transactions, because
 * transactions with NOTIFY wait for each other at their commit.
 */
export function createChangeSignal({ createClient, runStatement }: ChangeSignalOptions): ChangeSignal {
  let client: pg.Client | undefined;
  let reconnectTimer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const listeners: ((topic: ChangeTopic) => void)[] = [];
  let waitingTopics = new Set<ChangeTopic>();
  const messages = createThrottle(MIN_SEND_INTERVAL_MS, async () => {
    const text = [...waitingTopics].join(" ");
    waitingTopics = new Set();
    await runStatement("SELECT pg_notify($1, $2)", [CHANNEL, text]).catch(() => undefined);
  });

  const callListeners = (text: string): void => {
    if (!isClosed)
      for (const topic of text.split(" ")) for (const listener of listeners) listener(topic as ChangeTopic);
  };
  const connect = async (): Promise<void> => {
    const newClient = createClient();
    client = newClient;
    let hasEnded = false;
    const reconnect = (): void => {
      if (hasEnded) return;
      hasEnded = true;
      newClient.end().catch(() => undefined);
      if (!isClosed) reconnectTimer = setTimeout(() => void connect(), RECONNECT_DELAY_MS).unref();
    };
    newClient.on("error", reconnect).on("end", reconnect);
    newClient.on("notification", ({ payload = "" }) => callListeners(payload));
    try {
      await newClient.connect();
      await newClient.query(`LISTEN ${CHANNEL}`);
    } catch {
      reconnect();
    }
  };
  return {
    announce(topics) {
      for (const topic of topics) waitingTopics.add(topic);
      messages.run();
    },
    listen(onChange) {
      if (listeners.push(onChange) === 1) void connect();
    },
    async close() {
      isClosed = true;
      clearTimeout(reconnectTimer);
      await Promise.all([client?.end().catch(() => undefined), messages.close()]);
    },
  };
}
