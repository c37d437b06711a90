import type { ConsoleReports } from "../console/console.ts";
import { selectOrders, toOrder } from "./checkouts/order-store.ts";
import { newestContacts } from "./contact-store.ts";
import type { Database } from "./database.ts";
import { oldestUndelivered } from "./events/event-rows.ts";
import { readSearchReport } from "./signals/report.ts";

/** Creates the reports of the merchant's console.  @param now returns milliseconds since 1970 */
export function createConsoleReports(database: Database, now: () => number): ConsoleReports {
  return {
    reportSearches: (options) => readSearchReport(database, options, now()),
    async listOrders(limit, before = Number.MAX_SAFE_INTEGER) {
      const rows = await database.read(`${selectOrders} WHERE number < $1 ORDER BY number DESC LIMIT $2`, [
        before,
        limit,
      ]);
      return rows.map((row) => () => toOrder(row));
    },
    listContacts: (limit, before) => newestContacts(database, limit, before),
    async listUndelivered(limit) {
      const found = await oldestUndelivered(database, limit);
      return found.map(({ event: { id, type, createdAt }, destination, state, attempts, failure }) => {
        const known = { id, type, createdAt, destination, isDead: state === "dead", attempts };
        return failure === undefined ? known : { ...known, failure };
      });
    },
  };
}
