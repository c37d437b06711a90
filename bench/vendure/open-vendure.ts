import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { takeEvenly } from "../../packages/search/bench/keystrokes-typed.ts";
import { startPostgres } from "../../test/support/postgres-server.ts";
import { catalogueFile, workFolder } from "../catalogs.ts";
import { openPeer, type PeerServer } from "../http/run-load.ts";

/** A Vendure server with products. */
export interface VendureServer extends PeerServer {
  readonly port: number;
  close(): Promise<void>;
}

const packages = ["@vendure/core@3.7.3", "pg@8"];
const productCount = 100;

/** Installs Vendure if it is missing, fills a database with products of products-100k, and starts the server. */
export async function openVendure(): Promise<VendureServer> {
  const folder = join(workFolder(), "vendure");
  const program = join(folder, "server.mjs");
  mkdirSync(folder, { recursive: true });
  copyFileSync(fileURLToPath(new URL("./server.mjs", import.meta.url)), program);
  const run = (command: string, args: readonly string[]): void =>
    void execFileSync(command, args, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  if (!existsSync(join(folder, "node_modules")))
    run("npm", ["install", "--prefix", folder, "--no-audit", "--no-fund", ...packages]);
  const catalogue = join(folder, "products.jsonl");
  const products = readFileSync(catalogueFile("products-100k"), "utf8").trimEnd().split("\n");
  writeFileSync(catalogue, `${takeEvenly(products, productCount).join("\n")}\n`);
  const postgres = await startPostgres();
  try {
    run(process.execPath, [program, "populate", postgres.url, catalogue]);
    const server = await openPeer([program, "serve", postgres.url]);
    const close = async (): Promise<void> => {
      server.close();
      await postgres.remove();
    };
    return { ...server, close };
  } catch (error) {
    await postgres.remove();
    throw error;
  }
}
