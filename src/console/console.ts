import type { RunningSettings } from "../config/live-settings.ts";
import type { MailProblem } from "../config/settings-editor.ts";
import type { Contact } from "../inbox/inbox.ts";
import type { RuleTexts } from "../predictive-search/rules/rule-texts.ts";
import type { SearchRules } from "../predictive-search/rules/search-rules.ts";
import type { SearchReport, SearchReportOptions } from "../signals/search-report.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";

/** Data and actions of the merchant's admin pages under `/admin`. */
export interface Console {
  readonly revokedLogins: RevokedLogins;
  readonly secondFactors: SecondFactors;
  readonly reports: ConsoleReports;
  readonly drafts: RuleDrafts;
  readonly synonymSuggestions: SynonymSuggestions;
  /**
   * Returns the search rules in the folder `search/`, or undefined if it contains none. They take precedence over the
   * rules in the database.
   */
  readonly readFolderRules: () => RuleTexts | undefined;
  /** Returns the errors in the files of the folder `search/`. */
  readonly readFolderErrors: () => Promise<readonly string[]>;
  /**
   * Publishes the rules of the files and renames the folder `search/`.
   * @returns "copied" if the folder cannot be renamed, so that the rules in it still apply
   */
  readonly publishFolderRules: (texts: RuleTexts) => Promise<"taken_over" | "copied">;
  /** Creates a search with the given rules, to show their effect before they are published. */
  readonly preview: (texts: RuleTexts) => RulesPreview;
  /** Returns the errors of the latest change to the catalog files, if it was rejected. */
  readonly readImportErrors: () => readonly string[];
  readonly readSystemFacts: () => Promise<SystemSummary>;
  readonly readSetupProblems: () => Promise<SetupProblems>;
}

/** Problems that a shop must solve before its first sale. */
export interface SetupProblems {
  /** Whether orders ship for free, because there are no shipping rates. */
  readonly hasNoRates: boolean;
  /** Whether the merchant has to choose which system sends the invoices. */
  readonly hasUndecidedInvoices: boolean;
  /** Paths of missing settings, such as "invoices.iban". A path may name two alternatives, separated by " or ". */
  readonly missingInvoiceSettings: readonly string[];
  /** Problem with the mail server, such as a failed login. Undefined also without a mail server. */
  readonly mail?: MailProblem | undefined;
  readonly proxy?: string | undefined;
  /** SKUs of the example products of a new store. */
  readonly exampleSkus: readonly string[];
}

/** Console logins that users ended by logging out. The methods throw `DatabaseUnavailableError`. */
export interface RevokedLogins {
  /** Records that a login was ended.  @param login hash that identifies the login but grants no access */
  add(login: string, now: number): Promise<void>;
  has(login: string, now: number): Promise<boolean>;
}

/** Second factors of users, who log in to the console with a token. Methods throw `DatabaseUnavailableError`. */
export interface SecondFactors {
  find(tokenId: string): Promise<SecondFactor | undefined>;
  /**
   * Stores the second factor of a user who has none.
   * @param usedCode use of the code that confirmed the factor: its time step, and the time in milliseconds since 1970
   * @returns false if the user already has a second factor
   */
  add(
    tokenId: string,
    secondFactor: SecondFactor,
    usedCode: { readonly step: number; readonly now: number },
  ): Promise<boolean>;
  /** Records the use of a code.  @returns false if this code or a later one was used */
  useTimeStep(tokenId: string, step: number): Promise<boolean>;
  /** Removes a recovery code.  @returns false if there is no such code */
  useRecoveryCode(tokenId: string, hash: string): Promise<boolean>;
}

export interface SecondFactor {
  /** Secret of time-based codes, in base32. */
  readonly secret: string;
  /** Hashes of the recovery codes that were not used. */
  readonly recoveryHashes: readonly string[];
}

/** A test in which shoppers see results of both the draft and the published search rules. */
export interface RulesTest {
  readonly id: number;
  /** Time of the start in milliseconds since 1970. */
  readonly startedAt: number;
  /** Time in milliseconds since 1970 after which shoppers see only results of the published rules. */
  readonly endsAt: number;
  readonly texts: RuleTexts;
}

/**
 * Number of shoppers who preferred the draft rules, and of those who preferred the published rules. If a shopper adds a
 * product to the cart or orders it, the shopper is counted for the rules that found the product.
 */
export type PreferenceCounts = Readonly<Record<"draft" | "live", number>>;

/** Data that the main thread shares with the event-loop threads whenever it changes. */
export interface ConsoleState {
  readonly settings: RunningSettings;
  /** Running test of search rules; undefined without a test. */
  readonly test?: RulesTest | undefined;
  /** Published search rules. */
  readonly rules: RuleTexts;
  readonly importErrors: readonly string[];
}

