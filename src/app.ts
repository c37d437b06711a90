import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type Config, loadConfig, type StoreSettings } from "./config.ts";
import { createServer } from "./http/server.ts";
import { createLog } from "./observability/log.ts";
import { readSecrets } from "./secrets.ts";
import { createKeyring } from "./security/keyring.ts";
import type { Shop } from "./shop.ts";
import { openSnapshots } from "./snapshot.ts";
import { openStorage } from "./storage/storage.ts";
import { loadTheme } from "./theme/theme-loader.ts";

export interface AppOptions {
  /** The store's folder. */
  readonly storeDir: string;
  /** Beats the store's own `data/vitrine.db`. */
  readonly databaseFile?: string;
  /** Settings that beat those of `vitrine.config.ts`. */
  readonly config?: StoreSettings;
  /** "silent", "error", "warn", "info". */
  readonly logLevel?: string;
  /** Comma-separated keys; absent: `data/secret`, made where it is missing. */
  readonly secret?: string;
  readonly now?: () => number;
  readonly newId?: () => string;
}

/** A shop that is ready to be served. */
export interface App {
  readonly shop: Shop;
  /** @returns its address, "http://127.0.0.1:3000"; port 0 takes a free one */
  listen(host: string, port: number): Promise<string>;
  /** Answers what is in flight, then closes everything. */
  close(): Promise<void>;
}
