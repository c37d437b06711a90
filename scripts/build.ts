// Builds the published packages: `dist/` of the server and of each package under `packages/`. Usage: `npm run build`,
// or `node scripts/build.ts <package> <folder>` to build one package into another folder.
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { keepNeededDeclarations } from "./needed-declarations.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

interface Manifest {
  /** Source file by subpath of the package. */
  readonly exports: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

const [selectedPackage, targetFolder] = process.argv.slice(2);
if (selectedPackage !== undefined && targetFolder !== undefined)
  buildPackage(join(root, "packages", selectedPackage), targetFolder);
else {
  for (const manifest of globSync("packages/*/package.json", { cwd: root }).sort()) {
    const folder = join(root, manifest, "..");
    buildPackage(folder, join(folder, "dist"));
  }
  compile(root, "src", join(root, "dist"), ["index.d.ts", "client.d.ts"]);
  for (const file of ["storage/schema.sql", ...globSync("{,console/}messages/*.json", { cwd: join(root, "src") })]) {
    mkdirSync(dirname(join(root, "dist", file)), { recursive: true });
    const text = readFileSync(join(root, "src", file), "utf8");
    // Without indentation, the messages of all languages are smaller by about 100 kB.
    writeFileSync(join(root, "dist", file), file.endsWith(".json") ? JSON.stringify(JSON.parse(text)) : text);
  }
}

/**
 * Writes the folder that npm publishes. In the repository, the entry points of a package are source files. In `dist/`,
 * they are compiled files.
 */
function buildPackage(folder: string, dist: string): void {
  // "private" only prevents that the sources are published.
  const {
    exports: sources,
    private: _,
    ...manifest
  } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
  const entries = Object.entries(sources).map(([name, source]) => [name, source.replace(/\.ts$/, "")] as const);
  compile(
    folder,
    ".",
    dist,
    entries.map(([, entry]) => `${entry}.d.ts`),
  );
  const exports = entries.map(([name, entry]) => [name, { types: `${entry}.d.ts`, default: `${entry}.js` }] as const);
  const publishedManifest = { ...manifest, exports: Object.fromEntries(exports) };
  writeFileSync(join(dist, "package.json"), `${JSON.stringify(publishedManifest, null, 2)}\n`);
  copyFileSync(join(root, "LICENSE"), join(dist, "LICENSE"));
  if (existsSync(join(folder, "README.md"))) copyFileSync(join(folder, "README.md"), join(dist, "README.md"));
}

/**
 * Compiles a folder to `dist`: scripts without comments, and the declarations that the entry points need.
 * @param rootDir source folder that becomes `dist`
 * @param entries declaration files of the entry points, in `dist`
 */
function compile(folder: string, rootDir: string, dist: string, entries: readonly string[]): void {
  rmSync(dist, { recursive: true, force: true });
  const project = join(folder, "tsconfig.build.json");
  const options = ["-p", project, "--rootDir", join(folder, rootDir), "--outDir", dist];
  // Both runs skip the check of types, which `npm run typecheck` makes for all packages.
  runNode("typescript/bin/tsc", ...options, "--declaration", "false", "--removeComments", "--noCheck");
  runNode("typescript/bin/tsc", ...options, "--emitDeclarationOnly", "--noCheck");
  const declarations = globSync("**/*.d.ts", { cwd: dist }).map((name) => join(dist, name));
  keepNeededDeclarations(
    declarations,
    entries.map((entry) => join(dist, entry)),
  );
  // A module that only declares types compiles to an empty file, which nothing imports.
  for (const name of globSync("**/*.js", { cwd: dist }))
    if (readFileSync(join(dist, name), "utf8").trim() === "export {};") rmSync(join(dist, name));
  // The compiler indents by four spaces, which adds a tenth of the size.
  const config = `--config-path=${join(root, "scripts/dist.biome.json")}`;
  runNode("@biomejs/biome/bin/biome", "format", "--write", "--log-level=error", config, dist);
}

function runNode(bin: string, ...args: readonly string[]): void {
  const { status } = spawnSync(process.execPath, [join(root, "node_modules", bin), ...args], { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
