import type { Carts } from "./cart/cart-store.ts";
import type { CartWriter } from "./cart/writer/cart-writer.ts";
import type { BatchKey, CatalogBatches } from "./catalog/catalog-changes.ts";
import type { Comment } from "./catalog/content.ts";
import type { LiveStock } from "./catalog/live/live-stock.ts";
import type { StockLevel } from "./catalog/stock.ts";
import type { Checkouts } from "./checkout/checkouts.ts";
import type { DiscountUses } from "./checkout/discount-uses.ts";
import type { Orders } from "./checkout/orders.ts";
import type { Config } from "./config/settings.ts";
import type { Console } from "./console/console.ts";
import type { CartPricing } from "./hooks/cart-pricing.ts";
import type { CustomerSessions } from "./hooks/customer-sessions.ts";
import type { Hooks } from "./hooks/hooks.ts";
import type { StockCounts } from "./hooks/stock-counts.ts";
import type { Log } from "./observability/log.ts";
import type { HttpMetrics } from "./observability/metrics.ts";
import type { SearchTimes } from "./observability/search-times.ts";
import type { SearchRules } from "./predictive-search/rules/search-rules.ts";
import type { Limits } from "./runtime/limits.ts";
import type { Scheduler } from "./runtime/scheduler.ts";
import type { Scope } from "./security/api-token.ts";
import type { JwsSigner } from "./security/jws-signer.ts";
import type { Keyring } from "./security/keyring.ts";
import type { Signals } from "./signals/signals.ts";
import type { Snapshot } from "./snapshot/snapshot.ts";
import type { Theme } from "./theme/theme.ts";

/** What a handler may use; handlers take `Pick<Shop, ...>`. */
export interface Shop {
  readonly config: Config;
  /** The merchant's own code, as this thread has imported it. */
  readonly hooks: Hooks;
  readonly signIns: CustomerSessions;
  readonly cartTerms: CartPricing;
  readonly stockCounts: StockCounts;
  /** The newest; take it once a request. */
  readonly snapshot: () => Snapshot;
  /** What is left of variants now. Who changes it in the database tells it here after the commit. */
  readonly stock: LiveStock;
  readonly stockChanges: StockChanges;
  /** The only way to change the catalog. */
  readonly catalog: CatalogBatches;
  readonly carts: Carts;
  /** Every change of a cart goes through here; `carts` only reads. */
  readonly cartWriter: CartWriter;
  readonly discountUses: DiscountUses;
  readonly checkouts: Checkouts;
  readonly orders: Orders;
  /** Limits of this process, in all its threads together. */
  readonly limits: Limits;
  readonly documentKeys: JwsSigner;
  readonly contacts: ContactStore;
  readonly comments: CommentStore;
  readonly apiTokens: ApiTokens;
  readonly signals: Signals;
  /** How long suggestions take that are worked out, in this process. */
  readonly searchTimes: SearchTimes;
  /** The merchant's rules for searches, the newest. */
  readonly searchRules: () => SearchRules;
  /** Absent: the merchant has no pages under `/admin`. */
  readonly console?: Console;
  readonly theme: Theme;
  readonly keyring: Keyring;
  readonly log: Log;
  /** Absent: nobody counts. */
  readonly metrics?: HttpMetrics;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** 128 random bits or more, base64url. */
  readonly newId: () => string;
  /** Divides the time of this thread's event loop. */
  readonly scheduler: Scheduler;
  /** False while the server stops or its database is away. */
  readonly isReady: () => Promise<boolean>;
}

/** What a shopper sent by a form. */
export interface Contact {
  readonly id: string;
  readonly kind: "message" | "newsletter" | "comment";
  readonly email: string;
  readonly locale: string;
  /** Path and query of the page with the form. */
  readonly page: string;
  /** Field of the form -> what was written. */
  readonly fields: Readonly<Record<string, string>>;
  /** Milliseconds since 1970. */
  readonly sentAt: number;
  /** Since when a comment is shown; absent: it is not. */
  readonly approvedAt?: number;
}

/** Comments on articles that the merchant lets be shown. */
export interface CommentStore {
  /** Path of an article's page, without language -> how many it has, as of some seconds ago. */
  counts(): ReadonlyMap<string, number>;
  /** Oldest first. @throws DatabaseUnavailable */
  of(path: string): Promise<readonly Comment[]>;
}

export interface ContactStore {
  /** Resolves once it is on disk; one whose id is kept already stays as it is. */
  add(contact: Contact): Promise<void>;
}

/** Changes of stock that another system sends at once; each variant is there once. */
export interface StockBatch {
  readonly absolute: readonly { readonly variantId: string; readonly quantity: number }[];
  /** `quantity` is what the catalogue says; absent: the variant's stock has moved before. */
  readonly relative: readonly { readonly variantId: string; readonly units: number; readonly quantity?: number }[];
  /** Of the catalogue. */
  readonly revision: number;
}

/** What became of a batch: what is left of its variants by now; or why nothing was done. */
export type StockOutcome =
  | { readonly levels: readonly StockLevel[]; readonly isRepeated: boolean }
  | "key used"
  | "catalogue moved on"
  | "too late";

export interface StockChanges {
  /** All or nothing. @throws DatabaseUnavailable */
  change(batch: StockBatch, key: BatchKey, now: number): Promise<StockOutcome>;
}

/** With what another system of the merchant's comes. */
export interface ApiToken {
  /** Names it; opens nothing. */
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
}

export interface ApiTokens {
  /** @param hash of the token  @returns undefined where it is unknown, revoked or past its end */
  find(hash: string, now: number): Promise<ApiToken | undefined>;
}
