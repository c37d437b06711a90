// Builds what the package holds of the code, `dist/`: scripts without comments, and the declarations that its entrances lead to, with theirs. `npm run build`
import { spawnSync } from "node:child_process";
import { globSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");

rmSync(dist, { recursive: true, force: true });
// What is wrong is told by the second.
compile("--declaration", "false", "--removeComments", "--noCheck");
compile("--emitDeclarationOnly");
const kept = new Set<string>();
for (const entrance of ["index.d.ts", "client/client.d.ts"]) keep(join(dist, entrance));
for (const file of globSync("**/*.d.ts", { cwd: dist }).map((name) => join(dist, name)))
  if (!kept.has(file)) rmSync(file);

function compile(...options: readonly string[]): void {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const { status } = spawnSync(process.execPath, [tsc, "-p", join(root, "tsconfig.build.json"), ...options], {
    stdio: "inherit",
  });
  if (status !== 0) process.exit(status ?? 1);
}

/** Keeps a file of declarations, and those that it imports. */
function keep(file: string): void {
  if (kept.has(file)) return;
  kept.add(file);
  const text = readFileSync(file, "utf8").replaceAll(/\/\*[\s\S]*?\*\//g, "");
  for (const [, from = ""] of text.matchAll(/(?:from|import\()\s*"(\.[^"]+)"/g))
    keep(join(dirname(file), from.replace(/\.[jt]s$/, ".d.ts")));
}
