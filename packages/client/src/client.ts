import { randomUUID } from "node:crypto";
import type { CollectionRecord, Id, ListedProduct, Product, Recommendations } from "../generated/catalog.ts";
import type { Checkout, CompletedCheckout, Payment } from "../generated/checkouts.ts";
import type { CatalogAnswer, CatalogEdit, StockAnswer, StockChange, TokenInfo } from "../generated/management.ts";
import type {
  EmailRequest,
  Order,
  OrderAnswer,
  OrderList,
  OrderLog,
  RefundRequest,
  ShipRequest,
} from "../generated/orders.ts";
import type { SearchPageAnswer, SuggestAnswer } from "../generated/search.ts";
import { type CallOptions, type ClientRequest, type ConnectionOptions, createConnection } from "./connection.ts";
import { createShopperCart, type ShopperCart } from "./shopper-cart.ts";

export type * from "../generated/cart.ts";
export type * from "../generated/cart-requests.ts";
export type * from "../generated/catalog.ts";
export type * from "../generated/checkouts.ts";
export type * from "../generated/management.ts";
export type * from "../generated/orders.ts";
export type * from "../generated/problem.ts";
export type * from "../generated/search.ts";
export type { CallOptions, ConnectionOptions } from "./connection.ts";
export type { ShopperCart, WriteOptions } from "./shopper-cart.ts";
export { VitrineError } from "./vitrine-error.ts";

/** Options of `suggest`. */
export interface SuggestOptions extends CallOptions {
  /** Types of suggestions. Default: all types except articles. */
  readonly types?: readonly ("query" | "product" | "collection" | "page" | "article" | "bundle")[];
  /** Maximum number of results, 1 to 10. Default: 10. */
  readonly limit?: number;
  /** Whether `limit` applies to all types together ("all") or to each type ("each"). Default: "all". */
  readonly limitScope?: "all" | "each";
  /**
   * Where unavailable products appear: after the available products, in their usual position, or not at all. Default:
   * "last".
   */
  readonly unavailableProducts?: "last" | "show" | "hide";
  /** Fields to search, such as "title", "vendor", and "variants.sku". Default: the fields that the shop configures. */
  readonly fields?: readonly string[];
  /** Whether the response includes filters for the products, in `resources.facets`. Default: false. */
  readonly facets?: boolean;
}

/** Options of `search`. */
export interface SearchOptions
  extends CallOptions,
    Pick<SuggestOptions, "types" | "unavailableProducts" | "fields">,
    Pick<ListOptions, "page"> {
  /** Number of results in a page, 1 to 50. Default: 24. */
  readonly limit?: number;
  /** Order of the results. Default: "relevance". */
  readonly sortBy?: SearchPageAnswer["sort_by"];
  /**
   * Filter values by parameter name: `{ "filter.p.vendor": ["Ansty"], "filter.v.price.lte": ["20"] }`. Default: no
   * filter.
   */
  readonly filters?: Readonly<Record<string, readonly string[]>>;
}

/** Pagination options of a list. */
export interface ListOptions extends CallOptions {
  /** Number of items in a page, 1 to 250. Default: 30. */
  readonly limit?: number;
  /** Page number, starting at 1. Default: 1. */
  readonly page?: number;
}

/** Options of `orders.list`. */
export interface OrderListOptions extends CallOptions {
  /** Number of orders in a page, 1 to 100. Default: 50. */
  readonly limit?: number;
  /** Cursor: the field `next` of the previous page. Default: the first page. */
  readonly after?: string;
  readonly state?: Order["state"];
  readonly paymentState?: Order["payment_state"];
  readonly shipmentState?: Order["shipment_state"];
  /** Returns only orders changed at or after this date or time: "2026-11-01", "2026-11-01T00:00:00Z". */
  readonly updatedSince?: string;
  /** Returns only orders created at or after this date or time, in the format of `updatedSince`. */
  readonly createdSince?: string;
  /** Returns only orders created before this date or time, in the format of `updatedSince`. */
  readonly createdBefore?: string;
  /** An order number, or words that the customer's name and email address must contain. Default: all orders. */
  readonly search?: string;
  /** Whether the oldest or the newest orders come first. Default: "oldest". */
  readonly sort?: "oldest" | "newest";
}

/** Options of methods that change an order. */
export interface OrderChangeOptions extends CallOptions {
  /** The `revision` that the order must have. Default: any revision. */
  readonly revision?: number;
}

/** Options of a batch request. */
export interface BatchOptions extends CallOptions {
  /**
   * Idempotency key of the batch. A second batch with the same key within a day has no effect. Default: a random key.
   */
  readonly idempotencyKey?: string;
}

/**
 * A client of one shop. The types of responses are generated from openapi.yaml. Every method throws {@link
 * VitrineError} if the shop returns an error or does not respond.
 */
