import { globSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build, type Plugin, stop } from "esbuild";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** URL of a module that a thread runs, or that a process loads by its URL. It has the extension of its importer. */
const moduleUrl = /new URL\(`([^`$]+)\$\{extname\(import\.meta\.url\)\}`, import\.meta\.url\)/g;

/**
 * Bundles the server with its threads, because a process loads a few large files in half of the time that a thousand
 * modules take.
 * @param folder destination, which is emptied
 * @returns path of the bundled `main.ts`
 */
export async function bundleServer(folder: string): Promise<string> {
  rmSync(folder, { recursive: true, force: true });
  const loadedByUrl = globSync("src/**/*.ts", { cwd: root }).flatMap((path) =>
    Array.from(readFileSync(join(root, path), "utf8").matchAll(moduleUrl), ([, module]) =>
      join(dirname(path), `${module}.ts`),
    ),
  );
  const locate = (path: string): string => join(folder, path.slice(root.length).replace(/\.ts$/, ".mjs"));
  await build({
    absWorkingDir: root,
    entryPoints: ["src/main.ts", ...loadedByUrl],
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
  return locate(join(root, "src/main.ts"));
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
        const contents = readFileSync(path, "utf8")
          .replaceAll(
            moduleUrl,
            (_, module: string) => `new URL(${quoteUrl(locate(join(dirname(path), `${module}.ts`)))})`,
          )
          .replaceAll("import.meta.url", quoteUrl(path))
          .replaceAll("import.meta.dirname", JSON.stringify(dirname(path)));
        return { contents, loader: "ts" };
      });
    },
  };
}

function quoteUrl(path: string): string {
  return JSON.stringify(pathToFileURL(path).href);
}
