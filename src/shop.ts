import type { Carts } from "./cart/cart-store.ts";
import type { CartWriter } from "./cart/writer/cart-writer.ts";
import type { CatalogBatches } from "./catalog/catalog-changes.ts";
import type { CatalogRecords } from "./catalog/catalog-records.ts";
import type { StockChanges } from "./catalog/stock.ts";
import type { Checkouts } from "./checkout/checkouts.ts";
import type { DiscountUses } from "./checkout/discount-uses.ts";
import type { Orders } from "./checkout/orders.ts";
import type { Config } from "./config/settings.ts";
import type { SettingsEditor } from "./config/settings-editor.ts";
import type { Console } from "./console/console.ts";
import type { CartPricing } from "./hooks/cart-pricing.ts";
import type { CustomerSessions } from "./hooks/customer-sessions.ts";
import type { Hooks } from "./hooks/hooks.ts";
import type { HookStockReader } from "./hooks/stock-counts.ts";
import type { Inbox } from "./inbox/inbox.ts";
import type { Log } from "./observability/log.ts";
import type { HttpMetrics } from "./observability/metrics.ts";
import type { SearchTimes } from "./observability/search-times.ts";
import type { RateLimits } from "./runtime/limits.ts";
import type { Scheduler } from "./runtime/scheduler.ts";
import type { ApiTokens } from "./security/api-token.ts";
import type { JwsSigner } from "./security/jws-signer.ts";
import type { Keyring } from "./security/keyring.ts";
import type { Signals } from "./signals/signals.ts";
import type { ShopSnapshot } from "./snapshot/snapshot.ts";
import type { Theme } from "./theme/theme.ts";

/** The parts of a shop in one thread. Request handlers depend on some of them, as `Pick<Shop, ...>`. */
export interface Shop {
  readonly config: Config;
  /** Returns the newest catalog, search index, search rules, and stock. Call it once per request. */
  readonly snapshot: () => ShopSnapshot;
  readonly theme: Theme;
  /** Reads and writes of carts. All writes go through the cart writer. */
  readonly carts: Carts & CartWriter;
  readonly checkouts: Checkouts & { readonly orders: Orders; readonly discountUses: DiscountUses };
  /** Messages and comments of shoppers. */
  readonly inbox: Inbox;
  /** API tokens, and the changes of stock, catalog, and settings by the merchant's other systems and the console. */
  readonly management: ManagementApi;
  readonly signals: Signals;
  /** Functions that the merchant has written, for example for prices and payments. */
  readonly hooks: ShopHooks;
  /** Rate limits, which all threads of this process share. */
  readonly limits: RateLimits;
  readonly keys: Keyring & { readonly documents: JwsSigner };
  /** Console of the merchant; undefined if the pages under `/admin` are disabled. */
  readonly console?: Console;
  readonly process: ProcessServices;
}

export interface ManagementApi {
  readonly tokens: ApiTokens;
  readonly stock: StockChanges;
  /** Changes of the catalog. All writes to the catalog go through this object. */
  readonly catalog: CatalogBatches;
  readonly records: CatalogRecords;
  readonly settings: SettingsEditor;
}

/** The merchant's functions ("hooks"), as imported by this thread, and the objects that call them. */
export interface ShopHooks extends Hooks {
  readonly customerSessions: CustomerSessions;
  readonly cartPricing: CartPricing;
  readonly stockCounts: HookStockReader;
}

/** Clock, randomness, log, and metrics of the process. */
export interface ProcessServices {
  /** Returns the current time in milliseconds since 1970. */
  readonly now: () => number;
  /** Returns a random id with at least 128 bits, in base64url. */
  readonly newId: () => string;
  readonly log: Log;
  /** HTTP metrics; undefined if metrics are disabled. */
  readonly metrics?: HttpMetrics | undefined;
  /** Durations of the suggestion searches that could not be answered from the cache. */
  readonly searchTimes: SearchTimes;
  /** Scheduler of the event loop of this thread. */
  readonly scheduler: Scheduler;
  /** Returns whether the server is ready: not stopping, and its database is available. */
  readonly isReady: () => Promise<boolean>;
}
