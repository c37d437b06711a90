import { registerHooks } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { SetupError } from "../setup-error.ts";

/** A loaded version of the merchant's code, including all modules that it imports from the store folder. */
export interface CodeGeneration {
  /** Store folder. Modules outside it are not reloaded. */
  readonly dir: string;
  /** Number of the version. Each version has its own copy of every module. */
  readonly number: number;
  /** Paths of all loaded files. Each import adds the files that it loads. */
  readonly files: Set<string>;
}

/**
 * Imports a file of the merchant's code. Its imports of "vitrine" resolve to this package, wherever the store is.
 * @param version version of the code: a new string reloads only the file, a new generation also reloads its imports
 * @returns the default export
 * @throws SetupError that names the file, and the line if known
 */
export async function importDefault(
  file: string,
  missing: string,
  anew: string | CodeGeneration = "",
): Promise<unknown> {
  const stamp = typeof anew === "string" ? anew : stampOf(anew);
  const href = pathToFileURL(file).href + (stamp === "" ? "" : `?${stamp}`);
  const resolving = resolvePackageName(href, typeof anew === "string" ? undefined : anew);
  try {
    const loaded: { readonly default?: unknown } = await import(href);
    if (loaded.default === undefined) throw new SetupError(`${file}: ${missing}.`);
    return loaded.default;
  } catch (error) {
    if (error instanceof SetupError) throw error;
    const { message, stack = "" } = error instanceof Error ? error : new Error(String(error));
    const line = new RegExp(`${RegExp.escape(href)}:\\d+`).exec(stack)?.[0].slice(href.length) ?? "";
    const where = line === "" ? "Correct the file" : "Check that line and the line before it";
    throw new SetupError(`${file}${line}: cannot be read: ${message.replace(/\.?$/, "")}. ${where}.`);
  } finally {
    resolving.deregister();
  }
}

function stampOf({ number }: CodeGeneration): string {
  return `generation=${number}`;
}

function resolvePackageName(file: string, generation?: CodeGeneration): { deregister(): void } {
  const folder = generation === undefined ? "" : pathToFileURL(`${generation.dir}/`).href;
  const self = new URL(import.meta.url.endsWith(".ts") ? "../index.ts" : "../index.js", import.meta.url).href;
  return registerHooks({
    resolve(specifier, context, next) {
      if (specifier === "vitrine") return { url: self, shortCircuit: true };
      const found = next(specifier, context);
      // The file is loaded as TypeScript, so that syntax errors have a line number. A store folder needs no
      // package.json.
      const typed = found.url === file ? { ...found, format: "module-typescript" } : found;
      const isMerchantFile = found.url.startsWith(folder) && !found.url.includes("/node_modules/");
      if (generation === undefined || !isMerchantFile) return typed;
      generation.files.add(fileURLToPath(found.url.replace(/\?.*$/, "")));
      return { ...typed, url: found.url === file ? file : `${found.url}?${stampOf(generation)}` };
    },
  });
}