/** Reports and lists that the console shows. The methods throw `DatabaseUnavailableError`. */
export interface ConsoleReports {
  reportSearches(options: SearchReportOptions): Promise<SearchReport>;
  /** @param startTime start of the period, in milliseconds since 1970 */
  reportSales(startTime: number): Promise<SalesReport>;
  /**
   * Returns submitted forms, the newest first.
   * @param endTime time of the last form on the previous page. Default: the first page
   */
  listContacts(limit: number, endTime?: number): Promise<readonly Contact[]>;
  /** Returns events that are not delivered yet, the oldest first. */
  listPendingEvents(limit: number): Promise<readonly PendingDelivery[]>;
}

/** Orders of a period, and how many carts and checkouts preceded them. Amounts are in minor units. */
export interface SalesReport {
  /** Number of orders that are not canceled. */
  readonly orderCount: number;
  readonly canceledCount: number;
  /** Number of orders that are neither canceled nor paid. */
  readonly unpaidCount: number;
  /** Sum of the orders that are not canceled, with tax and shipping, less their refunds. */
  readonly revenue: number;
  /** Number of carts that a shopper changed or ordered in the period. */
  readonly cartCount: number;
  /**
   * Number of carts in the period for which a checkout was opened. Checkouts without an order are stored for seven
   * days.
   */
  readonly checkoutCount: number;
}

export interface PendingDelivery {
  readonly id: string;
  readonly type: string;
  /** Time of creation in milliseconds since 1970. */
  readonly createdAt: number;
  /** Name of the system that receives the event. */
  readonly destination: string;
  readonly isDead: boolean;
  readonly attempts: number;
  /** Error message of the last attempt. */
  readonly failure?: string;
}

/** A pair of searches. Shoppers made the first one without success, then the second one, which led to a product. */
export interface SynonymSuggestion {
  readonly locale: string;
  /** Normalized text of the search without success. */
  readonly from: string;
  /** Normalized text of the search that led to a product. */
  readonly to: string;
  /** Number of shoppers who made both searches. Older searches count less. */
  readonly shoppers: number;
}

/**
 * Suggested synonyms, derived from searches that came from a minimum number of IP networks. The methods throw
 * `DatabaseUnavailableError`.
 */
export interface SynonymSuggestions {
  /** Returns the suggestions that are not dismissed, the most frequent first. */
  list(limit: number): Promise<readonly SynonymSuggestion[]>;
  /** Hides a suggestion permanently. */
  dismiss(suggestion: Pick<SynonymSuggestion, "locale" | "from" | "to">): Promise<void>;
}

export type RuleState = "live" | "draft" | "test";
export type TestOutcome = "stop" | "publish" | "discard";

export interface StoredRules {
  /** Version number of the rules, which increases with each change. */
  readonly revision: number;
  /** Whether a draft exists that differs from the published rules. */
  readonly hasDraft: boolean;
  readonly texts: RuleTexts;
}

/**
 * Search rules that are edited in the console. Methods that change rules return false if the draft was changed in the
 * meantime. All methods throw `DatabaseUnavailableError`.
 */
export interface RuleDrafts {
  readPublishedRules(): Promise<StoredRules>;
  /** Returns the draft, or the published rules if there is no draft. */
  readDraftRules(): Promise<StoredRules>;
  save(texts: RuleTexts, revision: number): Promise<boolean>;
  discard(revision: number): Promise<boolean>;
  /** Publishes the draft. All servers apply it within a second. */
  publish(revision: number): Promise<boolean>;
  getRunningTest(): Promise<RulesTest | undefined>;
  /**
   * Returns the counts of a test by action. For privacy, the counts of an action are undefined if shoppers from fewer
   * than five IP networks performed it.
   */
  readPreferences(testId: number): Promise<Readonly<Record<"added" | "ordered", PreferenceCounts | undefined>>>;
  /** Starts a test of the draft with shoppers, and ends any running test. The test uses a copy of the draft. */
  startTest(revision: number): Promise<boolean>;
  /**
   * Ends a test.
   * @param outcome "stop": the draft and the published rules do not change; "publish": publishes the tested rules;
   * "discard": deletes the draft
   */
  endTest(testId: number, outcome: TestOutcome): Promise<boolean>;
  /** Publishes the given rules and discards the draft. */
  replace(texts: RuleTexts): Promise<void>;
}

export interface RulesPreview {
  readonly snapshot: Snapshot;
  readonly rules: SearchRules;
}

export interface SystemSummary {
  readonly version: string;
  readonly node: string;
  readonly database: "SQLite" | "PostgreSQL";
  readonly databaseBytes: number;
  readonly freeDiskBytes: number;
  readonly memoryBytes: number;
  readonly threads: number;
  readonly uptimeMs: number;
}
