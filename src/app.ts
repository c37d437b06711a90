import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { importNewStore } from "./cli/import-files.ts";
import { loadConfig, type StoreSettings } from "./config.ts";
import { createServer } from "./http/server.ts";
import { createLog } from "./observability/log.ts";
import { readSecrets } from "./secrets.ts";
import { createKeyring } from "./security/keyring.ts";
import type { Shop } from "./shop.ts";
import { openSnapshots } from "./snapshot.ts";
import { createCartStore } from "./storage/cart-store.ts";
import { migrate } from "./storage/migrate.ts";
import { createSearchLog } from "./storage/search-log-store.ts";
import { lockStore } from "./storage/server-lock.ts";
import { openSqlite } from "./storage/sqlite.ts";
import { loadTheme } from "./theme/theme-loader.ts";

export interface AppOptions {
  /** The store's folder. */
  readonly storeDir: string;
  /** Beats the store's own `data/vitrine.db`. */
  readonly databaseFile?: string;
  /** Settings that beat those of `vitrine.config.ts`. */
  readonly config?: StoreSettings;
  /** "silent", "error", "warn" or "info". */
  readonly logLevel?: string;
  /** Comma-separated keys, the first signs; absent: `data/secret`, made where it is missing. */
  readonly secret?: string;
  /** Told what happens before the first answer: an import, for one. */
  readonly onNotice?: (text: string) => void;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** 128 random bits or more, base64url. */
  readonly newId?: () => string;
}

/** A shop, ready to be served. */
export interface App {
  readonly shop: Shop;
  /** @param port 0 takes a free one  @returns its address, "http://127.0.0.1:3000" */
  listen(host: string, port: number): Promise<string>;
  /** Answers what is in flight, then closes everything. */
  close(): Promise<void>;
}
