import { SetupError } from "../setup-error.ts";
import { checkCatalogCurrency } from "../storage/catalog/catalog-currency.ts";
import { readCatalogState } from "../storage/catalog/catalog-store.ts";
import { type CatalogResources, createImporter } from "./catalog.ts";
import { describeCatalogFile, listStoreFiles } from "./catalog-files.ts";
import { createImportReport } from "./reading-report.ts";
import { listErrors } from "./row-errors.ts";

/**
 * Imports a store's `catalog/` into a database without a catalog.
 * @throws SetupError that lists the errors of the files
 */
export async function importNewStore(
  parts: CatalogResources & { readonly storeDir: string },
  onNotice?: (text: string) => void,
): Promise<void> {
  const { database, storeDir, currency } = parts;
  const fileError = await describeCatalogFile(storeDir);
  if ((await readCatalogState(database)).revision > 0) {
    if (fileError !== undefined) onNotice?.(`${fileError}. The shop keeps its products.`);
    const currencyWarning = await checkCatalogCurrency(database, currency);
    if (currencyWarning !== undefined) onNotice?.(`Warning: ${currencyWarning}.`);
    return;
  }
  if (fileError !== undefined) throw new SetupError(`${fileError}.`);
  const files = await listStoreFiles(storeDir);
  if (files.length === 0) return;
  onNotice?.(`Importing ${storeDir}/catalog into an empty database.`);
  const { onNote, onFile, lines } = createImportReport();
  const outcome = await createImporter(parts).apply({ files, onNote, onFile }, "full", { name: "start" });
  for (const line of lines(currency)) onNotice?.(line);
  if (outcome.kind === "errors")
    throw new SetupError(
      ["the catalog has errors, so nothing was imported:", ...listErrors(outcome.errors)].join("\n"),
    );
  await checkCatalogCurrency(database, currency);
}
