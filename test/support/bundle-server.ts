import { readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Modules that start a process or a thread, and the module that configuration files import as "vitrine". */
const entryPoints = [
  "src/main.ts",
  "src/index.ts",
  "src/dev/check-worker.ts",
  "src/import/import-edits.ts",
  "src/snapshot/delta-worker.ts",
  "src/snapshot/worker.ts",
  "src/storage/sqlite/worker.ts",
  "src/threads/loop-worker.ts",
];

/**
 * Bundles the server, because a process or thread loads a few large files in half of the time that a thousand modules
 * take.
 * @param folder destination, which is emptied
 * @returns path of a module for `node --require`. Processes and threads whose entry point is a source file of the server
 *   then load its bundle
 */
export async function bundleServer(folder: string): Promise<string> {
  await rm(folder, { recursive: true, force: true });
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints,
    outdir: folder,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    metafile: true,
    logLevel: "warning",
    plugins: [externalPackages, sourceLocations],
  });
  const bundles = Object.entries(metafile.outputs).flatMap(([path, { entryPoint = "" }]) =>
    entryPoints.includes(entryPoint) ? [[urlOf(entryPoint), urlOf(path)]] : [],
  );
  const file = join(folder, "load-bundle.cjs");
  await writeFile(
    file,
    loadBundle.replace("BUNDLES", () => JSON.stringify(bundles)),
  );
  return file;
}

/** Text of the module for `--require`. In the main thread of other programs, it has no effect. */
const loadBundle = `const { registerHooks } = require("node:module");
const { pathToFileURL } = require("node:url");
const { isMainThread } = require("node:worker_threads");
const bundles = new Map(BUNDLES);
if (!isMainThread || (process.argv[1] !== undefined && bundles.has(pathToFileURL(process.argv[1]).href)))
  registerHooks({
    load(url, context, nextLoad) {
      const bundle = bundles.get(url);
      if (bundle === undefined) return nextLoad(url, context);
      return { format: "module", shortCircuit: true, source: \`export * from "\${bundle}";\` };
    },
  });
`;

/** Leaves packages of the registry out of the bundle, because some load their files by paths. */
const externalPackages: Plugin = {
  name: "external packages",
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === "entry-point" || path.startsWith("@vitrine/") ? undefined : { path, external: true },
    );
  },
};

/** Keeps the locations of source files, from which modules find data files and threads. */
const sourceLocations: Plugin = {
  name: "source locations",
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      const contents = text
        .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path).href))
        .replaceAll("import.meta.dirname", JSON.stringify(dirname(path)));
      return { contents, loader: "ts" };
    });
  },
};

/** Returns the URL of a file.  @param path relative to the repository */
function urlOf(path: string): string {
  return pathToFileURL(join(root, path)).href;
}
