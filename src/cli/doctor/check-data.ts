import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { ignoreNotFound } from "../../not-found.ts";
import { readSecrets } from "../../security/secrets.ts";
import { parseCartDatabaseUrls } from "../../storage/cart-databases/cart-database-urls.ts";
import { findMissingNames, requireCartDatabaseName } from "../../storage/cart-databases/open-cart-databases.ts";
import type { CatalogDatabase } from "../../storage/catalog/catalog-reader.ts";
import type { Database } from "../../storage/database.ts";
import { needsMigration } from "../../storage/migrate.ts";
import { openDatabase } from "../../storage/open-database.ts";
import { readSchemaVersion } from "../../storage/schema-version.ts";
import { type CheckResult, createFailure, createSuccess, createWarning, type Diagnosis } from "./diagnosis.ts";

/** Maximum milliseconds to wait for a lock, the same as in a running shop. */
const LOCK_TIMEOUT_MS = 1_000;

/** Opens the database of a store, without creating or migrating it.  @returns no database if it is empty or cannot be used */
export async function openCheckedDatabase(
  source: CatalogDatabase,
): Promise<{ readonly result: CheckResult; readonly database?: Database }> {
  let database: Database | undefined;
  try {
    if ("file" in source && (await stat(source.file).catch(ignoreNotFound)) === undefined)
      return { result: createSuccess(`${source.file} does not exist: the first start creates it`) };
    database = await openDatabase(source, { lockTimeoutMs: LOCK_TIMEOUT_MS });
    if ((await readSchemaVersion(database)).schemaVersion === 0) {
      await database.close();
      return { result: createSuccess("it is empty: the first start creates its tables") };
    }
    return { database, result: await checkDatabase(database, source) };
  } catch (error) {
    await database?.close();
    return { result: createFailure(error) };
  }
}

async function checkDatabase(database: Database, source: CatalogDatabase): Promise<CheckResult> {
  if (await needsMigration(database))
    return createWarning(
      'its tables are of an older version, and the next start migrates them: make a backup first, with "vitrine backup".',
    );
  // `quick_check` reads every page of the file.
  const [finding] = "file" in source ? await database.read("PRAGMA quick_check(1)") : [];
  if (finding !== undefined && finding.quick_check !== "ok")
    throw new Error(`${"file" in source ? source.file : ""} is damaged: ${finding.quick_check}. Restore a backup.`);
  await database.write([{ sql: "UPDATE write_probe SET probed_at = $1", params: [0], requireRows: 1 }]);
  return createSuccess("file" in source ? source.file : "PostgreSQL");
}

/** Checks each database for carts, without creating or migrating it. */
export async function* checkCartDatabases(
  cartDatabaseUrls: string | undefined,
  source: CatalogDatabase,
  mainDatabase: Database | undefined,
): AsyncGenerator<Diagnosis> {
  try {
    const sources = parseCartDatabaseUrls(cartDatabaseUrls, source);
    const missingNames =
      mainDatabase === undefined || (await needsMigration(mainDatabase))
        ? []
        : await findMissingNames(sources, mainDatabase);
    if (missingNames.length > 0)
      yield [
        "cart databases",
        createWarning(
          `CART_DATABASE_URLS lacks ${missingNames.join(", ")}, so the carts in these databases are unavailable: add their URLs.`,
        ),
      ];
    for (const { name, url } of sources) {
      const checkName = `cart database ${name}`;
      const { result, database } = await openCheckedDatabase({ url });
      try {
        if (result.severity === "ok" && database !== undefined && mainDatabase !== undefined)
          await requireCartDatabaseName(name, database, mainDatabase);
        const message = result.message.replace(/^DATABASE_URL/, "CART_DATABASE_URLS");
        yield [checkName, { ...result, message }];
      } catch (error) {
        yield [checkName, createFailure(error)];
      } finally {
        await database?.close();
      }
    }
  } catch (error) {
    yield ["cart databases", createFailure(error)];
  }
}

/** Permissions of the group and others. */
const OTHER_USERS_MODE_BITS = 0o077;

/**
 * Checks the secrets that sign cookies and links.
 * @param configuredSecrets value of `VITRINE_SECRET`
 */
export async function checkKeys(
  dataDir: string,
  configuredSecrets: string | undefined,
  database: Database | undefined,
  isDatabaseShared: boolean,
): Promise<CheckResult> {
  const file = join(dataDir, "secret");
  const fileStatus = await stat(file).catch(ignoreNotFound);
  if (configuredSecrets === undefined && fileStatus === undefined) return await checkMissingSecret(file, database);
  const secrets = await readSecrets(dataDir, configuredSecrets, () => "");
  if (configuredSecrets === undefined && isDatabaseShared)
    return createWarning(
      `VITRINE_SECRET is not set, so every server on this database signs with its own ${file}: set VITRINE_SECRET to the content of this file, on all servers.`,
    );
  if (fileStatus !== undefined && process.platform !== "win32" && (fileStatus.mode & OTHER_USERS_MODE_BITS) !== 0)
    return createWarning(`other users of this machine can read ${file}: run "chmod 600 ${file}".`);
  const fileSecret = fileStatus === undefined ? undefined : (await readFile(file, "utf8")).trim();
  if (fileSecret !== undefined && !fileSecret.split(",").some((secret) => secrets.includes(secret.trim())))
    return createWarning(
      `VITRINE_SECRET lacks the key in ${file}, so cookies and links that it signed are invalid: add it to VITRINE_SECRET after a comma, or delete the file.`,
    );
  return createSuccess(configuredSecrets === undefined ? file : "VITRINE_SECRET");
}

async function checkMissingSecret(file: string, database: Database | undefined): Promise<CheckResult> {
  const [cart] = (await database?.read("SELECT 1 AS one FROM carts LIMIT 1")) ?? [];
  if (cart === undefined) return createSuccess("the first start creates data/secret");
  return createWarning(
    `${file} is missing and VITRINE_SECRET is not set, so the next start signs with a new key, and visitors lose their carts and links: restore the file from a backup, or set VITRINE_SECRET.`,
  );
}
