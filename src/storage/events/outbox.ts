import type { EventType } from "../../config/event-settings.ts";
import type { Statement } from "../database.ts";

/** An event for other systems. */
export interface NewEvent {
  /** Permanent id: 128 random bits or more, or a keyed digest of them. */
  readonly id: string;
  readonly type: EventType;
  /** Events with the same key are delivered in order: the id of the order, the checkout, or another subject. */
  readonly orderKey: string;
  readonly payload: object;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/**
 * Adds an event to the outbox, in the transaction of the change it reports. Writers of events wait for each other, so
 * that positions are committed in order. Put it last among the statements, so that the wait is short.
 */
export function emit({ id, type, orderKey, payload, createdAt }: NewEvent): readonly Statement[] {
  return [
    { sql: "UPDATE sequences SET last = last + 1 WHERE name = 'events'", params: [], requireRows: 1 },
    {
      sql: `INSERT INTO events (id, position, type, order_key, payload, created_at)
        SELECT CAST($1 AS TEXT), last, CAST($2 AS TEXT), CAST($3 AS TEXT), CAST($4 AS TEXT), CAST($5 AS BIGINT)
        FROM sequences WHERE name = 'events'`,
      params: [id, type, orderKey, JSON.stringify(payload), createdAt],
    },
  ];
}
