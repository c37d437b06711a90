import { DAY_MS } from "../../runtime/durations.ts";
import type { Database, SqlRow, Statement } from "../database.ts";
import { purgeRows } from "../purging.ts";
import { type StoredEvent, toEvent } from "./delivery-store.ts";

/** Milliseconds after which events are deleted, even if not delivered, because they contain shoppers' addresses. */
const EVENT_LIFETIME_MS = 60 * DAY_MS;

/** A pending or abandoned delivery. */
export interface UndeliveredEvent {
  readonly event: StoredEvent;
  /** Name of the receiver. */
  readonly destination: string;
  readonly state: "due" | "dead";
  readonly attempts: number;
  /** Time of the next attempt in milliseconds since 1970. */
  readonly dueAt: number;
  /** Error of the last attempt. Undefined before the first attempt. */
  readonly failure?: string;
  /** ID of the oldest undelivered event with the same key. Equals the event's own ID if no other event is older. */
  readonly firstEventId: string;
}

/** Yields deliveries in pages, oldest first. */
export async function* readUndeliveredEvents(database: Database): AsyncGenerator<readonly UndeliveredEvent[]> {
  let lastKey: readonly [number, string] = [0, ""];
  for (;;) {
    const rows = await database.read(
      `${selectSql} WHERE (d.position, d.destination) > ($1, $2) ORDER BY d.position, d.destination LIMIT ${PAGE_SIZE}`,
      lastKey,
    );
    yield rows.map(toUndeliveredEvent);
    const lastRow = rows.at(-1);
    if (lastRow === undefined || rows.length < PAGE_SIZE) return;
    lastKey = [Number(lastRow.position), String(lastRow.destination)];
  }
}

const PAGE_SIZE = 500;

/** Reads at most `limit` deliveries, oldest first. */
export async function readOldestUndeliveredEvents(
  database: Database,
  limit: number,
): Promise<readonly UndeliveredEvent[]> {
  const rows = await database.read(`${selectSql} ORDER BY d.position, d.destination LIMIT $1`, [limit]);
  return rows.map(toUndeliveredEvent);
}

export async function readDeliveriesOfEvent(database: Database, eventId: string): Promise<readonly UndeliveredEvent[]> {
  const rows = await database.read(`${selectSql} WHERE d.event_id = $1 ORDER BY d.destination`, [eventId]);
  return rows.map(toUndeliveredEvent);
}

export async function readEvent(database: Database, id: string): Promise<StoredEvent | undefined> {
  const [row] = await database.read("SELECT id, type, payload, created_at FROM events WHERE id = $1", [id]);
  return row === undefined ? undefined : toEvent(row);
}

/** Selects deliveries for a command. */
export interface DeliverySelection {
  /** ID of an event. Default: all abandoned events. */
  readonly eventId?: string;
  /** Name of a receiver. Default: all receivers. */
  readonly destination?: string;
  /** Whether to include pending deliveries. */
  readonly includesDueEvents?: boolean;
}

/**
 * Schedules deliveries for an immediate attempt, and resets their number of attempts.
 * @returns the number of deliveries
 */
export function retryEvents(database: Database, selection: DeliverySelection): Promise<number> {
  // The due time 0 is in the past on any clock. Deliveries in progress are not changed.
  return changeDeliveries(
    database,
    selection,
    "UPDATE event_deliveries SET state = 'due', attempts = 0, due_at = 0 WHERE claim IS NULL AND",
  );
}

/** Deletes deliveries, so that the events after them can be delivered.  @returns the number of deliveries */
export function dropEvents(database: Database, selection: DeliverySelection): Promise<number> {
  return changeDeliveries(database, selection, "DELETE FROM event_deliveries WHERE");
}

/** Returns statements that delete an event and its deliveries. */
export function deleteEvent(id: string): readonly Statement[] {
  return [
    { sql: "DELETE FROM event_deliveries WHERE event_id = $1", params: [id] },
    { sql: "DELETE FROM events WHERE id = $1", params: [id] },
  ];
}

/**
 * Deletes old events and their deliveries. This includes deliveries to receivers that were removed from the settings.
 * @returns the number of deleted events
 */
export async function purgeEvents(database: Database, now: number): Promise<number> {
  const boundValue = now - EVENT_LIFETIME_MS;
  await purgeRows(database, {
    table: "event_deliveries",
    keyColumns: ["destination", "position"],
    conditionSql: "event_id IN (SELECT id FROM events WHERE created_at < $1)",
    boundValue,
  });
  return purgeRows(database, {
    table: "events",
    keyColumns: ["id"],
    conditionSql: "created_at < $1 AND NOT EXISTS (SELECT 1 FROM event_deliveries WHERE event_id = events.id)",
    boundValue,
  });
}

async function changeDeliveries(
  database: Database,
  { eventId, destination, includesDueEvents = false }: DeliverySelection,
  updateSql: string,
): Promise<number> {
  const params = [eventId, destination].filter((value) => value !== undefined);
  const stateCondition = includesDueEvents ? "state IN ('dead', 'due')" : "state = 'dead'";
  const condition = eventId === undefined ? stateCondition : "event_id = $1";
  const destinationCondition = destination === undefined ? "" : ` AND destination = $${params.length}`;
  const [rows = []] = await database.write([
    { sql: `${updateSql} ${condition}${destinationCondition} RETURNING position`, params },
  ]);
  return rows.length;
}

const selectSql = `SELECT e.id, e.type, e.payload, e.created_at, e.traceparent, d.position, d.destination, d.state, d.attempts, d.due_at, d.failure,
    (SELECT f.event_id FROM event_deliveries f WHERE f.destination = d.destination AND f.order_key = d.order_key
      ORDER BY f.position LIMIT 1) AS after
  FROM event_deliveries d JOIN events e ON e.id = d.event_id`;

function toUndeliveredEvent(row: SqlRow): UndeliveredEvent {
  return {
    event: toEvent(row),
    destination: String(row.destination),
    state: row.state === "dead" ? "dead" : "due",
    attempts: Number(row.attempts),
    dueAt: Number(row.due_at),
    ...(row.failure == null ? {} : { failure: String(row.failure) }),
    firstEventId: String(row.after),
  };
}
