import { resolve } from "node:path";
import { loadConfig } from "../../config/load-config.ts";
import { findCatalogFiles } from "../../import/catalog-files.ts";
import type { CatalogFile } from "../../import/read-catalog.ts";
import { defineCommand, flag, text, UsageError } from "../arguments.ts";
import { enableCodeCache } from "../io.ts";

const usage = `Usage: vitrine import [--store DIR] <file…> [--patch | --prune] [--skip-bad] [--dry-run] [--fetch-images]

Imports catalog files, all or nothing: rows are added, or replaced by id. Formats: .jsonl and .json, product and inventory exports of
Shopify, product exports of WooCommerce and Squarespace, other tables with the columns Title and Price (.csv), and Google Merchant
Center feeds (.tsv, .txt, .csv, .xml). A folder stands for its files. The server may run meanwhile. The first import into a new store
also imports its folder catalog/, without the example products.
  --store DIR  folder of the store (default: the current folder)
  --skip-bad   import the valid rows, and write the others with their errors to a file, such as export-left-out.csv
  --currency C currency of files that name none; must be that of the store
  --market M   import the prices of a market of a Shopify export ("Price / International")
  --encoding E encoding other than UTF-8, UTF-16, and Windows-1252: macintosh (Excel on a Mac), windows-1250, shift_jis …
  --patch      change only the fields that rows name: { "handle": "rope", "variants": [{ "sku": "R1", "price": 900 }] }
  --prune      remove rows that the files do not contain, of the kinds that they contain, and unchanged examples of a new store
  --dry-run    report all errors and changes, and change nothing
  --fetch-images       download images of other servers to media/fetched/, once
  --trust-hosts HOSTS  hosts in a private network, separated by commas, from which images may be downloaded`;

const options = {
  ...{ store: text, patch: flag, prune: flag, "skip-bad": flag, currency: text, market: text, encoding: text },
  ...{ "dry-run": flag, "fetch-images": flag, "trust-hosts": text },
};

/** Runs `vitrine import`. */
export const run = defineCommand(usage, options, async ({ values, positionals }, io) => {
  if (positionals.length === 0) throw new UsageError("import takes one file or more.");
  const { patch = false, prune = false, "dry-run": dryRun = false, "skip-bad": skipInvalid = false } = values;
  if (patch && prune) throw new UsageError("--patch changes rows and --prune removes others: use one of them.");
  if (patch && values["fetch-images"]) throw new UsageError("--fetch-images reads whole rows: use it without --patch.");
  const files: CatalogFile[] = [];
  for (const name of positionals) {
    const folderFiles = await findCatalogFiles(name, io.cwd);
    if (folderFiles.length === 0) throw new UsageError(`${name}: there is no catalog file in that folder.`);
    files.push(...folderFiles);
  }
  const storeDir = resolve(io.cwd, values.store ?? ".");
  enableCodeCache(storeDir);
  const { importInto } = await import("../import-into-store.ts");
  const { openStore } = await import("../store-database.ts");
  const { currency, market, encoding } = values;
  const request = { patch, prune, dryRun, skipInvalid, currency, market, encoding };
  await using store = await openStore(storeDir, io.env.DATABASE_URL);
  io.lowerPriority?.();
  const code = await importInto(store, files, request, io);
  if (code !== 0 || !values["fetch-images"]) return code;
  const { fetchImages } = await import("../fetch-images.ts");
  const trustedHosts = new Set((values["trust-hosts"] ?? "").split(",").map((host) => host.trim()));
  const downloadedCount = await fetchImages(storeDir, files, { ...request, trustedHosts }, io);
  if (downloadedCount === 0) return 0;
  // Import again to replace the image URLs with local paths. The first import may have set the currency, so the
  // settings are read again.
  const config = await loadConfig(storeDir);
  return await importInto({ ...store, config }, files, { ...request, isRepeated: true }, io);
});
