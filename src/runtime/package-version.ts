import { readFileSync } from "node:fs";

const file = new URL("../../package.json", import.meta.url);

/** Returns the version of Vitrine, such as "0.1.0". */
export function readPackageVersion(): string {
  return (JSON.parse(readFileSync(file, "utf8")) as { readonly version: string }).version;
}