export interface VitrineClient {
  /** Returns suggestions for a query while the customer types. */
  suggest(q: string, options?: SuggestOptions): Promise<SuggestAnswer>;
  /** Returns one page of search results, with filters for them. */
  search(q: string, options?: SearchOptions): Promise<SearchPageAnswer>;
  /** Returns a product by its handle.  @throws VitrineError `not_found` */
  product(handle: string, options?: CallOptions): Promise<Product>;
  /** Returns one page of the products of a collection, selected by its handle. Default: all products of the shop. */
  products(options?: ListOptions & { readonly collection?: string }): Promise<readonly ListedProduct[]>;
  /** Returns one page of the collections. */
  collections(options?: ListOptions): Promise<readonly CollectionRecord[]>;
  /** Returns related or complementary products of a product. */
  recommendations(
    productId: Id,
    options?: CallOptions & { readonly limit?: number; readonly intent?: Recommendations["intent"] },
  ): Promise<Recommendations>;
  /**
   * Returns the cart of a customer.
   * @param cookies cookies of an existing cart, returned by its method `cookies`. Default: a new cart
   */
  cart(cookies?: Readonly<Record<string, string>>): ShopperCart;
  /** Returns the name and the scopes of the client's token. */
  tokenInfo(options?: CallOptions): Promise<TokenInfo>;
  readonly checkouts: {
    /** Returns a checkout. Requires the scope `checkouts:read`. */
    read(id: string, options?: CallOptions): Promise<Checkout>;
    /**
     * Reports a payment and returns the order. Repeated reports with the same reference return the same order. Requires
     * the scope `checkouts:complete`.
     * @throws VitrineError `refund_due` if the payment must be returned
     */
    complete(id: string, payment: Payment, options?: CallOptions): Promise<CompletedCheckout>;
  };
  readonly orders: {
    /** Returns one page of orders, sorted by number. Requires the scope `orders:read`. */
    list(options?: OrderListOptions): Promise<OrderList>;
    /** Returns an order by its id or number. Requires the scope `orders:read`. */
    read(id: string | number, options?: CallOptions): Promise<Order>;
    /** Returns the operations on an order, oldest first. Requires the scope `orders:read`. */
    log(id: string | number, options?: CallOptions): Promise<OrderLog["entries"]>;
    /**
     * Records the payment of an order. Repeated calls with the same reference have no effect. Requires the scope
     * `orders:write`.
     * @throws VitrineError `order_conflict`, `order_cancelled`, `reference_taken`
     */
    pay(id: string | number, reference: string, options?: OrderChangeOptions): Promise<Order>;
    /** Cancels an order. An order that is already canceled is returned unchanged. Requires the scope `orders:write`. */
    cancel(id: string | number, options?: OrderChangeOptions & { readonly note?: string }): Promise<Order>;
    /**
     * Records a shipment. Without `items`, it contains all unshipped items; if there are none, the order is returned
     * unchanged. With `items`, `revision` is required. Requires the scope `orders:write`.
     * @throws VitrineError `order_cancelled`, `order_conflict`, `order_changed`
     */
    ship(id: string | number, shipment?: ShipRequest, options?: OrderChangeOptions): Promise<Order>;
    /**
     * Records a refund. Requires the scope `orders:write`.
     * @throws VitrineError `order_conflict`, `order_changed`
     */
    refund(
      id: string | number,
      refund: RefundRequest,
      options: OrderChangeOptions & { readonly revision: number },
    ): Promise<Order>;
    /** Adds a note to an order. Requires the scope `orders:write`. */
    addNote(id: string | number, text: string, options?: OrderChangeOptions): Promise<Order>;
    /**
     * Sends an email to the customer again. Requires the scope `orders:write`.
     * @throws VitrineError `order_conflict`
     */
    sendEmail(id: string | number, email: EmailRequest["email"], options?: OrderChangeOptions): Promise<Order>;
  };
  readonly stock: {
    /** Changes stock levels. Applies all lines or none, at most 10,000. Requires the scope `stock:write`. */
    change(lines: StockChange | readonly StockChange[], options?: BatchOptions): Promise<StockAnswer>;
  };
  readonly catalog: {
    /**
     * Applies catalog rows, patches, and deletions. Applies all lines or none, at most 10,000 lines and 2 MiB. Requires
     * the scope `catalog:write`.
     */
    edit(lines: CatalogEdit | readonly CatalogEdit[], options?: BatchOptions): Promise<CatalogAnswer>;
  };
}

/**
 * Creates a client for Node 20 or later. The client retries a request after a network error or the status 429, 502,
 * 503, or 504.
 *
 * @example const shop = createClient({ origin: "https://shop.example" }); const { results } = (await
 * shop.suggest("rainc", { limit: 4 })).resources;
 */
