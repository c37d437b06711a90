import type pg from "pg";
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
/** Minimum milliseconds between two calls of a listener with the same topic. */
const MIN_CALL_INTERVAL_MS = 200;
const RECONNECT_DELAY_MS = 1_000;

/**
 * Creates a signal that uses LISTEN and NOTIFY of PostgreSQL. Messages are sent in separate transactions, because
 * transactions with NOTIFY wait for each other at their commit.
 */
export function createChangeSignal({ createClient, runStatement }: ChangeSignalOptions): ChangeSignal {
  let client: pg.Client | undefined;
  let reconnectTimer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const sendTopics = createThrottle<ChangeTopic>(MIN_SEND_INTERVAL_MS, async (topics) => {
    await runStatement("SELECT pg_notify($1, $2)", [CHANNEL, [...topics].join(" ")]).catch(() => undefined);
  });

  const connect = async (onMessage: (text: string) => void): Promise<void> => {
    const newClient = createClient();
    client = newClient;
    let hasEnded = false;
    const reconnect = (): void => {
      if (hasEnded) return;
      hasEnded = true;
      newClient.end().catch(() => undefined);
      if (!isClosed) reconnectTimer = setTimeout(() => void connect(onMessage), RECONNECT_DELAY_MS).unref();
    };
    newClient.on("error", reconnect).on("end", reconnect);
    newClient.on("notification", ({ payload = "" }) => onMessage(payload));
    try {
      await newClient.connect();
      await newClient.query(`LISTEN ${CHANNEL}`);
    } catch {
      reconnect();
    }
  };
  return {
    announce: (topics) => sendTopics.add(topics),
    listen(onChange) {
      const callListener = createThrottle<ChangeTopic>(MIN_CALL_INTERVAL_MS, async (topics) => {
        if (!isClosed) for (const topic of topics) onChange(topic);
      });
      void connect((text) => callListener.add(text.split(" ") as ChangeTopic[]));
    },
    async close() {
      isClosed = true;
      clearTimeout(reconnectTimer);
      await Promise.all([client?.end().catch(() => undefined), sendTopics.close()]);
    },
  };
}

/**
 * Collects items, and passes them to `flush`: the first ones at once, later ones after `intervalMs`.
 * @param flush must not reject
 */
function createThrottle<T>(intervalMs: number, flush: (items: ReadonlySet<T>) => Promise<void>) {
  let items = new Set<T>();
  let timer: NodeJS.Timeout | undefined;
  let lastFlush: Promise<void> = Promise.resolve();
  const flushItems = (): void => {
    timer = undefined;
    if (items.size === 0) return;
    const flushedItems = items;
    items = new Set();
    timer = setTimeout(flushItems, intervalMs).unref();
    lastFlush = lastFlush.then(() => flush(flushedItems));
  };
  return {
    add(newItems: Iterable<T>): void {
      for (const item of newItems) items.add(item);
      if (timer === undefined) flushItems();
    },
    /** Flushes the remaining items at once. */
    async close(): Promise<void> {
      clearTimeout(timer);
      flushItems();
      clearTimeout(timer);
      await lastFlush;
    },
  };
}
