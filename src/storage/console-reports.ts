import type { ConsoleReports } from "../console/console.ts";
import { selectOrdersSql, toOrder } from "./checkouts/order-store.ts";
import { readNewestContacts } from "./contact-store.ts";
import type { Database } from "./database.ts";
import { readOldestUndeliveredEvents } from "./events/event-rows.ts";
import { readSearchReport } from "./signals/report.ts";

/** Creates the reports of the merchant's console.  @param now returns milliseconds since 1970 */
export function createConsoleReports(database: Database, now: () => number): ConsoleReports {
  return {
    reportSearches: (options) => readSearchReport(database, options, now()),
    async listOrders(limit, before = Number.MAX_SAFE_INTEGER) {
      const rows = await database.read(`${selectOrdersSql} WHERE number < $1 ORDER BY number DESC LIMIT $2`, [
        before,
        limit,
      ]);
      return rows.map((row) => () => toOrder(row));
    },
    listContacts: (limit, before) => readNewestContacts(database, limit, before),
    async listUndelivered(limit) {
      const deliveries = await readOldestUndeliveredEvents(database, limit);
      return deliveries.map(({ event: { id, type, createdAt }, destination, state, attempts, failure }) => {
        const fields = { id, type, createdAt, destination, isDead: state === "dead", attempts };
        return failure === undefined ? fields : { ...fields, failure };
      });
    },
  };
}
