// Builds the published packages: `dist/` of the server and of each package under `packages/`. Usage: `npm run build`,
// or `node scripts/build.ts <package> <folder>` to build one package into another folder.
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { codeHashFile, computeCodeHash } from "../src/snapshot/index-files.ts";
import { bundle } from "./bundle.ts";
import { bundleServer } from "./bundle-server.ts";
import { keepNeededDeclarations } from "./needed-declarations.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

interface Manifest {
  /** Source file by subpath of the package. */
  readonly exports: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

const [selectedPackage, targetFolder] = process.argv.slice(2);
if (selectedPackage !== undefined && targetFolder !== undefined)
  await buildPackage(join(root, "packages", selectedPackage), targetFolder);
else {
  for (const manifest of globSync("packages/*/package.json", { cwd: root }).sort()) {
    const folder = join(root, manifest, "..");
    await buildPackage(folder, join(folder, "dist"));
  }
  await buildServer(join(root, "dist"));
}

async function buildServer(dist: string): Promise<void> {
  rmSync(dist, { recursive: true, force: true });
  const scriptUrl = (path: string): string => `new URL(${JSON.stringify(`./${path}`)}, import.meta.url)`;
  await bundleServer({
    folder: dist,
    extension: ".js",
    entries: ["main.ts", "index.ts", "client.ts"],
    includesWorkspaces: false,
    // Data files have the same paths in `dist/` as in `src/`.
    formatSourceUrl: (path) => `${scriptUrl(path.replace(/\.ts$/, ".js"))}.href`,
    formatSourceFolder: (path) => `\`\${import.meta.dirname}/${dirname(path)}\``,
    formatScriptUrl: scriptUrl,
  });
  declare(root, "src", dist, ["index.d.ts", "client.d.ts"]);
  for (const file of ["storage/schema.sql", ...globSync("{,console/}messages/*.json", { cwd: join(root, "src") })]) {
    const text = readFileSync(join(root, "src", file), "utf8");
    // Without indentation, the messages of all languages are smaller by about 100 kB.
    writeData(join(dist, file), file.endsWith(".json") ? JSON.stringify(JSON.parse(text)) : text);
  }
  writeData(join(dist, "snapshot", codeHashFile), computeCodeHash());
}

function writeData(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/**
 * Writes the folder that npm publishes. In the repository, the entry points of a package are source files. In `dist/`,
 * they are compiled files.
 */
async function buildPackage(folder: string, dist: string): Promise<void> {
  rmSync(dist, { recursive: true, force: true });
  // "private" only prevents that the sources are published.
  const {
    exports: sources,
    private: _,
    ...manifest
  } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
  await bundle({
    absWorkingDir: folder,
    entryPoints: Object.values(sources),
    outdir: dist,
    outbase: folder,
    chunkNames: "src/[name]-[hash]",
    platform: "neutral",
    packages: "external",
  });
  const entries = Object.entries(sources).map(([name, source]) => [name, source.replace(/\.ts$/, "")] as const);
  declare(
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
 * Writes the declarations that the entry points need.
 * @param rootDir source folder that becomes `dist`
 * @param entries declaration files of the entry points, in `dist`
 */
function declare(folder: string, rootDir: string, dist: string, entries: readonly string[]): void {
  const project = join(folder, "tsconfig.build.json");
  const output = ["--rootDir", join(folder, rootDir), "--outDir", dist, "--emitDeclarationOnly"];
  // The types are not checked, because `npm run typecheck` checks those of all packages. Without checks, more threads
  // save no time.
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const { status } = spawnSync(process.execPath, [tsc, "-p", project, ...output, "--noCheck", "--singleThreaded"], {
    stdio: "inherit",
  });
  if (status !== 0) process.exit(status ?? 1);
  const declarations = globSync("**/*.d.ts", { cwd: dist }).map((name) => join(dist, name));
  keepNeededDeclarations(
    declarations,
    entries.map((entry) => join(dist, entry)),
  );
}
