import { randomUUID } from "node:crypto";
import type { CollectionRecord, Id, ListedProduct, Product, Recommendations } from "../generated/catalogue.ts";
import type { CatalogAnswer, CatalogEdit, StockAnswer, StockChange, TokenInfo } from "../generated/management.ts";
import type {
  Checkout,
  CompletedCheckout,
  Order,
  OrderAnswer,
  OrderList,
  Payment,
  ShipRequest,
} from "../generated/orders.ts";
import type { SearchPageAnswer, SuggestAnswer } from "../generated/search.ts";
import { type Call, type CallOptions, type ConnectionOptions, createConnection } from "./connection.ts";
import { createShopperCart, type ShopperCart } from "./shopper-cart.ts";

export type * from "../generated/cart.ts";
export type * from "../generated/cart-requests.ts";
export type * from "../generated/catalogue.ts";
export type * from "../generated/management.ts";
export type * from "../generated/orders.ts";
export type * from "../generated/problem.ts";
export type * from "../generated/search.ts";
export type { CallOptions, ConnectionOptions } from "./connection.ts";
export type { ShopperCart, WriteOptions } from "./shopper-cart.ts";
export { VitrineError } from "./vitrine-error.ts";

export interface SuggestOptions extends CallOptions {
  /** All but articles unless told. */
  readonly types?: readonly ("query" | "product" | "collection" | "page" | "article" | "bundle")[];
  /** 1 to 10; 10 unless told. */
  readonly limit?: number;
  /** Whether `limit` is that of all types together (unless told), or of each. */
  readonly limitScope?: "all" | "each";
  readonly unavailableProducts?: "last" | "show" | "hide";
  /** Where to look, as "title", "vendor", "variants.sku". */
  readonly fields?: readonly string[];
  /** Whether `resources.facets` tells what narrows the products down. */
  readonly facets?: boolean;
}

export interface SearchOptions
  extends CallOptions,
    Pick<SuggestOptions, "types" | "unavailableProducts" | "fields">,
    Pick<ListOptions, "page"> {
  /** 1 to 50; 24 unless told. */
  readonly limit?: number;
  readonly sortBy?: SearchPageAnswer["sort_by"];
  /** Parameter -> values: `{ "filter.p.vendor": ["Ansty"], "filter.v.price.lte": ["20"] }`. */
  readonly filters?: Readonly<Record<string, readonly string[]>>;
}

export interface ListOptions extends CallOptions {
  /** 1 to 250; 30 unless told. */
  readonly limit?: number;
  /** From 1. */
  readonly page?: number;
}

export interface OrderListOptions extends CallOptions {
  /** 1 to 100; 50 unless told. */
  readonly limit?: number;
  /** `next` of the page before. */
  readonly after?: string;
  readonly state?: Order["state"];
  readonly paymentState?: Order["payment_state"];
  readonly shipmentState?: Order["shipment_state"];
  /** A day or a time, as "2026-11-01T00:00:00Z". */
  readonly updatedSince?: string;
  readonly createdSince?: string;
}

/** A batch is done once by its key within a day; a fresh one unless told. */
export interface BatchOptions extends CallOptions {
  readonly idempotencyKey?: string;
}

/** A shop, as programs ask it. Types are those of openapi.yaml; every call throws {@link VitrineError} for what is refused. */
export interface VitrineClient {
  /** Suggestions while one types. */
  suggest(q: string, options?: SuggestOptions): Promise<SuggestAnswer>;
  /** A page of all that a search finds, with what narrows it down. */
  search(q: string, options?: SearchOptions): Promise<SearchPageAnswer>;
  product(handle: string, options?: CallOptions): Promise<Product>;
  /** Of a collection, by its handle; absent: of the whole shop. */
  products(options?: ListOptions & { readonly collection?: string }): Promise<readonly ListedProduct[]>;
  collections(options?: ListOptions): Promise<readonly CollectionRecord[]>;
  recommendations(
    productId: Id,
    options?: CallOptions & { readonly limit?: number; readonly intent?: Recommendations["intent"] },
  ): Promise<Recommendations>;
  /** A shopper's cart: a new shopper's, or that of who has these cookies. */
  cart(cookies?: Readonly<Record<string, string>>): ShopperCart;
  /** What the token that the client was made with may do. */
  tokenInfo(options?: CallOptions): Promise<TokenInfo>;
  readonly checkouts: {
    /** Scope `checkouts:read`. */
    read(id: string, options?: CallOptions): Promise<Checkout>;
    /** Tells that a payment came in; alike however often. Scope `checkouts:complete`. @throws VitrineError `refund_due`: give the money back */
    complete(id: string, payment: Payment, options?: CallOptions): Promise<CompletedCheckout>;
  };
  readonly orders: {
    /** A page of orders, by their numbers. Scope `orders:read`. */
    list(options?: OrderListOptions): Promise<OrderList>;
    /** By its id or its number. Scope `orders:read`. */
    read(id: string | number, options?: CallOptions): Promise<Order>;
    /** Once: one that was cancelled before is answered as it is. Scope `orders:write`. */
    cancel(id: string | number, options?: CallOptions & { readonly note?: string }): Promise<Order>;
    /** Notes that it was sent, once: one that was sent before is answered as it is. Scope `orders:write`. @throws VitrineError `order_cancelled` */
    ship(id: string | number, shipment?: ShipRequest, options?: CallOptions): Promise<Order>;
  };
  readonly stock: {
    /** All lines or none, at most 10,000. Scope `stock:write`. */
    change(lines: StockChange | readonly StockChange[], options?: BatchOptions): Promise<StockAnswer>;
  };
  readonly catalog: {
    /** Rows, patches and deletions: all or none, at most 10,000 and 2 MiB. Scope `catalog:write`. */
    edit(lines: CatalogEdit | readonly CatalogEdit[], options?: BatchOptions): Promise<CatalogAnswer>;
  };
}

