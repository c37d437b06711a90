import { createInterface } from "node:readline";
import { writeSettings } from "../config/setting-line.ts";
import { openFile } from "../import/formats/read-file.ts";
import type { CatalogFile } from "../import/read-catalog.ts";
import { isCurrency } from "../pricing/money.ts";
import { SetupError } from "../setup-error.ts";
import type { CommandIo } from "./io.ts";

/**
 * Asks the user of a terminal for the currency if the files do not state one. If the answer differs from the currency
 * in the store's settings, writes it to the settings.
 * @returns the currency of the store
 */
export async function askCurrency(
  storeDir: string,
  currency: string,
  files: readonly CatalogFile[],
  io: CommandIo,
): Promise<string> {
  const { stdin } = io;
  if (stdin?.isTTY !== true) return currency;
  const file = await findFileWithoutCurrency(files, currency);
  if (file === undefined) return currency;
  const lines = createInterface({ input: stdin });
  const printPrompt = (): boolean =>
    io.stderr.write(`${file} has no currency. Enter the currency of its prices [${currency}]: `);
  try {
    printPrompt();
    for await (const answer of lines) {
      const code = answer.trim().toUpperCase() || currency;
      if (code === currency) return currency;
      if (!isCurrency(code)) {
        io.stderr.write(`"${code.slice(0, 20)}" is not a currency: use three letters, like EUR.\n`);
        printPrompt();
        continue;
      }
      if (!writeSettings(storeDir, [{ path: ["currency"], value: code }]))
        throw new SetupError(
          `set "currency" in the settings of ${storeDir} to ${code}, and import again. Nothing was imported.`,
        );
      io.stderr.write(`The store's settings now have the currency ${code}. Restart a running server.\n`);
      return code;
    }
    throw new SetupError("no currency was entered. Nothing was imported.");
  } finally {
    lines.close();
  }
}

/** Returns the name of the first file that does not state a currency, or undefined. */
async function findFileWithoutCurrency(files: readonly CatalogFile[], currency: string): Promise<string | undefined> {
  for (const { path, name } of files) {
    // Unreadable files are reported later, by the import.
    const openedFile = await openFile(path, { currency, now: 0 }).catch(() => undefined);
    if (openedFile !== undefined && "values" in openedFile && openedFile.summary().isCurrencyAssumed) return name;
  }
  return undefined;
}
