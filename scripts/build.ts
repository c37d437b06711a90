// Builds what the package holds of the code, `dist/`: scripts without comments, and the declarations that its entrances lead to, with theirs; as short as it is read well. `npm run build`
import { spawnSync } from "node:child_process";
import { copyFileSync, globSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { keepNeededDeclarations } from "./needed-declarations.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");

rmSync(dist, { recursive: true, force: true });
// What is wrong is told by the second.
compile("--declaration", "false", "--removeComments", "--noCheck");
compile("--emitDeclarationOnly");
copyFileSync(join(root, "src/storage/schema.sql"), join(dist, "storage/schema.sql"));
const declarations = globSync("**/*.d.ts", { cwd: dist }).map((name) => join(dist, name));
keepNeededDeclarations(declarations, [join(dist, "index.d.ts"), join(dist, "client/client.d.ts")]);
// Of modules that declare types alone nothing is left, and nobody imports them.
for (const name of globSync("**/*.js", { cwd: dist }))
  if (readFileSync(join(dist, name), "utf8").trim() === "export {};") rmSync(join(dist, name));
// The compiler indents by four blanks, which are a tenth of all.
run(
  "@biomejs/biome/bin/biome",
  "format",
  "--write",
  "--log-level=error",
  `--config-path=${join(root, "scripts/dist.biome.json")}`,
  dist,
);

function compile(...options: readonly string[]): void {
  run("typescript/bin/tsc", "-p", join(root, "tsconfig.build.json"), ...options);
}

function run(bin: string, ...args: readonly string[]): void {
  const { status } = spawnSync(process.execPath, [join(root, "node_modules", bin), ...args], { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
