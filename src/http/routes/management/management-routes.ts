import { orderOperations } from "../../../checkout/order-operations.ts";
import { createJobSlots } from "../../../runtime/slots.ts";
import type { Shop } from "../../../shop.ts";
import { PAYMENT_EVENTS_PATH } from "../../checkout/payment.ts";
import type { Handler, Route } from "../../route.ts";
import { editCatalog } from "./catalog.ts";
import { listDiscounts, listProducts, readCatalogLog, readDiscount, readProduct } from "./catalog-records.ts";
import { completeCheckout, handlePaymentEvents, readCheckout, servePublicKeys } from "./checkouts.ts";
import { changeOrder, listOrders, readOrder, readOrderLog } from "./orders.ts";
import { changeSettings, readSettings, sendTestEmail } from "./settings.ts";
import { changeStock } from "./stock.ts";
import { showToken } from "./token.ts";

/** Returns the API routes for other systems of the merchant, such as an inventory system. */
export function listManagementRoutes(shop: Shop): readonly Route[] {
  const stockLimit = { jobSlots: createJobSlots({ name: "stock_changes", capacity: 16 }), retryAfter: 1 };
  const catalogLimit = { jobSlots: createJobSlots({ name: "catalog_edits", capacity: 4 }), retryAfter: 2 };
  const createFileRoute = (path: string, GET: Handler): Route => ({
    path,
    format: "json",
    methods: { GET },
    isUnprefixed: true,
  });
  return [
    {
      path: "/admin/stock",
      format: "json",
      methods: { POST: (request) => changeStock(shop, stockLimit, request) },
      isUnprefixed: true,
    },
    {
      path: "/admin/catalog",
      format: "json",
      methods: { POST: (request) => editCatalog(shop, catalogLimit, request) },
      isUnprefixed: true,
    },
    createFileRoute("/api/token", (request) => showToken(shop, request)),
    createFileRoute("/api/checkouts/:id", (request) => readCheckout(shop, request)),
    {
      path: "/api/checkouts/:id/complete",
      format: "json",
      methods: { POST: (request) => completeCheckout(shop, request) },
      isUnprefixed: true,
    },
    {
      path: PAYMENT_EVENTS_PATH,
      format: "json",
      methods: { POST: (request) => handlePaymentEvents(shop, request) },
      isUnprefixed: true,
    },
    createFileRoute("/api/orders", (request) => listOrders(shop, request)),
    createFileRoute("/api/orders/:id", (request) => readOrder(shop, request)),
    createFileRoute("/api/orders/:id/log", (request) => readOrderLog(shop, request)),
    ...orderOperations.map(
      (type): Route => ({
        path: `/api/orders/:id/${type}`,
        format: "json",
        methods: { POST: (request) => changeOrder(shop, type, request) },
        isUnprefixed: true,
      }),
    ),
    createFileRoute("/api/products", (request) => listProducts(shop, request)),
    createFileRoute("/api/products/:id", (request) => readProduct(shop, request)),
    createFileRoute("/api/discounts", (request) => listDiscounts(shop, request)),
    createFileRoute("/api/discounts/:id", (request) => readDiscount(shop, request)),
    createFileRoute("/api/catalog/log", (request) => readCatalogLog(shop, request)),
    {
      path: "/api/settings",
      format: "json",
      methods: {
        GET: (request) => readSettings(shop, request),
        POST: (request) => changeSettings(shop, request),
      },
      isUnprefixed: true,
    },
    {
      path: "/api/settings/test-email",
      format: "json",
      methods: { POST: (request) => sendTestEmail(shop, request) },
      isUnprefixed: true,
    },
    createFileRoute("/.well-known/jwks.json", () => servePublicKeys(shop)),
  ];
}
