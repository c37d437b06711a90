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

/** A payload that the database computes. */
export interface ComputedPayload {
  /** Expression of the JSON text. */
  readonly text: string;
  /** Query with the alias `computed` in the expression. It has at most one row; without a row, no event is added. */
  readonly query?: string;
  /** Values of the parameters in the expression and the query, from `$6` on. */
  readonly params: Statement["params"];
}

/** Number of the first parameter of a computed payload. */
export const FIRST_PAYLOAD_PARAMETER = 6;

/**
 * Returns statements that add an event to the outbox. They must run in the transaction of the change that the event
 * reports. They must come last, because other transactions that add events wait until the commit. The event belongs to
 * the trace of the request.
 */
export function emitEvent({ payload, ...event }: NewEvent): readonly Statement[] {
  const text = `CAST($${FIRST_PAYLOAD_PARAMETER} AS TEXT)`;
  return emitComputedEvent(event, { text, params: [JSON.stringify(payload)] });
}

/** Like `emitEvent`, with a payload that the database computes. */
export function emitComputedEvent(
  { id, type, orderKey, createdAt }: Omit<NewEvent, "payload">,
  { text, query, params }: ComputedPayload,
): readonly Statement[] {
  return [
    { sql: "UPDATE sequences SET last = last + 1 WHERE name = 'events'", params: [], requireRows: 1 },
    {
      sql: `INSERT INTO events (id, position, type, order_key, payload, created_at, traceparent)
        SELECT CAST($1 AS TEXT), last, CAST($2 AS TEXT), CAST($3 AS TEXT), ${text}, CAST($4 AS BIGINT), CAST($5 AS TEXT)
        FROM sequences${query === undefined ? "" : `, (${query}) AS computed`} WHERE name = 'events'`,
      params: [id, type, orderKey, createdAt, getCurrentTrace()?.traceparent ?? null, ...params],
    },
  ];
}
