import type { OutboxEventType } from "../../config/event-settings.ts";
import { DAY_MS } from "../../runtime/durations.ts";
import { type Database, formatPlaceholders, type SqlRow, type Statement, tryWrite } from "../database.ts";

/** An event for other systems. */
export interface StoredEvent {
  readonly id: string;
  readonly type: OutboxEventType;
  readonly payload: unknown;
  /** Time of the event in milliseconds since 1970. */
  readonly createdAt: number;
  /** Trace of the request that caused the event, in the format of the header `traceparent`. */
  readonly traceparent?: string;
}

/**
 * An event that is due for one receiver. Only the server that wrote the current `claim` of the row may deliver the
 * event.
 */
export interface EventDelivery {
  readonly position: number;
  readonly claim: string;
  /** Number of earlier attempts to deliver the event. */
  readonly attempts: number;
  readonly event: StoredEvent;
}

/** Maximum number of events that one statement adds to a queue. */
const BATCH_SIZE = 200;
/** Maximum milliseconds between attempts. A later due time is ignored, because it was written with a wrong clock. */
const MAX_RETRY_WAIT_MS = 2 * DAY_MS;

/**
 * Creates the delivery queue of one receiver. Events with the same key are delivered in order: the next event follows
 * after the previous one is delivered or dropped. Several servers share the queue. A server claims a delivery before
 * the attempt, and the claim expires if the server reports no result.
 * @param destination permanent name of the receiver
 */
export function createDeliveryStore(database: Database, destination: string) {
  let isRegistered = false;
  const registrationStatement: Statement = {
    sql: `INSERT INTO event_destinations (name, position)
      SELECT CAST($1 AS TEXT), last FROM sequences WHERE name = 'events' ON CONFLICT (name) DO NOTHING`,
    params: [destination],
  };
  return {
    /**
     * Adds new events to the queue. A new receiver gets only events from now on.
     * @param types event types of the receiver
     * @returns whether there may be more new events
     */
    async enqueue(types: readonly OutboxEventType[], now: number): Promise<boolean> {
      if (!isRegistered) await database.write([registrationStatement]);
      isRegistered = true;
      const rows = await database.read(
        `SELECT e.position, d.position AS before FROM events e, event_destinations d
          WHERE d.name = $1 AND e.position > d.position ORDER BY e.position LIMIT ${BATCH_SIZE}`,
        [destination],
      );
      const [firstRow] = rows;
      if (firstRow === undefined) return false;
      const [startPosition, endPosition] = [Number(firstRow.before), Number(rows.at(-1)?.position)];
      const enqueueStatement: Statement = {
        sql: `INSERT INTO event_deliveries (destination, position, event_id, order_key, state, attempts, due_at)
          SELECT CAST($1 AS TEXT), position, id, order_key, 'due', 0, CAST($4 AS BIGINT) FROM events
          WHERE position > $2 AND position <= $3 AND type IN (${formatPlaceholders(types.length, 5)})`,
        params: [destination, startPosition, endPosition, now, ...types],
      };
      // The condition fails if another server has already added these events.
      await tryWrite(database, [
        {
          sql: "UPDATE event_destinations SET position = $3 WHERE name = $1 AND position = $2",
          params: [destination, startPosition, endPosition],
          requireRows: 1,
        },
        ...(types.length === 0 ? [] : [enqueueStatement]),
      ]);
      return rows.length === BATCH_SIZE;
    },

    /**
     * Claims due deliveries for this server.
     * @param claim unique name of the claim
     * @param until time after which other servers may try, in milliseconds since 1970
     */
    async claim(
      limit: number,
      { claim, now, until }: { readonly claim: string; readonly now: number; readonly until: number },
    ): Promise<readonly EventDelivery[]> {
      const latestDueAt = now + MAX_RETRY_WAIT_MS;
      const dueDeliveries = await database.read(
        `SELECT position FROM event_deliveries d WHERE ${DUE_SQL} AND NOT EXISTS (
            SELECT 1 FROM event_deliveries e
              WHERE e.destination = d.destination AND e.order_key = d.order_key AND e.position < d.position)
          ORDER BY position LIMIT $4`,
        [destination, now, latestDueAt, limit],
      );
      if (dueDeliveries.length === 0) return [];
      const positions = dueDeliveries.map(({ position }) => Number(position));
      const [claimedRows = []] = await database.write([
        {
          sql: `UPDATE event_deliveries SET claim = $4, due_at = $5
            WHERE ${DUE_SQL} AND position IN (${formatPlaceholders(positions.length, 6)}) RETURNING position`,
          params: [destination, now, latestDueAt, claim, until, ...positions],
        },
      ]);
      if (claimedRows.length === 0) return [];
      const rows = await database.read(
        `SELECT d.position, d.attempts, e.id, e.type, e.payload, e.created_at, e.traceparent
          FROM event_deliveries d, events e WHERE e.id = d.event_id AND d.destination = $1 AND d.claim = $2 ORDER BY d.position`,
        [destination, claim],
      );
      return rows.map((row) => ({
        position: Number(row.position),
        claim,
        attempts: Number(row.attempts),
        event: toEvent(row),
      }));
    },

    /**
     * Deletes a successful delivery, even if the claim expired and another server has claimed the delivery. The other
     * server would only repeat the delivery.
     */
    async markDelivered({ position }: EventDelivery) {
      await database.write([
        {
          sql: "DELETE FROM event_deliveries WHERE destination = $1 AND position = $2",
          params: [destination, position],
        },
      ]);
    },

    /**
     * Stores the result of a failed delivery.
     * @param dueAt time of the next attempt in milliseconds since 1970; undefined to give up
     * @param wasAttempted whether the failure counts as an attempt
     */
    async markFailed(
      { position, claim }: EventDelivery,
      outcome: { readonly failure?: string; readonly dueAt: number | undefined; readonly wasAttempted: boolean },
    ) {
      await database.write([
        {
          sql: `UPDATE event_deliveries SET claim = NULL, due_at = CAST($4 AS BIGINT), state = $5,
              attempts = attempts + CAST($6 AS BIGINT), failure = COALESCE($7, failure)
            WHERE destination = $1 AND position = $2 AND claim = $3`,
          params: [
            ...[destination, position, claim, outcome.dueAt ?? 0],
            ...[outcome.dueAt === undefined ? "dead" : "due", outcome.wasAttempted ? 1 : 0, outcome.failure ?? null],
          ],
        },
      ]);
    },
  };
}

/** Condition for due deliveries. Parameters: destination, current time, latest time for which a delivery can be due. */
const DUE_SQL = "destination = $1 AND state = 'due' AND (due_at <= CAST($2 AS BIGINT) OR due_at > CAST($3 AS BIGINT))";

export function toEvent(row: SqlRow): StoredEvent {
  return {
    id: String(row.id),
    type: String(row.type) as OutboxEventType,
    payload: JSON.parse(String(row.payload)),
    createdAt: Number(row.created_at),
    ...(row.traceparent == null ? {} : { traceparent: String(row.traceparent) }),
  };
}