/** A client of a shop, for programs on Node 20 and above. */
export function createClient(options: ConnectionOptions): VitrineClient {
  const connection = createConnection(options);
  const get = async <Answer>(call: Call): Promise<Answer> => (await connection.send(call)).body as Answer;
  const manage = <Answer>(call: Call): Promise<Answer> => get({ ...call, isManagement: true });
  const batch = <Answer>(path: string, body: unknown, { idempotencyKey, ...rest }: BatchOptions = {}) => {
    const headers = { "idempotency-key": idempotencyKey ?? randomUUID() };
    return manage<Answer>({ method: "POST", path, body, headers, ...rest });
  };
  const part = encodeURIComponent;
  return {
    suggest(q, { types, limit, limitScope, unavailableProducts, fields, facets, ...rest } = {}) {
      const query = {
        q,
        "resources[type]": types?.join(),
        "resources[limit]": limit,
        "resources[limit_scope]": limitScope,
        "resources[options][unavailable_products]": unavailableProducts,
        "resources[options][fields]": fields?.join(),
        "resources[options][facets]": facets === undefined ? undefined : String(facets),
      };
      return get({ path: "/search/suggest.json", query, ...rest });
    },
    search(q, { types, unavailableProducts, fields, limit, page, sortBy, filters = {}, ...rest } = {}) {
      const query = {
        ...{ q, limit, page, sort_by: sortBy },
        "resources[type]": types?.join(),
        "resources[options][unavailable_products]": unavailableProducts,
        "resources[options][fields]": fields?.join(),
      };
      return get({ path: "/search.json", query: { ...query, ...filters }, ...rest });
    },
    product: (handle, rest) => get({ path: `/products/${part(handle)}.js`, ...rest }),
    async products({ collection, limit, page, ...rest } = {}) {
      const path = collection === undefined ? "/products.json" : `/collections/${part(collection)}/products.json`;
      return (await get<{ products: readonly ListedProduct[] }>({ path, query: { limit, page }, ...rest })).products;
    },
    async collections({ limit, page, ...rest } = {}) {
      const call = { path: "/collections.json", query: { limit, page }, ...rest };
      return (await get<{ collections: readonly CollectionRecord[] }>(call)).collections;
    },
    recommendations(productId, { limit, intent, ...rest } = {}) {
      const query = { product_id: productId, limit, intent };
      return get({ path: "/recommendations/products.json", query, ...rest });
    },
    cart: (cookies) => createShopperCart(connection, cookies, randomUUID),
    tokenInfo: (rest) => manage({ path: "/api/token", ...rest }),
    checkouts: {
      read: (id, rest) => manage({ path: `/api/checkouts/${part(id)}`, ...rest }),
      complete: (id, payment, rest) =>
        manage({ method: "POST", path: `/api/checkouts/${part(id)}/complete`, body: payment, ...rest }),
    },
    orders: {
      list({ limit, after, state, paymentState, shipmentState, updatedSince, createdSince, ...rest } = {}) {
        const since = { updated_since: updatedSince, created_since: createdSince };
        return manage({
          path: "/api/orders",
          query: { limit, after, state, payment_state: paymentState, shipment_state: shipmentState, ...since },
          ...rest,
        });
      },
      async read(id, rest) {
        return (await manage<OrderAnswer>({ path: `/api/orders/${part(id)}`, ...rest })).order;
      },
      async cancel(id, { note, ...rest } = {}) {
        const body = note === undefined ? {} : { note };
        return (await manage<OrderAnswer>({ method: "POST", path: `/api/orders/${part(id)}/cancel`, body, ...rest }))
          .order;
      },
      async ship(id, body = {}, rest) {
        return (await manage<OrderAnswer>({ method: "POST", path: `/api/orders/${part(id)}/ship`, body, ...rest }))
          .order;
      },
    },
    stock: { change: (lines, rest) => batch("/admin/stock", lines, rest) },
    catalog: { edit: (lines, rest) => batch("/admin/catalog", lines, rest) },
  };
}
