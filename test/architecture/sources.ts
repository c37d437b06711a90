import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));
export const read = (file: string): string => readFileSync(join(root, file), "utf8");
export const all = globSync(
  ["{src,test,bench,scripts}/**/*.{ts,js}", "packages/*/{src,generated,test,bench,examples}/**/*.{ts,js}"],
  { cwd: root },
);
/** Files that run in production, without tests and files that only tests import. */
export const production = all.filter(
  (file) => /^(?:src|packages\/[\w-]+\/(?:src|generated))\//.test(file) && !isForTests(file),
);

/** Modules that users of the packages import. */
export const entryPoints = [
  "src/index.ts",
  ...globSync("packages/*/package.json", { cwd: root }).flatMap(entryPointsOf),
];

function entryPointsOf(manifest: string): readonly string[] {
  const { exports } = JSON.parse(read(manifest)) as { readonly exports: Readonly<Record<string, string>> };
  return Object.values(exports).map((entry) => join(dirname(manifest), entry));
}

export function isForTests(file: string): boolean {
  return /^test\/|\.(test|fixture)\.ts$/.test(file);
}
