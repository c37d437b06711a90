import { resolve } from "node:path";
import { loadConfig } from "../../config/load-config.ts";
import { findCatalogFiles } from "../../import/catalog-files.ts";
import type { CatalogFile } from "../../import/read-catalog.ts";
import { readArguments, reportWrongUsage } from "../arguments.ts";
import { type CommandIo, enableCodeCache } from "../io.ts";

const usage = `Usage: vitrine import [--store DIR] <file…> [--patch | --prune] [--skip-bad] [--dry-run] [--fetch-images]

Imports catalog files, all or nothing: rows are added, or replaced by id. Formats: .jsonl and .json, product and inventory exports of
Shopify, product exports of WooCommerce (.csv), and Google Merchant Center feeds (.tsv, .txt, .xml). A folder stands for its files.
The server may run meanwhile. The first import into a new store also imports its folder catalog/, without the example products.
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

/** Runs `vitrine import`. */
export async function run(args: readonly string[], io: CommandIo): Promise<number> {
  const options = {
    store: { type: "string" },
    patch: { type: "boolean" },
    prune: { type: "boolean" },
    "skip-bad": { type: "boolean" },
    currency: { type: "string" },
    market: { type: "string" },
    encoding: { type: "string" },
    "dry-run": { type: "boolean" },
    "fetch-images": { type: "boolean" },
    "trust-hosts": { type: "string" },
  } as const;
  const parsedArguments = readArguments(args, options, usage, io);
  if (typeof parsedArguments === "number") return parsedArguments;
  if (parsedArguments.positionals.length === 0) return reportWrongUsage("import takes one file or more.", usage, io);
  const { patch = false, prune = false, "dry-run": dryRun = false } = parsedArguments.values;
  if (patch === true && prune === true)
    return reportWrongUsage("--patch changes rows and --prune removes others: use one of them.", usage, io);
  if (patch === true && parsedArguments.values["fetch-images"] === true)
    return reportWrongUsage("--fetch-images reads whole rows: use it without --patch.", usage, io);
  const givenOptions = ["currency", "market", "encoding"].flatMap((name) => {
    const value = parsedArguments.values[name];
    return typeof value === "string" ? [[name, value] as const] : [];
  });
  const files: CatalogFile[] = [];
  for (const name of parsedArguments.positionals) {
    const folderFiles = await findCatalogFiles(name, io.cwd);
    if (folderFiles.length === 0)
      return reportWrongUsage(`${name}: there is no catalog file in that folder.`, usage, io);
    files.push(...folderFiles);
  }

  const storeDir = resolve(io.cwd, String(parsedArguments.values.store ?? "."));
  enableCodeCache(storeDir);
  const { importInto } = await import("../import-into-store.ts");
  const { openStore } = await import("../store-database.ts");
  const request = {
    patch: patch === true,
    prune: prune === true,
    dryRun: dryRun === true,
    skipInvalid: parsedArguments.values["skip-bad"] === true,
    ...Object.fromEntries(givenOptions),
  };
  const store = await openStore(storeDir, io.env.DATABASE_URL, true);
  try {
    const code = await importInto(store, files, request, io);
    if (code !== 0 || parsedArguments.values["fetch-images"] !== true) return code;
    const { fetchImages } = await import("../fetch-images.ts");
    const hostNames = String(parsedArguments.values["trust-hosts"] ?? "").split(",");
    const trustedHosts = new Set(hostNames.map((host) => host.trim()));
    const downloadedCount = await fetchImages(storeDir, files, { ...request, trustedHosts }, io);
    if (downloadedCount === 0) return 0;
    // Import again to replace the image URLs with local paths. The first import may have set the currency, so the
    // settings are read again.
    const config = await loadConfig(storeDir);
    return await importInto({ ...store, config }, files, { ...request, isRepeated: true }, io);
  } finally {
    await store.database.close();
  }
}
