import type { ConsoleReports } from "../console/console.ts";
import type { CartDatabases } from "./cart-databases/open-cart-databases.ts";
import { readSalesReport } from "./checkouts/sales-report.ts";
import { readNewestContacts } from "./contact-store.ts";
import type { Database } from "./database.ts";
import { readOldestUndeliveredEvents } from "./events/event-rows.ts";
import { readSearchReport } from "./signals/report.ts";

/** Creates the reports of the merchant's console.  @param now returns milliseconds since 1970 */
export function createReportStore(database: Database, cartDatabases: CartDatabases, now: () => number): ConsoleReports {
  return {
    reportSearches: (options) => readSearchReport(database, options, now()),
    reportSales: (startTime) => readSalesReport(database, cartDatabases, startTime),
    listContacts: (limit, endTime) => readNewestContacts(database, limit, endTime),
    async listPendingEvents(limit) {
      const deliveries = await readOldestUndeliveredEvents(database, limit);
      return deliveries.map(({ event: { id, type, createdAt }, destination, state, attempts, failure }) => {
        const fields = { id, type, createdAt, destination, isDead: state === "dead", attempts };
        return failure === undefined ? fields : { ...fields, failure };
      });
    },
  };
}
