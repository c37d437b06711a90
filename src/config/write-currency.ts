import { readFileSync, writeFileSync } from "node:fs";
import { configFile } from "./store-folder.ts";

/** Writes the currency into a store's settings where they name one in so many letters. @returns false where they do not, and nothing was written */
export function writeCurrency(storeDir: string, currency: string): boolean {
  const file = configFile(storeDir);
  if (file === undefined) return false;
  const text = readFileSync(file, "utf8");
  const places = [...text.matchAll(/(?<=^|[\s{,])(currency\s*:\s*)(["'])[A-Z]{3}\2/g)];
  if (places.length !== 1) return false;
  writeFileSync(
    file,
    text.replace(places[0]?.[0] ?? "", (written) => written.replace(/[A-Z]{3}/, currency)),
  );
  return true;
}
