/**
 * Access to a route. "anyone": safe to read. "cart token": a write of the cart with the visitor's CSRF token. "site
 * form": a form of the shop's own pages. "open form": a form that changes nothing of the visitor. "signed": the URL or the body contains a secret. "agent": a shopping agent, for
 * which the ID of a cart is the secret. "bearer": a system of the merchant. "console": a signed-in merchant. "console
 * login": a form of the console that needs no session.
 */
export type Access =
  | "anyone"
  | "cart token"
  | "site form"
  | "open form"
  | "signed"
  | "agent"
  | "bearer"
  | "console"
  | "console login";

export interface RouteRow {
  readonly method: "GET" | "POST" | "PUT";
  /** Pattern of the route in `src/http/routes.ts`. */
  readonly pattern: string;
  readonly access: Access;
  /** An example path. Default: the pattern. */
  readonly path: string;
  /** A valid body: JSON, or the fields of a form. */
  readonly body?: Readonly<Record<string, unknown>>;
}

type Line = readonly [methodAndPattern: string, path?: string | undefined, body?: RouteRow["body"]];

const product = { id: 21, quantity: 1 };
const agentItems = { line_items: [{ item: { id: "21" }, quantity: 1 }] };

const lines: Readonly<Record<Access, readonly Line[]>> = {
  anyone: [
    ["GET /search/suggest", "/search/suggest?q=rain&section_id=predictive-search"],
    ["GET /search/suggest.json", "/search/suggest.json?q=rain&resources[limit]=4&resources[type]=product"],
    ["GET /search.json", "/search.json?q=rain&page=1&filter.v.price.gte=1&sort_by=price-ascending"],
    ["GET /search/suggest/cart.json", "/search/suggest/cart.json?q=rain"],
    ["GET /cart.js", "/cart.js?sections=one&sections_url=/"],
    ["GET /cart.json"],
    ["GET /cart/shipping_rates", "/cart/shipping_rates?shipping_address[zip]=20457&shipping_address[country]=DE"],
    ["GET /cart/shipping_rates.json"],
    ["GET /cart/async_shipping_rates"],
    ["GET /cart/async_shipping_rates.json"],
    ["GET /api/csrf"],
    ["GET /.well-known/jwks.json"],
    ["GET /.well-known/ucp"],
    ["GET /agents.md"],
    ["GET /llms.txt"],
    ["GET /llms-full.txt"],
    ["GET /products/:file(^.+\\.js(?:on)?$)", "/products/canvas-tote.js"],
    ["GET /collections/:collection/products/:file(^.+\\.js(?:on)?$)", "/collections/all/products/canvas-tote.js"],
    ["GET /products.json", "/products.json?limit=2&page=1"],
    ["GET /collections/:handle/products.json", "/collections/all/products.json?limit=2"],
    ["GET /collections.json"],
    ["GET /collections/:file(^.+\\.(?:json|atom)$)", "/collections/rainwear.json"],
    ["GET /variants/:id", "/variants/21"],
    ["GET /cart"],
    ["GET /cart/:items(^.*:.*$)", "/cart/21:1?discount=TEN"],
    ["GET /discount/:code", "/discount/TEN?redirect=/cart"],
    ["GET /policies/:handle", "/policies/refund-policy"],
    ["GET /collections/vendors", "/collections/vendors?q=Norrland"],
    ["GET /collections/types", "/collections/types?q=Coats"],
    ["GET /password"],
    ["GET /contact"],
    ["GET /blogs/:blog/:handle/comments"],
    ["GET /account/logout"],
    ["GET /account"],
    ["GET /account/*", "/account/orders/1"],
    ["GET /blogs/:file(^.+\\.atom$)", "/blogs/journal.atom"],
    ["GET /recommendations/products", "/recommendations/products?product_id=2&limit=2&section_id=one"],
    ["GET /recommendations/products.json", "/recommendations/products.json?product_id=2"],
    ["GET /checkout"],
    ["GET /"],
    ["GET /collections"],
    ["GET /collections/:handle", "/collections/all?sort_by=price-ascending&filter.p.vendor=Norrland&page=1"],
    ["GET /pages/:handle", "/pages/rain-care"],
    ["GET /products/:handle", "/products/canvas-tote?variant=21"],
    ["GET /collections/:collection/products/:handle", "/collections/all/products/canvas-tote"],
    ["GET /search", "/search?q=rain&type=product&page=1"],
    ["GET /bundles/:handle", "/bundles/rainy-day"],
    ["GET /blogs/:blog", "/blogs/journal"],
    ["GET /blogs/:blog/:handle", "/blogs/journal/rain-at-sea"],
    ["GET /collections/:handle/:tags", "/collections/all/rain+yellow"],
    ["GET /blogs/:blog/tagged/:tags", "/blogs/journal/tagged/rain"],
    ["GET /assets/:file", "/assets/theme.css"],
    ["GET /media/*", "/media/raincoat.png?width=100"],
    ["GET /vitrine/:file", "/vitrine/vitrine.js"],
    ["GET /services/javascripts/:file", "/services/javascripts/currencies.js"],
    ["GET /robots.txt"],
    ["GET /sitemap.xml"],
    ["GET /favicon.ico"],
    ["GET /healthz"],
    ["GET /readyz"],
  ],
  "cart token": [
    ...["", ".js"].flatMap((suffix): readonly Line[] => [
      [`POST /cart/add${suffix}`, undefined, { items: [product], sections: "one" }],
      [`POST /cart/change${suffix}`, undefined, { line: 1, quantity: 1 }],
      [`POST /cart/update${suffix}`, undefined, { updates: [1], note: "changed", discount: "TEN" }],
      [`POST /cart/clear${suffix}`, undefined, {}],
    ]),
    ["POST /api/cart/buyNowCheckout", undefined, { item: { product: { variantId: 21 } } }],
  ],
  "site form": [
    ["POST /cart", "/cart", { "updates[]": "1", note: "x", checkout: "" }],
    ["POST /checkout", "/checkout", { "updates[]": "1" }],
    ["POST /contact", "/contact", { "contact[email]": "ada@example.com", "contact[body]": "Hello" }],
    [
      "POST /blogs/:blog/:handle/comments",
      "/blogs/journal/rain-at-sea/comments",
      { "comment[author]": "Ada", "comment[email]": "ada@example.com", "comment[body]": "Hello" },
    ],
    ["POST /checkout/:id", "/checkout/unknown", { order: "", email: "ada@example.com", name: "Ada", country: "DE" }],
  ],
  "open form": [
    ["POST /localization", "/localization", { locale_code: "fr", return_to: "/cart" }],
    ["POST /account", "/account", { "customer[email]": "ada@example.com", "customer[password]": "x" }],
    ["POST /account/*", "/account/login", { "customer[email]": "ada@example.com", "customer[password]": "x" }],
    ["POST /cart/prepare_shipping_rates", undefined, { "shipping_address[country]": "DE" }],
    ["POST /cart/prepare_shipping_rates.json", undefined, { "shipping_address[country]": "DE" }],
  ],
  signed: [
    ["GET /cart/events", "/cart/events"],
    ["GET /checkout/:id", "/checkout/unknown"],
    ["GET /checkout/return/:token", "/checkout/return/a.b.c?order=x&status=paid"],
    ["POST /checkout/return/:token", "/checkout/return/a.b.c", { order: "x", status: "paid" }],
    ["GET /orders/:token", "/orders/a.b.c?thank_you=true"],
    ["GET /orders/:token/invoices/:invoice", "/orders/a.b.c/invoices/2026-0001"],
    ["GET /gift_cards/:code", "/gift_cards/NOSUCH-0000"],
    ["GET /gift_cards/:shop/:code", "/gift_cards/1/NOSUCH-0000"],
    ["POST /api/payments/events", undefined, { type: "payment", id: "x" }],
  ],
  agent: [
    ["POST /ucp/mcp", undefined, { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }],
    ["POST /ucp/v1/catalog/search", undefined, { query: "rain", pagination: { limit: 2 } }],
    ["POST /ucp/v1/catalog/lookup", undefined, { ids: ["21"] }],
    ["POST /ucp/v1/catalog/product", undefined, { id: "2" }],
    ["POST /ucp/v1/carts", undefined, agentItems],
    ["GET /ucp/v1/carts/:id", "/ucp/v1/carts/unknown"],
    ["PUT /ucp/v1/carts/:id", "/ucp/v1/carts/unknown", agentItems],
    ["POST /ucp/v1/carts/:id/cancel", "/ucp/v1/carts/unknown/cancel", {}],
    ["GET /ucp/v1/orders/:id", "/ucp/v1/orders/unknown"],
  ],
  bearer: [
    ["GET /api/token"],
    ["POST /admin/stock", undefined, { changes: [{ variant_id: 11, adjust: 1 }] }],
    ["POST /admin/catalog", undefined, { products: [] }],
    ["GET /api/checkouts/:id", "/api/checkouts/unknown"],
    [
      "POST /api/checkouts/:id/complete",
      "/api/checkouts/unknown/complete",
      { amount: 1, currency: "USD", reference: "x" },
    ],
    ["GET /api/orders", "/api/orders?limit=2&state=open&after=1"],
    ["GET /api/orders/:id", "/api/orders/1001"],
    ["GET /api/orders/:id/log", "/api/orders/1001/log"],
    ["POST /api/orders/:id/pay", "/api/orders/1001/pay", { reference: "x" }],
    ["POST /api/orders/:id/ship", "/api/orders/1001/ship", { carrier: "Post", items: [{ key: "x", quantity: 1 }] }],
    ["POST /api/orders/:id/cancel", "/api/orders/1001/cancel", { note: "x" }],
    ["POST /api/orders/:id/refund", "/api/orders/1001/refund", { amount: 1, reason: "x" }],
    ["POST /api/orders/:id/note", "/api/orders/1001/note", { text: "x" }],
    ["POST /api/orders/:id/email", "/api/orders/1001/email", { email: "order.created" }],
    ["POST /api/orders/:id/delete", "/api/orders/1001/delete", {}],
    ["GET /api/products", "/api/products?limit=2"],
    ["GET /api/products/:id", "/api/products/2"],
    ["GET /api/discounts", "/api/discounts?limit=2"],
    ["GET /api/discounts/:id", "/api/discounts/1"],
    ["GET /api/settings"],
    ["POST /api/settings", undefined, { name: "Other" }],
    ["POST /api/settings/test-email", undefined, {}],
    ["GET /api/catalog/log", "/api/catalog/log?limit=2"],
  ],
  "console login": [
    ["GET /admin/login"],
    ["POST /admin/login", undefined, { token: "x" }],
    ["POST /admin/login/code", undefined, { code: "123456" }],
    ["GET /admin/first-login", "/admin/first-login?code=x"],
    ["POST /admin/first-login", undefined, { code: "x", token: "y" }],
    ["POST /admin/logout", undefined, {}],
    ["POST /admin/language", undefined, { language: "de" }],
    ["GET /admin/console.css"],
    ["GET /admin/console.js"],
  ],
  console: [
    ["GET /admin"],
    ["GET /admin/reports", "/admin/reports?days=7"],
    ["GET /admin/searches", "/admin/searches?days=7"],
    ["GET /admin/try", "/admin/try?q=rain"],
    ["GET /admin/rules"],
    ["POST /admin/rules", undefined, { add: "synonym", terms: "rope, line" }],
    ["POST /admin/rules/replay", undefined, {}],
    ["POST /admin/rules/suggestions", undefined, { accept: "rope" }],
    ["POST /admin/rules/test", undefined, {}],
    ["POST /admin/rules/test/end", undefined, {}],
    ["POST /admin/rules/publish", undefined, {}],
    ["POST /admin/rules/discard", undefined, {}],
    ["POST /admin/rules/take-over", undefined, {}],
    ["GET /admin/rules/export/:file", "/admin/rules/export/rules.jsonl"],
    ["GET /admin/products", "/admin/products?q=rain&page=1"],
    ["POST /admin/products", undefined, { "stock[11]": "10", "price[11]": "120.00" }],
    ["GET /admin/products/:handle", "/admin/products/canvas-tote"],
    ["POST /admin/products/:handle", "/admin/products/canvas-tote", { "price[21]": "19.99" }],
    ["GET /admin/csv"],
    ["POST /admin/csv", undefined, { preview: "", file: "handle,price\\ncanvas-tote,19.99" }],
    ["GET /admin/csv/products.csv"],
    ["GET /admin/discounts"],
    ["POST /admin/discounts", undefined, { code: "NEW", value: "10", type: "percentage" }],
    ["GET /admin/settings"],
    ["POST /admin/settings", undefined, { section: "shop", name: "Other" }],
    ["GET /admin/settings/test-email"],
    ["POST /admin/settings/test-email", undefined, {}],
    ["GET /admin/settings/policies"],
    ["POST /admin/settings/policies", undefined, { names: { 0: "[[Address]]" }, placeholders: { 0: "Quay 1" } }],
    ["GET /admin/changes"],
    ["GET /admin/orders", "/admin/orders?q=ada&state=open"],
    ["GET /admin/orders/export.csv", "/admin/orders/export.csv?q=ada"],
    ["GET /admin/orders/:number", "/admin/orders/1001"],
    ["POST /admin/orders/:number", "/admin/orders/1001", { operation: "note", text: "x" }],
    ["GET /admin/orders/:number/packing-slip", "/admin/orders/1001/packing-slip"],
    ["GET /admin/orders/:number/invoices/:invoice", "/admin/orders/1001/invoices/2026-0001"],
    ["GET /admin/contacts"],
    ["GET /admin/events"],
    ["GET /admin/system"],
  ],
};

/** All routes of the server with their access. A test compares them with `src/http/routes.ts`. */
export const routeTable: readonly RouteRow[] = Object.entries(lines).flatMap(([access, group]) =>
  group.map(([methodAndPattern, path, body]): RouteRow => {
    const [method = "GET", pattern = ""] = methodAndPattern.split(" ") as [RouteRow["method"], string];
    return {
      ...{ method, pattern, access: access as Access, path: path ?? pattern },
      ...(body === undefined ? {} : { body }),
    };
  }),
);
