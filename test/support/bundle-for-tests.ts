import { rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { stop } from "esbuild";
import { bundleServer } from "../../scripts/bundle-server.ts";

const sourceFolder = fileURLToPath(new URL("../../src", import.meta.url));

export interface TestBundle {
  /** Path of the bundled `main.ts`. */
  readonly main: string;
  /** Path of a module for `node --import`: threads that source files start load the bundle. */
  readonly useInThreads: string;
}

/**
 * Bundles the server, as in the package, for the processes and threads that tests start. Data files remain those of the
 * sources.
 * @param folder destination, which is emptied
 */
export async function bundleForTests(folder: string): Promise<TestBundle> {
  rmSync(folder, { recursive: true, force: true });
  const importers = await bundleServer({
    folder,
    extension: ".mjs",
    entries: ["main.ts"],
    includesWorkspaces: true,
    formatSourceUrl: (path) => quoteUrl(join(sourceFolder, path)),
    formatSourceFolder: (path) => JSON.stringify(dirname(join(sourceFolder, path))),
    formatScriptUrl: (name) => `new URL(${quoteUrl(join(folder, name))})`,
  });
  // Otherwise, the process of esbuild would run until the end of the tests.
  await stop();
  const sources = Array.from(importers, ([path, source]) => [
    pathToFileURL(path).href,
    path === databaseThreads ? reuseThreads(source) : source,
  ]);
  const useInThreads = join(folder, "use-in-threads.mjs");
  writeFileSync(
    useInThreads,
    useBundle.replace("SOURCES", () => JSON.stringify(sources)),
  );
  return { main: join(folder, "main.mjs"), useInThreads };
}

/** Text of the module for `node --import`. It replaces only those source files that load modules by their URLs. */
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
const databaseThreads = join(sourceFolder, "storage/sqlite/link.ts");

/** Replaces the class of the threads that a source file starts. */
function reuseThreads(source: string): string {
  const [before, after, ...more] = source.split(`, Worker } from "node:worker_threads";`);
  if (before === undefined || after === undefined || more.length > 0) throw new Error("found no import of threads");
  const file = new URL("reused-thread.ts", import.meta.url).href;
  return `${before} } from "node:worker_threads"; import { ReusedThread as Worker } from "${file}";${after}`;
}

function quoteUrl(path: string): string {
  return JSON.stringify(pathToFileURL(path).href);
}
