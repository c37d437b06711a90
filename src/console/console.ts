import type { StoredOrder } from "../checkout/orders.ts";
import type { RuleTexts } from "../predictive-search/rules/rule-texts.ts";
import type { SearchRules } from "../predictive-search/rules/search-rules.ts";
import type { SearchReport, SearchReportOptions } from "../signals/search-report.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";

/** Data and actions of the merchant's pages under `/admin`, in addition to the storefront. */
export interface Console {
  readonly endedLogins: EndedLogins;
  readonly reports: ConsoleReports;
  readonly drafts: RuleDrafts;
  /** The rules of the folder `search/`; if there are any, they replace the rules of the database. */
  readonly fileRules: () => RuleTexts | undefined;
  /** Errors of these files. */
  readonly fileErrors: () => Promise<readonly string[]>;
  /**
   * Publishes rules and renames the folder `search/`. @returns "copied" if the server may not rename it, so that its
   * rules still apply
   */
  readonly takeOverRules: (texts: RuleTexts) => Promise<"taken_over" | "copied">;
  /** A search with other rules of the console, next to the current one. */
  readonly preview: (texts: RuleTexts) => Preview;
  /** Errors of the last edit of the catalog's files, if it was rejected. */
  readonly importErrors: () => readonly string[];
  readonly facts: () => Promise<SystemFacts>;
}

/** Logins ended by logout; methods throw `DatabaseUnavailable`. */
export interface EndedLogins {
  /** @param login an identifier that grants no access */
  add(login: string, now: number): Promise<void>;
  has(login: string, now: number): Promise<boolean>;
}

/** Changes that one thread reports to the consoles of all. */
export interface ConsoleState {
  /** Published rules of the console. */
  readonly rules: RuleTexts;
  readonly importErrors: readonly string[];
}

/** Methods throw `DatabaseUnavailable`. */
export interface ConsoleReports {
  searches(options: SearchReportOptions): Promise<SearchReport>;
  /** The newest first. @param before number of an order. Default: the newest */
  orders(limit: number, before?: number): Promise<readonly StoredOrder[]>;
  /** The newest first. @param before time of the last contact shown. Default: the newest */
  contacts(limit: number, before?: number): Promise<readonly SentForm[]>;
  /** Events that are not delivered yet, the oldest first. */
  undelivered(limit: number): Promise<readonly UndeliveredEvent[]>;
}

/** A form that a shopper sent. */
export interface SentForm {
  readonly id: string;
  /** "message", "newsletter", or "comment". */
  readonly kind: string;
  readonly email: string;
  readonly locale: string;
  /** Path and query of the page with the form. */
  readonly page: string;
  /** Field of the form -> value. */
  readonly fields: Readonly<Record<string, string>>;
  /** Milliseconds since 1970. */
  readonly sentAt: number;
  /** Milliseconds since 1970 from which a comment is shown; undefined if it is not shown. */
  readonly approvedAt?: number;
}

export interface UndeliveredEvent {
  readonly id: string;
  readonly type: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Name of the receiver. */
  readonly destination: string;
  readonly isDead: boolean;
  readonly attempts: number;
  /** Error of the last attempt. */
  readonly failure?: string;
}

export type RuleState = "live" | "draft";

export interface StoredRules {
  /** Increases with each change. */
  readonly revision: number;
  /** Whether a draft differs from the published rules. */
  readonly isThere: boolean;
  readonly texts: RuleTexts;
}

/**
 * Search rules edited in the console. Methods throw `DatabaseUnavailable`; those that change something return false if
 * the draft has changed since the given revision.
 */
export interface RuleDrafts {
  live(): Promise<StoredRules>;
  /** The draft; the published rules if there is none. */
  draft(): Promise<StoredRules>;
  save(texts: RuleTexts, revision: number): Promise<boolean>;
  discard(revision: number): Promise<boolean>;
  /** Publishes the draft. All servers apply it within a second. */
  publish(revision: number): Promise<boolean>;
  /** Publishes these rules, and discards the draft. */
  replace(texts: RuleTexts): Promise<void>;
}

export interface Preview {
  readonly snapshot: Snapshot;
  readonly rules: SearchRules;
}

export interface SystemFacts {
  readonly version: string;
  readonly node: string;
  readonly database: "SQLite" | "PostgreSQL";
  readonly databaseBytes: number;
  readonly freeDiskBytes: number;
  readonly memoryBytes: number;
  readonly threads: number;
  readonly uptimeMs: number;
}
