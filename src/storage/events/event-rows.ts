import type { Database, SqlRow, Statement } from "../database.ts";
import { purgeRows } from "../purging.ts";
import { type StoredEvent, toEvent } from "./delivery-store.ts";

/** Milliseconds after which events are deleted, delivered or not: they contain addresses of shoppers. */
const KEPT_MS = 60 * 86_400_000;

/** What a receiver has to be told yet, or was given up. */
export interface Undelivered {
  readonly event: StoredEvent;
  /** Name of the receiver. */
  readonly destination: string;
  readonly state: "due" | "dead";
  readonly attempts: number;
  /** Milliseconds since 1970 of the next attempt; of one that waits behind another of its key, none. */
  readonly dueAt: number;
  /** What went wrong the last time; absent: it was not tried yet. */
  readonly failure?: string;
  /** Id of the first event of its key that was not told yet; its own, where that is it. */
  readonly after: string;
}

/** Oldest first, in pages. */
export async function* readUndelivered(database: Database): AsyncGenerator<readonly Undelivered[]> {
  let after: readonly [number, string] = [0, ""];
  for (;;) {
    const rows = await database.read(
      `${select} WHERE (d.position, d.destination) > ($1, $2) ORDER BY d.position, d.destination LIMIT ${PAGE_SIZE}`,
      after,
    );
    yield rows.map(toUndelivered);
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_SIZE) return;
    after = [Number(last.position), String(last.destination)];
  }
}

const PAGE_SIZE = 500;

/** The same, no more than so many. */
export async function oldestUndelivered(database: Database, limit: number): Promise<readonly Undelivered[]> {
  const rows = await database.read(`${select} ORDER BY d.position, d.destination LIMIT $1`, [limit]);
  return rows.map(toUndelivered);
}

export async function readUndeliveredOf(database: Database, eventId: string): Promise<readonly Undelivered[]> {
  const rows = await database.read(`${select} WHERE d.event_id = $1 ORDER BY d.destination`, [eventId]);
  return rows.map(toUndelivered);
}

export async function readEvent(database: Database, id: string): Promise<StoredEvent | undefined> {
  const [row] = await database.read("SELECT id, type, payload, created_at FROM events WHERE id = $1", [id]);
  return row === undefined ? undefined : toEvent(row);
}

/** Which deliveries a command is about. */
export interface Chosen {
  /** Default: all that were given up. */
  readonly eventId?: string;
  /** Default: any. */
  readonly destination?: string;
  /** Also those that were not given up. */
  readonly hasDue?: boolean;
}

/** Has them tried now, as if for the first time. @returns how many */
export function retryEvents(database: Database, chosen: Chosen): Promise<number> {
  // A time long ago is due whatever the clocks say. Who is at it now is let go on.
  return countChanged(
    database,
    chosen,
    "UPDATE event_deliveries SET state = 'due', attempts = 0, due_at = 0 WHERE claim IS NULL AND",
  );
}

/** Gives them up for ever, so that what follows them is told. @returns how many */
export function dropEvents(database: Database, chosen: Chosen): Promise<number> {
  return countChanged(database, chosen, "DELETE FROM event_deliveries WHERE");
}

/** What forgets an event and that anybody was to be told of it. */
export function forgetEvent(id: string): readonly Statement[] {
  return [
    { sql: "DELETE FROM event_deliveries WHERE event_id = $1", params: [id] },
    { sql: "DELETE FROM events WHERE id = $1", params: [id] },
  ];
}

/** Deletes old events with their deliveries: those to receivers that were removed from the settings would wait forever. @returns the
 *  number of events */
export async function purgeEvents(database: Database, now: number): Promise<number> {
  const bound = now - KEPT_MS;
  await purgeRows(database, {
    table: "event_deliveries",
    key: ["destination", "position"],
    where: "event_id IN (SELECT id FROM events WHERE created_at < $1)",
    bound,
  });
  return purgeRows(database, {
    table: "events",
    key: ["id"],
    where: "created_at < $1 AND NOT EXISTS (SELECT 1 FROM event_deliveries WHERE event_id = events.id)",
    bound,
  });
}

async function countChanged(
  database: Database,
  { eventId, destination, hasDue = false }: Chosen,
  change: string,
): Promise<number> {
  const params = [eventId, destination].filter((one) => one !== undefined);
  const states = hasDue ? "state IN ('dead', 'due')" : "state = 'dead'";
  const which = eventId === undefined ? states : "event_id = $1";
  const to = destination === undefined ? "" : ` AND destination = $${params.length}`;
  const [rows = []] = await database.write([{ sql: `${change} ${which}${to} RETURNING position`, params }]);
  return rows.length;
}

const select = `SELECT e.id, e.type, e.payload, e.created_at, d.position, d.destination, d.state, d.attempts, d.due_at, d.failure,
    (SELECT f.event_id FROM event_deliveries f WHERE f.destination = d.destination AND f.order_key = d.order_key
      ORDER BY f.position LIMIT 1) AS after
  FROM event_deliveries d JOIN events e ON e.id = d.event_id`;

function toUndelivered(row: SqlRow): Undelivered {
  return {
    event: toEvent(row),
    destination: String(row.destination),
    state: row.state === "dead" ? "dead" : "due",
    attempts: Number(row.attempts),
    dueAt: Number(row.due_at),
    ...(row.failure == null ? {} : { failure: String(row.failure) }),
    after: String(row.after),
  };
}
