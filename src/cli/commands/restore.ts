import { join, resolve } from "node:path";
import { Readable } from "node:stream";
import { SECRET_PATH } from "../../backup/manifest.ts";
import { restoreBackup } from "../../backup/restore-backup.ts";
import { SetupError } from "../../setup-error.ts";
import { readCatalogRows, readCatalogState } from "../../storage/catalog/catalog-store.ts";
import { needsMigration } from "../../storage/migrate.ts";
import { locateDatabase, openDatabase } from "../../storage/open-database.ts";
import { defineCommand, flag, UsageError } from "../arguments.ts";
import { type CommandIo, explainOutputError, quoteForShell } from "../io.ts";
import { reportInterruption } from "../listening.ts";
import { searchStore } from "../search-store.ts";

const usage = `Usage: vitrine restore <file>|- <dir> [--data-only]

Restores a backup of "vitrine backup" into dir, which must be empty or missing. Checks the checksums of the file before it puts
anything into place, then the rows of each table, and a search.
  -            read the backup from stdin
  --data-only  restore only the database and the secret into the store in dir, whose data/ must be empty or missing
Environment: DATABASE_URL, for the backup of a PostgreSQL database: an empty database. It needs pg_restore in the PATH.`;

/** Runs `vitrine restore`. */
export const run = defineCommand(usage, { "data-only": flag }, async ({ values, positionals }, io) => {
  const [input, dir, ...extraArgs] = positionals;
  if (input === undefined || dir === undefined || extraArgs.length > 0)
    throw new UsageError("restore takes a file and a folder.");
  const storeDir = resolve(io.cwd, dir);
  const interruption = reportInterruption(io, "The restore was interrupted. Run it again.");
  const manifest = await restoreBackup(
    {
      input: input === "-" ? Readable.from(io.stdin ?? []) : resolve(io.cwd, input),
      storeDir,
      isDataOnly: values["data-only"] === true,
      databaseUrl: io.env.DATABASE_URL,
      env: io.env,
    },
    interruption.setStagingFolder,
  )
    .catch((error: unknown) => {
      throw explainOutputError(error, "nothing was restored");
    })
    .finally(interruption.stop);
  const rows = Object.values(manifest.tables).reduce((sum, count) => sum + count, 0);
  io.stdout.write(
    `Restored ${storeDir}: ${rows} rows in ${Object.keys(manifest.tables).length} tables, of ${manifest.createdAt}.\n`,
  );
  if (manifest.members[SECRET_PATH] === undefined && io.env.VITRINE_SECRET === undefined)
    io.stderr.write(
      "The backup has no secret. Set VITRINE_SECRET or write data/secret before the first start, or visitors lose their carts and links.\n",
    );
  io.stdout.write(`${await trySearch(storeDir, io)}\n`);
  io.stdout.write(`Start the store with "${io.program} serve ${quoteForShell(dir)}".\n`);
  return 0;
});

/** Searches the restored store for the title of its first product.  @throws SetupError if the search fails */
async function trySearch(storeDir: string, io: CommandIo): Promise<string> {
  try {
    const title = await readProductTitle(storeDir, io);
    if (title === null)
      return "Search: not checked, because the backup is of an older version. The first start migrates the database.";
    if (title === undefined) return "Search: the catalog has no products.";
    const request = { words: title, locale: undefined, isExplained: false, comparedHandle: undefined, isJson: true };
    let results = "";
    const stdout = { write: (text: string) => (results += text) } as unknown as NodeJS.WritableStream;
    const code = await searchStore(storeDir, request, { ...io, stdout });
    if (code !== 0) throw new SetupError(`a search for "${title}" has no results`);
    return `Search: results for "${title}": ${results.trimEnd().split("\n").length}.`;
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    throw new SetupError(
      `the data is restored, but the store cannot be searched: ${error.message} If a package is missing, run "npm install" in ${storeDir}. Then run "vitrine doctor ${storeDir}".`,
    );
  }
}

/**
 * Reads the title of the first product; undefined without products.
 * @returns null if the database must be migrated first, because the operator decides when to migrate
 */
async function readProductTitle(storeDir: string, io: CommandIo): Promise<string | undefined | null> {
  const database = await openDatabase(locateDatabase(join(storeDir, "data"), io.env.DATABASE_URL));
  try {
    if (await needsMigration(database)) return null;
    const { revision } = await readCatalogState(database);
    for await (const { kind, json } of readCatalogRows(database, revision))
      if (kind === "product") return (JSON.parse(json) as { readonly title: string }).title;
    return undefined;
  } finally {
    await database.close();
  }
}
