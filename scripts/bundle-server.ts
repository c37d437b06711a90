// Bundles the server, because a process or thread loads a few large files in less time and memory than a thousand modules.
import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "esbuild";
import { bundle } from "./bundle.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const sourceFolder = join(root, "src");

/** URL of a module that a thread runs, or that a process loads by its URL. It has the extension of its importer. */
const moduleUrl = /new URL\(`([^`$]+)\$\{extname\(import\.meta\.url\)\}`, import\.meta\.url\)/g;
/** Such a URL, or another use of the location of a source file. */
const sourceLocation = new RegExp(`${moduleUrl.source}|import\\.meta\\.(url|dirname)`, "g");

export interface BundleOptions {
  /** Folder of the bundle. All its scripts are in this folder, without subfolders. */
  readonly folder: string;
  /** Extension of the scripts, such as ".js". */
  readonly extension: string;
  /** Paths of entry points below `src/`, in addition to the modules that are loaded by their URLs. */
  readonly entries: readonly string[];
  /** Whether packages of this repository are in the bundle. Packages of the registry are not, because some load their files by paths. */
  readonly includesWorkspaces: boolean;
  /** Returns code for the URL of a source file, by which the file locates data.  @param path path below `src/` */
  formatSourceUrl(path: string): string;
  /** Returns code for the path of the folder of a source file.  @param path path below `src/` */
  formatSourceFolder(path: string): string;
  /** Returns code for the URL of a script in the bundle.  @param name "storage-sqlite-worker.js" */
  formatScriptUrl(name: string): string;
}

/** @returns the source files that load modules by their URLs, as they load them from the bundle: absolute path and text */
export async function bundleServer(options: BundleOptions): Promise<ReadonlyMap<string, string>> {
  const { folder, extension, entries, includesWorkspaces } = options;
  const importers = new Map<string, string>();
  const modules = new Set(entries);
  for (const path of globSync("**/*.ts", { cwd: sourceFolder })) {
    const source = readFileSync(join(sourceFolder, path), "utf8");
    const moduleUrls = Array.from(source.matchAll(moduleUrl), ([, module = ""]) => module);
    if (moduleUrls.length === 0) continue;
    for (const module of moduleUrls) modules.add(join(dirname(path), `${module}.ts`));
    importers.set(join(sourceFolder, path), locateModules(source, path, options));
  }
  await bundle({
    absWorkingDir: root,
    entryPoints: Array.from(modules, (path) => ({ in: join("src", path), out: formatName(path) })),
    outdir: folder,
    outExtension: { ".js": extension },
    platform: "node",
    plugins: [excludePackages(includesWorkspaces), replaceLocations(options)],
  });
  return importers;
}

/** Returns the name of a script of the bundle, without extension: "storage-sqlite-worker" for "storage/sqlite/worker.ts". */
function formatName(path: string): string {
  return path.replace(/\.ts$/, "").replaceAll(/[\\/]/g, "-");
}

/** Replaces the URLs of modules in the text of a source file.  @param path path below `src/` */
function locateModules(source: string, path: string, options: BundleOptions): string {
  return source.replaceAll(moduleUrl, (_, module: string) => locateModule(module, path, options));
}

/** Returns code for the URL of a module that the source file at `path` loads by its URL. */
function locateModule(module: string, path: string, { extension, formatScriptUrl }: BundleOptions): string {
  return formatScriptUrl(`${formatName(join(dirname(path), module))}${extension}`);
}

function excludePackages(includesWorkspaces: boolean): Plugin {
  return {
    name: "external packages",
    setup({ onResolve }) {
      onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
        kind === "entry-point" || (includesWorkspaces && path.startsWith("@vitrine/"))
          ? undefined
          : { path, external: true },
      );
    },
  };
}

/** Lets source files of the bundle find data files and other modules. */
function replaceLocations(options: BundleOptions): Plugin {
  return {
    name: "locations",
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const source = readFileSync(path, "utf8");
        if (!source.includes("import.meta")) return undefined;
        const sourcePath = relative(sourceFolder, path);
        // The replacements contain `import.meta`, too, so all are made at once.
        const contents = source.replaceAll(sourceLocation, (_, module: string | undefined, property?: string) => {
          if (module !== undefined) return locateModule(module, sourcePath, options);
          return property === "url" ? options.formatSourceUrl(sourcePath) : options.formatSourceFolder(sourcePath);
        });
        return { contents, loader: "ts" };
      });
    },
  };
}
