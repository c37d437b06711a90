import type { OutboxEventType } from "../../config/event-settings.ts";
import { getCurrentTrace } from "../../runtime/trace-context.ts";
import type { Statement } from "../database.ts";

/** An event for other systems. */
export interface NewEvent {
  /** Permanent ID: at least 128 random bits, or a keyed digest of them. */
  readonly id: string;
  readonly type: OutboxEventType;
  /** Events with the same key are delivered in order. The key is the ID of the event's subject, such as an order. */
  readonly orderKey: string;
  readonly payload: object;
  /** Time of the event in milliseconds since 1970. */
  readonly createdAt: number;
}

/**
 * Returns statements that add an event to the outbox. They must run in the transaction of the change that the event
 * reports. They must come last, because other transactions that add events wait until the commit. The event belongs to
 * the trace of the request.
 */
export function emitEvent({ id, type, orderKey, payload, createdAt }: NewEvent): readonly Statement[] {
  return [
    eventPositionStatement,
    {
      sql: `INSERT INTO events (id, position, type, order_key, payload, created_at, traceparent)
        SELECT CAST($1 AS TEXT), last, CAST($2 AS TEXT), CAST($3 AS TEXT), CAST($4 AS TEXT), CAST($5 AS BIGINT), CAST($6 AS TEXT)
        FROM sequences WHERE name = 'events'`,
      params: [id, type, orderKey, JSON.stringify(payload), createdAt, getCurrentTrace()?.traceparent ?? null],
    },
  ];
}

/** Takes the position of the next event. */
export const eventPositionStatement: Statement = {
  sql: "UPDATE sequences SET last = last + 1 WHERE name = 'events'",
  params: [],
  requireRows: 1,
};
