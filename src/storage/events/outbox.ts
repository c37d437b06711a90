import type { EventType } from "../../config/event-settings.ts";
import type { Statement } from "../database.ts";

/** Something that other systems are told. */
export interface NewEvent {
  /** 128 random bits or more, or a keyed digest of them; names the event for ever. */
  readonly id: string;
  readonly type: EventType;
  /** Events of one key are told in their order: the id of the order, the checkout, or whatever else they are about. */
  readonly orderKey: string;
  readonly payload: object;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** Puts an event into the outbox, in the transaction of what it tells of: who writes one waits for whoever did before, so that positions are
 *  committed in their order. Last among the statements, so that others wait shortly. */
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
