import { orderOperations } from "../../../checkout/order-operations.ts";
import { createJobSlots } from "../../../runtime/slots.ts";
import type { Shop } from "../../../shop.ts";
import { PAYMENT_EVENTS_PATH } from "../../checkout/payment.ts";
import type { Handler, Route } from "../../route.ts";
import { changeStock, editCatalog } from "./batches.ts";
import { listRecords, readCatalogLog, readRecord } from "./catalog-records.ts";
import { completeCheckout, handlePaymentEvents, readCheckout, servePublicKeys } from "./checkouts.ts";
import { changeOrder, listOrders, readOrder, readOrderLog } from "./orders.ts";
import { changeSettings, readSettings, sendTestEmail } from "./settings.ts";
import { showToken } from "./token.ts";

/** Returns the API routes for other systems of the merchant, such as an inventory system. */
export function listManagementRoutes(shop: Shop): readonly Route[] {
  const stockLimit = { jobSlots: createJobSlots({ name: "stock_changes", capacity: 16 }), retryAfter: 1 };
  const catalogLimit = { jobSlots: createJobSlots({ name: "catalog_edits", capacity: 4 }), retryAfter: 2 };
  const createRoute = (path: string, methods: Route["methods"]): Route => ({
    path,
    format: "json",
    methods,
    isUnprefixed: true,
  });
  const createReadRoute = (path: string, GET: Handler): Route => createRoute(path, { GET });
  const createWriteRoute = (path: string, POST: Handler): Route => createRoute(path, { POST });
  return [
    createWriteRoute("/admin/stock", (request) => changeStock(shop, stockLimit, request)),
    createWriteRoute("/admin/catalog", (request) => editCatalog(shop, catalogLimit, request)),
    createReadRoute("/api/token", (request) => showToken(shop, request)),
    createReadRoute("/api/checkouts/:id", (request) => readCheckout(shop, request)),
    createWriteRoute("/api/checkouts/:id/complete", (request) => completeCheckout(shop, request)),
    createWriteRoute(PAYMENT_EVENTS_PATH, (request) => handlePaymentEvents(shop, request)),
    createReadRoute("/api/orders", (request) => listOrders(shop, request)),
    createReadRoute("/api/orders/:id", (request) => readOrder(shop, request)),
    createReadRoute("/api/orders/:id/log", (request) => readOrderLog(shop, request)),
    ...orderOperations.map((type) =>
      createWriteRoute(`/api/orders/:id/${type}`, (request) => changeOrder(shop, type, request)),
    ),
    ...(["product", "discount"] as const).flatMap((kind) => [
      createReadRoute(`/api/${kind}s`, (request) => listRecords(shop, kind, request)),
      createReadRoute(`/api/${kind}s/:id`, (request) => readRecord(shop, kind, request)),
    ]),
    createReadRoute("/api/catalog/log", (request) => readCatalogLog(shop, request)),
    createRoute("/api/settings", {
      GET: (request) => readSettings(shop, request),
      POST: (request) => changeSettings(shop, request),
    }),
    createWriteRoute("/api/settings/test-email", (request) => sendTestEmail(shop, request)),
    createReadRoute("/.well-known/jwks.json", () => servePublicKeys(shop)),
  ];
}
