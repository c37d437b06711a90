import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { createBackup } from "../../backup/create-backup.ts";
import { SECRET_PATH } from "../../backup/manifest.ts";
import { parseCartDatabaseUrls } from "../../storage/cart-databases/cart-database-urls.ts";
import { system } from "../../system.ts";
import { defineCommand, flag, text, UsageError } from "../arguments.ts";
import { explainOutputError } from "../io.ts";
import { reportInterruption } from "../listening.ts";

const usage = `Usage: vitrine backup [--store DIR] [--out FILE|-] [--with-secret]

Writes a backup of a store, also while its server runs: database, settings, catalog, media, theme, and search rules. Only the owner
of the file can read it. It is a tar file (.tar.gz) with a manifest; "vitrine restore" restores and checks it.
  --store DIR    folder of the store (default: the current folder)
  --out FILE     file to write (default: backup-<time>.tar.gz); - for stdout
  --with-secret  include the secret that signs cookies and links; without it, a restored store does not know its visitors
Left out: data/ except the database, .env files, node_modules/, .git/, and in the store's folder names that begin with "backup" or
end with ".tar.gz" or ".db". Other names in the store's folder are not accepted for FILE.
Environment: DATABASE_URL, CART_DATABASE_URLS, VITRINE_SECRET. A PostgreSQL database needs pg_dump in the PATH.`;

/** Runs `vitrine backup`. */
export const run = defineCommand(usage, { store: text, out: text, "with-secret": flag }, async (input, io) => {
  const { store = ".", out, "with-secret": includesSecret = false } = input.values;
  if (input.positionals.length > 0) throw new UsageError("backup takes no files; see --out.");
  const cartDatabases = parseCartDatabaseUrls(io.env.CART_DATABASE_URLS, { url: "" }).map(({ name }) => name);
  const time = new Date(system.now()).toISOString().replace(/:|\.\d+/g, "");
  const file = resolve(io.cwd, out ?? `backup-${time}.tar.gz`);
  const interruption = reportInterruption(io, "The backup was interrupted. Nothing was written.");
  io.lowerPriority?.();
  try {
    const manifest = await createBackup(
      {
        storeDir: resolve(io.cwd, store),
        databaseUrl: io.env.DATABASE_URL,
        secret: io.env.VITRINE_SECRET,
        includesSecret,
        output: out === "-" ? io.stdout : file,
        env: io.env,
        now: system.now,
      },
      interruption.setStagingFolder,
    );
    const rows = Object.values(manifest.tables).reduce((sum, count) => sum + count, 0);
    const files = Object.keys(manifest.members).length;
    const size = out === "-" ? "" : `, ${((await stat(file)).size / 1e6).toFixed(1)} MB`;
    io.stderr.write(
      `Wrote ${out === "-" ? "the backup" : file}: ${rows} rows, ${files} files${size}, catalog revision ${manifest.revision}.\n`,
    );
    if (manifest.members[SECRET_PATH] === undefined)
      io.stderr.write("It lacks the secret. Store the secret separately, or use --with-secret.\n");
    if (cartDatabases.length > 0)
      io.stderr.write(`It lacks the carts in the databases ${cartDatabases.join(", ")}. Back them up with pg_dump.\n`);
    return 0;
  } catch (error) {
    throw explainOutputError(error, "the backup is incomplete");
  } finally {
    interruption.stop();
  }
});
