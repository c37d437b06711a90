import { fileURLToPath } from "node:url";

/** The path of a file of this package. */
export function packagePath(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}