export function createClient(options: ConnectionOptions): VitrineClient {
  const connection = createConnection(options);
  const getJson = async <Answer>(request: ClientRequest): Promise<Answer> =>
    (await connection.send(request)).body as Answer;
  const callManagement = <Answer>(request: ClientRequest): Promise<Answer> =>
    getJson({ ...request, usesManagementApi: true });
  const fetchOrder = async (request: ClientRequest): Promise<OrderAnswer["order"]> =>
    (await callManagement<OrderAnswer>(request)).order;
  const changeOrder = (
    id: string | number,
    operation: string,
    body: unknown,
    { revision, ...callOptions }: OrderChangeOptions = {},
  ): Promise<Order> =>
    fetchOrder({
      ...{ method: "POST", path: `/api/orders/${encodeURIComponent(id)}/${operation}`, body },
      ...(revision === undefined ? {} : { headers: { "if-match": `"${revision}"` } }),
      ...callOptions,
    });
  const postBatch = <Answer>(path: string, body: unknown, { idempotencyKey, ...callOptions }: BatchOptions = {}) => {
    const headers = { "idempotency-key": idempotencyKey ?? randomUUID() };
    return callManagement<Answer>({ method: "POST", path, body, headers, ...callOptions });
  };
  const encodePathPart = encodeURIComponent;
  return {
    suggest(q, { types, limit, limitScope, unavailableProducts, fields, facets, ...callOptions } = {}) {
      const query = {
        q,
        "resources[type]": types?.join(),
        "resources[limit]": limit,
        "resources[limit_scope]": limitScope,
        "resources[options][unavailable_products]": unavailableProducts,
        "resources[options][fields]": fields?.join(),
        "resources[options][facets]": facets === undefined ? undefined : String(facets),
      };
      return getJson({ path: "/search/suggest.json", query, ...callOptions });
    },
    search(q, { types, unavailableProducts, fields, limit, page, sortBy, filters = {}, ...callOptions } = {}) {
      const query = {
        ...{ q, limit, page, sort_by: sortBy },
        "resources[type]": types?.join(),
        "resources[options][unavailable_products]": unavailableProducts,
        "resources[options][fields]": fields?.join(),
      };
      return getJson({ path: "/search.json", query: { ...query, ...filters }, ...callOptions });
    },
    product: (handle, callOptions) => getJson({ path: `/products/${encodePathPart(handle)}.js`, ...callOptions }),
    async products({ collection, limit, page, ...callOptions } = {}) {
      const path =
        collection === undefined ? "/products.json" : `/collections/${encodePathPart(collection)}/products.json`;
      return (await getJson<{ products: readonly ListedProduct[] }>({ path, query: { limit, page }, ...callOptions }))
        .products;
    },
    async collections({ limit, page, ...callOptions } = {}) {
      const clientRequest = { path: "/collections.json", query: { limit, page }, ...callOptions };
      return (await getJson<{ collections: readonly CollectionRecord[] }>(clientRequest)).collections;
    },
    recommendations(productId, { limit, intent, ...callOptions } = {}) {
      const query = { product_id: productId, limit, intent };
      return getJson({ path: "/recommendations/products.json", query, ...callOptions });
    },
    cart: (cookies) => createShopperCart(connection, cookies, randomUUID),
    tokenInfo: (callOptions) => callManagement({ path: "/api/token", ...callOptions }),
    checkouts: {
      read: (id, callOptions) => callManagement({ path: `/api/checkouts/${encodePathPart(id)}`, ...callOptions }),
      complete: (id, payment, callOptions) =>
        callManagement({
          method: "POST",
          path: `/api/checkouts/${encodePathPart(id)}/complete`,
          body: payment,
          ...callOptions,
        }),
    },
    orders: {
      list({ limit, after, sort, search, state, paymentState, shipmentState, ...options } = {}) {
        const { updatedSince, createdSince, createdBefore, ...callOptions } = options;
        const query = {
          ...{ limit, after, sort, q: search, state, payment_state: paymentState, shipment_state: shipmentState },
          ...{ updated_since: updatedSince, created_since: createdSince, created_before: createdBefore },
        };
        return callManagement({ path: "/api/orders", query, ...callOptions });
      },
      read: async (id, callOptions) => fetchOrder({ path: `/api/orders/${encodePathPart(id)}`, ...callOptions }),
      log: async (id, callOptions) =>
        (await callManagement<OrderLog>({ path: `/api/orders/${encodePathPart(id)}/log`, ...callOptions })).entries,
      pay: (id, reference, options) => changeOrder(id, "pay", { reference }, options),
      cancel: (id, { note, ...options } = {}) => changeOrder(id, "cancel", note === undefined ? {} : { note }, options),
      ship: (id, shipment = {}, options) => changeOrder(id, "ship", shipment, options),
      refund: (id, refund, options) => changeOrder(id, "refund", refund, options),
      addNote: (id, text, options) => changeOrder(id, "note", { text }, options),
      sendEmail: (id, email, options) => changeOrder(id, "email", { email }, options),
    },
    stock: { change: (lines, callOptions) => postBatch("/admin/stock", lines, callOptions) },
    catalog: { edit: (lines, callOptions) => postBatch("/admin/catalog", lines, callOptions) },
  };
}
