import { resolve } from "node:path";
import { loadConfig } from "../../config/load-config.ts";
import { catalogFiles } from "../../import/catalog-files.ts";
import type { CatalogFile } from "../../import/read-catalog.ts";
import { readArguments, wrongUsage } from "../arguments.ts";
import type { Io } from "../io.ts";
import { keepCompiled } from "../keep-compiled.ts";

const usage = `Usage: vitrine import [--store DIR] <file…> [--patch | --prune] [--skip-bad] [--dry-run] [--fetch-images]

Reads catalogue files (.jsonl, .json; Shopify's product and inventory exports and WooCommerce's product export as .csv; feeds of
Google Merchant Center as .tsv, .txt or .xml; a folder stands for those in it) into the store, all or nothing: rows are added, or
replaced where their id is there already. Works beside a running server.
  --store DIR  the store's folder (where you stand, unless told)
  --skip-bad   takes the rows that are right, and writes the others with why to files beside you (export-left-out.csv), to be mended
               and imported again
  --currency C what the prices of files that name no currency are in: refused unless it is the store's
  --market M   takes the prices of a market of a Shopify export ("Price / International") instead of the shop's own
  --encoding E of files that are neither UTF-8, UTF-16 nor Windows-1252: macintosh (Excel on a Mac), windows-1250, shift_jis …
  --patch      rows change only the fields they name, of rows that are there: { "handle": "rope", "variants": [{ "sku": "R1", "price": 900 }] }
  --prune      removes what the files no longer hold, of the kinds they do hold, and the unchanged examples of a new store
  --dry-run    finds every fault and changes nothing
  --fetch-images       brings pictures of other servers home into media/fetched/; what is there is not fetched again
  --trust-hosts HOSTS  of these hosts, apart by commas, pictures may come though they are in a private network`;

/** `vitrine import` */
export async function run(args: readonly string[], io: Io): Promise<number> {
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
  const given = readArguments(args, options, usage, io);
  if (typeof given === "number") return given;
  if (given.positionals.length === 0) return wrongUsage("import takes one file or more.", usage, io);
  const { patch = false, prune = false, "dry-run": dryRun = false } = given.values;
  if (patch === true && prune === true)
    return wrongUsage("--patch changes rows and --prune removes others: use one of them.", usage, io);
  if (patch === true && given.values["fetch-images"] === true)
    return wrongUsage("--fetch-images reads whole rows: use it without --patch.", usage, io);
  const named = ["currency", "market", "encoding"].flatMap((name) => {
    const value = given.values[name];
    return typeof value === "string" ? [[name, value] as const] : [];
  });
  const files: CatalogFile[] = [];
  for (const name of given.positionals) {
    const found = await catalogFiles(name, io.cwd);
    if (found.length === 0) return wrongUsage(`${name}: there is no catalogue file in that folder.`, usage, io);
    files.push(...found);
  }

  const storeDir = resolve(io.cwd, String(given.values.store ?? "."));
  keepCompiled(storeDir);
  const { importInto } = await import("../import-into-store.ts");
  const { openStore } = await import("../store-database.ts");
  const request = {
    patch: patch === true,
    prune: prune === true,
    dryRun: dryRun === true,
    skipInvalid: given.values["skip-bad"] === true,
    ...Object.fromEntries(named),
  };
  const store = await openStore(storeDir, io.env.DATABASE_URL, true);
  try {
    const code = await importInto(store, files, request, io);
    if (code !== 0 || given.values["fetch-images"] !== true) return code;
    const { fetchImages } = await import("../fetch-images.ts");
    const trusted = String(given.values["trust-hosts"] ?? "").split(",");
    const trustedHosts = new Set(trusted.map((host) => host.trim()));
    const fetched = await fetchImages(storeDir, files, { ...request, trustedHosts }, io);
    if (fetched === 0) return 0;
    // Rows name the images that are in the store now. The first import may have set the currency.
    const config = await loadConfig(storeDir);
    return await importInto({ ...store, config }, files, { ...request, isAgain: true }, io);
  } finally {
    await store.database.close();
  }
}
