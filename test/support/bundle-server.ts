import { globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build, type Plugin, stop } from "esbuild";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** URL of a module that a thread runs, or that a process loads by its URL. It has the extension of its importer. */
const moduleUrl = /new URL\(`([^`$]+)\$\{extname\(import\.meta\.url\)\}`, import\.meta\.url\)/g;

export interface Bundle {
  /** Path of the bundled `main.ts`. */
  readonly main: string;
  /** Path of a module for `node --import`: threads that source files start load the bundle. */
  readonly useInThreads: string;
}

/**
 * Bundles the server with its threads, because a process or thread loads a few large files in half of the time that a
 * thousand modules take.
 * @param folder destination, which is emptied
 */
export async function bundleServer(folder: string): Promise<Bundle> {
  rmSync(folder, { recursive: true, force: true });
  const importers = globSync("src/**/*.ts", { cwd: root }).flatMap((path) => {
    const source = readFileSync(join(root, path), "utf8");
    const modules = Array.from(source.matchAll(moduleUrl), ([, module]) => join(dirname(path), `${module}.ts`));
    return modules.length === 0 ? [] : [{ path, source, modules }];
  });
  const locate = (path: string): string => join(folder, path.slice(root.length).replace(/\.ts$/, ".mjs"));
  await build({
    absWorkingDir: root,
    entryPoints: ["src/main.ts", ...importers.flatMap(({ modules }) => modules)],
    outdir: folder,
    outbase: root,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    logLevel: "warning",
    plugins: [externalPackages, fixLocations(locate)],
  });
  await stop();
  const sources = importers.map(({ path, source }) => [
    pathToFileURL(join(root, path)).href,
    locateModules(path === databaseThreads ? reuseThreads(source) : source, dirname(join(root, path)), locate),
  ]);
  const useInThreads = join(folder, "use-in-threads.mjs");
  writeFileSync(
    useInThreads,
    useBundle.replace("SOURCES", () => JSON.stringify(sources)),
  );
  return { main: locate(join(root, "src/main.ts")), useInThreads };
}

/** Text of the module for `node --import`. It replaces only those source files that contain such a URL. */
const useBundle = `import { registerHooks } from "node:module";
import { isMainThread } from "node:worker_threads";
const sources = new Map(SOURCES);
if (isMainThread)
  registerHooks({
    load(url, context, nextLoad) {
      const source = sources.get(url);
      return source === undefined ? nextLoad(url, context) : { format: "module-typescript", source, shortCircuit: true };
    },
  });
`;

/** Source file that starts the threads of a SQLite database. */
const databaseThreads = "src/storage/sqlite/link.ts";

/** Replaces the class of the threads that a source file starts. */
function reuseThreads(source: string): string {
  const [before, after, ...more] = source.split(`, Worker } from "node:worker_threads";`);
  if (before === undefined || after === undefined || more.length > 0) throw new Error("found no import of threads");
  const file = pathToFileURL(join(root, "test/support/reused-thread.ts")).href;
  return `${before} } from "node:worker_threads"; import { ReusedThread as Worker } from "${file}";${after}`;
}

/** Leaves packages of the registry out of the bundle, because some load their files by paths. */
const externalPackages: Plugin = {
  name: "external packages",
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === "entry-point" || path.startsWith("@vitrine/") ? undefined : { path, external: true },
    );
  },
};

/**
 * Lets modules find data files next to their source files, and other modules in the bundle.
 * @param locate returns the path of a module in the bundle
 */
function fixLocations(locate: (sourceFile: string) => string): Plugin {
  return {
    name: "locations",
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const contents = locateModules(readFileSync(path, "utf8"), dirname(path), locate)
          .replaceAll("import.meta.url", quoteUrl(path))
          .replaceAll("import.meta.dirname", JSON.stringify(dirname(path)));
        return { contents, loader: "ts" };
      });
    },
  };
}

/** Replaces the URLs of threads and of modules that are loaded later, so that the source file loads their bundles. */
function locateModules(source: string, folder: string, locate: (sourceFile: string) => string): string {
  return source.replaceAll(
    moduleUrl,
    (_, module: string) => `new URL(${quoteUrl(locate(join(folder, `${module}.ts`)))})`,
  );
}

function quoteUrl(path: string): string {
  return JSON.stringify(pathToFileURL(path).href);
}
