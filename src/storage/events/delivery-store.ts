import type { EventType } from "../../config/event-settings.ts";
import { type Database, type SqlRow, type Statement, WriteConflict } from "../database.ts";

/** An event of the outbox. */
export interface StoredEvent {
  readonly id: string;
  readonly type: EventType;
  readonly payload: unknown;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** An event that is due for one receiver. Only the server whose `claim` stands on the row may deliver it. */
export interface Delivery {
  readonly position: number;
  readonly claim: string;
  /** How often it was tried before. */
  readonly attempts: number;
  readonly event: StoredEvent;
}

/** What one receiver has to be told yet. Of each key the first event alone is given out, so that the next one is told once that was, or was
 *  dropped; events of different keys go past one another. Several servers share it: a claim that is not answered for lapses by itself. */
export interface DeliveryStore {
  /** Puts what came since into the queue; of a receiver that was never seen, what comes from now on.
   *  @param types that it is told  @returns whether there may be more */
  enqueue(types: readonly EventType[], now: number): Promise<boolean>;
  /** @param until when others may try, in milliseconds since 1970  @param claim differs from all others */
  claim(
    limit: number,
    at: { readonly claim: string; readonly now: number; readonly until: number },
  ): Promise<readonly Delivery[]>;
  /** Deletes a delivery that succeeded, even where its claim has lapsed and another server has claimed it since: that one would only repeat it. */
  delivered(delivery: Delivery): Promise<void>;
  /** @param dueAt when it may be tried again; undefined: it is given up  @param isTried false: it counts as no attempt */
  failed(
    delivery: Delivery,
    outcome: { readonly failure?: string; readonly dueAt: number | undefined; readonly isTried: boolean },
  ): Promise<void>;
}

/** Events that are put into a queue at once. */
const BATCH = 200;
/** Nothing waits longer by itself, in milliseconds: what seems to was written by a clock that was wrong. */
const LONGEST_WAIT_MS = 2 * 86_400_000;

/** @param destination names the receiver for ever */
export function createDeliveryStore(database: Database, destination: string): DeliveryStore {
  let isKnown = false;
  const begin: Statement = {
    sql: `INSERT INTO event_destinations (name, position)
      SELECT CAST($1 AS TEXT), last FROM sequences WHERE name = 'events' ON CONFLICT (name) DO NOTHING`,
    params: [destination],
  };
  return {
    async enqueue(types, now) {
      if (!isKnown) await database.write([begin]);
      isKnown = true;
      const rows = await database.read(
        `SELECT e.position, d.position AS before FROM events e, event_destinations d
          WHERE d.name = $1 AND e.position > d.position ORDER BY e.position LIMIT ${BATCH}`,
        [destination],
      );
      const [first] = rows;
      if (first === undefined) return false;
      const [before, to] = [Number(first.before), Number(rows.at(-1)?.position)];
      const places = types.map((_, index) => `$${index + 5}`).join(", ");
      const queue: Statement = {
        sql: `INSERT INTO event_deliveries (destination, position, event_id, order_key, state, attempts, due_at)
          SELECT CAST($1 AS TEXT), position, id, order_key, 'due', 0, CAST($4 AS BIGINT) FROM events
          WHERE position > $2 AND position <= $3 AND type IN (${places})`,
        params: [destination, before, to, now, ...types],
      };
      try {
        await database.write([
          {
            sql: "UPDATE event_destinations SET position = $3 WHERE name = $1 AND position = $2",
            params: [destination, before, to],
            requireRows: 1,
          },
          ...(types.length === 0 ? [] : [queue]),
        ]);
      } catch (error) {
        // Another server was first.
        if (!(error instanceof WriteConflict)) throw error;
      }
      return rows.length === BATCH;
    },

    async claim(limit, { claim, now, until }) {
      const latest = now + LONGEST_WAIT_MS;
      const heads = await database.read(
        `SELECT position FROM event_deliveries d WHERE ${isDue("$1", "$2", "$3")} AND NOT EXISTS (
            SELECT 1 FROM event_deliveries e
              WHERE e.destination = d.destination AND e.order_key = d.order_key AND e.position < d.position)
          ORDER BY position LIMIT $4`,
        [destination, now, latest, limit],
      );
      if (heads.length === 0) return [];
      const positions = heads.map(({ position }) => Number(position));
      const places = positions.map((_, index) => `$${index + 6}`).join(", ");
      const [claimed = []] = await database.write([
        {
          sql: `UPDATE event_deliveries SET claim = $4, due_at = $5
            WHERE ${isDue("$1", "$2", "$3")} AND position IN (${places}) RETURNING position`,
          params: [destination, now, latest, claim, until, ...positions],
        },
      ]);
      if (claimed.length === 0) return [];
      const rows = await database.read(
        `SELECT d.position, d.attempts, e.id, e.type, e.payload, e.created_at
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

    async delivered({ position }) {
      await database.write([
        {
          sql: "DELETE FROM event_deliveries WHERE destination = $1 AND position = $2",
          params: [destination, position],
        },
      ]);
    },

    async failed({ position, claim }, { failure = null, dueAt, isTried }) {
      await database.write([
        {
          sql: `UPDATE event_deliveries SET claim = NULL, due_at = CAST($4 AS BIGINT), state = $5,
              attempts = attempts + CAST($6 AS BIGINT), failure = COALESCE($7, failure)
            WHERE destination = $1 AND position = $2 AND claim = $3`,
          params: [
            ...[destination, position, claim, dueAt ?? 0],
            ...[dueAt === undefined ? "dead" : "due", isTried ? 1 : 0, failure],
          ],
        },
      ]);
    },
  };
}

/** SQL of what may be tried now. */
function isDue(destination: string, now: string, latest: string): string {
  return `destination = ${destination} AND state = 'due' AND (due_at <= CAST(${now} AS BIGINT) OR due_at > CAST(${latest} AS BIGINT))`;
}

export function toEvent(row: SqlRow): StoredEvent {
  return {
    id: String(row.id),
    type: String(row.type) as EventType,
    payload: JSON.parse(String(row.payload)),
    createdAt: Number(row.created_at),
  };
}
