import type { Database } from "../database.ts";

/**
 * Compares the currency of the stored prices with that of the settings. Records the latter if none is stored.
 * @param currency currency of the settings
 * @returns a warning if the currencies differ, otherwise undefined
 */
export async function checkCatalogCurrency(database: Database, currency: string): Promise<string | undefined> {
  const storedCurrency = String((await database.read("SELECT currency FROM catalog_state"))[0]?.currency);
  if (storedCurrency === "") await saveCatalogCurrency(database, currency);
  if (["", currency].includes(storedCurrency)) return undefined;
  return `the prices in the database are in ${storedCurrency}, and the settings have the currency ${currency}: set "currency" to "${storedCurrency}", or import all products in ${currency} with "vitrine import --prune"`;
}

/** Records the currency of the stored prices, if there are any. */
export async function saveCatalogCurrency(database: Database, currency: string): Promise<void> {
  const sql = "UPDATE catalog_state SET currency = $1 WHERE EXISTS (SELECT 1 FROM catalog_rows WHERE kind = 'product')";
  await database.write([{ sql, params: [currency] }]);
}
