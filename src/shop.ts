import type { Carts } from "./cart/cart-store.ts";
import type { CartWriter } from "./cart/writer/cart-writer.ts";
import type { CatalogBatches } from "./catalog/catalog-changes.ts";
import type { StockChanges } from "./catalog/stock.ts";
import type { Checkouts } from "./checkout/checkouts.ts";
import type { DiscountUses } from "./checkout/discount-uses.ts";
import type { Orders } from "./checkout/orders.ts";
import type { Config } from "./config/settings.ts";
import type { Console } from "./console/console.ts";
import type { CartPricing } from "./hooks/cart-pricing.ts";
import type { CustomerSessions } from "./hooks/customer-sessions.ts";
import type { Hooks } from "./hooks/hooks.ts";
import type { StockCounts } from "./hooks/stock-counts.ts";
import type { Inbox } from "./inbox/inbox.ts";
import type { Log } from "./observability/log.ts";
import type { HttpMetrics } from "./observability/metrics.ts";
import type { SearchTimes } from "./observability/search-times.ts";
import type { Limits } from "./runtime/limits.ts";
import type { Scheduler } from "./runtime/scheduler.ts";
import type { ApiTokens } from "./security/api-token.ts";
import type { JwsSigner } from "./security/jws-signer.ts";
import type { Keyring } from "./security/keyring.ts";
import type { Signals } from "./signals/signals.ts";
import type { ShopSnapshot } from "./snapshot/snapshot.ts";
import type { Theme } from "./theme/theme.ts";

/** A shop in one event loop, as handlers see it; they take `Pick<Shop, ...>`. */
export interface Shop {
  readonly config: Config;
  /** The newest catalog, search index, search rules, and stock. Call it once per request. */
  readonly snapshot: () => ShopSnapshot;
  readonly theme: Theme;
  /** Reads and writes of carts; every write goes through the cart writer. */
  readonly carts: Carts & CartWriter;
  readonly checkouts: Checkouts & { readonly orders: Orders; readonly discountUses: DiscountUses };
  /** Messages and comments of shoppers. */
  readonly inbox: Inbox;
  /** Changes by the merchant's other systems. */
  readonly management: Management;
  readonly signals: Signals;
  /** The merchant's code. */
  readonly hooks: ShopHooks;
  /** Limits of this process, in all its threads together. */
  readonly limits: Limits;
  readonly keys: Keyring & { readonly documents: JwsSigner };
  /** Undefined if the merchant has no pages under `/admin`. */
  readonly console?: Console;
  readonly process: ShopProcess;
}

export interface Management {
  readonly tokens: ApiTokens;
  readonly stock: StockChanges;
  /** The only way to change the catalog. */
  readonly catalog: CatalogBatches;
}

/** Hooks as imported by this thread, with their callers. */
export interface ShopHooks extends Hooks {
  readonly customerSessions: CustomerSessions;
  readonly cartPricing: CartPricing;
  readonly stockCounts: StockCounts;
}

/** The running program. */
export interface ShopProcess {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Returns 128 random bits or more, base64url. */
  readonly newId: () => string;
  readonly log: Log;
  /** Undefined if nothing is counted. */
  readonly metrics?: HttpMetrics;
  /** Durations of suggestions that were not cached. */
  readonly searchTimes: SearchTimes;
  /** Divides the time of this thread's event loop. */
  readonly scheduler: Scheduler;
  /** False while the server stops or its database is unavailable. */
  readonly isReady: () => Promise<boolean>;
}
