import type { StoredOrder } from "../checkout/orders.ts";
import type { RuleTexts } from "../predictive-search/rules/rule-texts.ts";
import type { SearchRules } from "../predictive-search/rules/search-rules.ts";
import type { SearchReport, SearchReportOptions } from "../signals/search-report.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";

/** What the merchant's pages under `/admin` need beside what shoppers are shown. */
export interface Console {
  readonly endedLogins: EndedLogins;
  readonly reports: ConsoleReports;
  readonly drafts: RuleDrafts;
  /** The rules of the folder `search/`; if there are any, they apply instead of those of the database. */
  readonly fileRules: () => RuleTexts | undefined;
  /** Errors of these files. */
  readonly fileErrors: () => Promise<readonly string[]>;
  /** Publishes rules and sets the folder `search/` aside. @returns "copied" if the server may not rename it, so that its rules still apply */
  readonly takeOverRules: (texts: RuleTexts) => Promise<"taken_over" | "copied">;
  /** What shoppers would be shown with other rules of the console's, beside what they are shown. */
  readonly preview: (texts: RuleTexts) => Preview;
  /** What was wrong with the last edit of the catalogue's files, where it was not taken. */
  readonly importFaults: () => readonly string[];
  readonly facts: () => Promise<SystemFacts>;
}

/** Logins that somebody ended before their time; methods throw `DatabaseUnavailable`. */
export interface EndedLogins {
  /** @param login names it, and opens nothing */
  add(login: string, now: number): Promise<void>;
  has(login: string, now: number): Promise<boolean>;
}

/** What one thread finds out for the consoles of all. */
export interface ConsoleNews {
  /** Rules that were made in the console and hold. */
  readonly rules: RuleTexts;
  readonly importFaults: readonly string[];
}

/** Methods throw `DatabaseUnavailable`. */
export interface ConsoleReports {
  searches(options: SearchReportOptions): Promise<SearchReport>;
  /** The newest first. @param before number of an order; absent: from the newest on */
  orders(limit: number, before?: number): Promise<readonly StoredOrder[]>;
  /** The newest first. @param before when the last one shown was sent; absent: from the newest on */
  contacts(limit: number, before?: number): Promise<readonly SentForm[]>;
  /** What receivers were not told yet, the oldest first. */
  undelivered(limit: number): Promise<readonly UndeliveredEvent[]>;
}

/** What a shopper sent by a form. */
export interface SentForm {
  readonly id: string;
  /** "message", "newsletter", "comment" */
  readonly kind: string;
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

export interface UndeliveredEvent {
  readonly id: string;
  readonly type: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Who is to be told. */
  readonly destination: string;
  readonly isDead: boolean;
  readonly attempts: number;
  /** What went wrong the last time. */
  readonly failure?: string;
}

export type RuleState = "live" | "draft";

export interface StoredRules {
  /** Rises whenever they change. */
  readonly revision: number;
  /** Of a draft: false where nothing was changed. */
  readonly isThere: boolean;
  readonly texts: RuleTexts;
}

/** Rules for searches that are made in the console. Methods throw `DatabaseUnavailable`; those that change something say false where somebody else has
 *  changed the draft since the revision that was looked at. */
export interface RuleDrafts {
  live(): Promise<StoredRules>;
  /** What is being made; what holds, where nothing was changed. */
  draft(): Promise<StoredRules>;
  save(texts: RuleTexts, revision: number): Promise<boolean>;
  discard(revision: number): Promise<boolean>;
  /** Every server follows within a second. */
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
