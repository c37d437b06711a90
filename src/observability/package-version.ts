import { readFileSync } from "node:fs";

const file = new URL("../../package.json", import.meta.url);

/** The version of Vitrine: "0.1.0". */
export function packageVersion(): string {
  return (JSON.parse(readFileSync(file, "utf8")) as { readonly version: string }).version;
}
