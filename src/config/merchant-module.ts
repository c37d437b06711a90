import { registerHooks } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { SetupError } from "../setup-error.ts";

/** The merchant's own code as it was at one time, with all that it imports from the store's folder. */
export interface CodeGeneration {
  /** The store's folder: what is imported from elsewhere stays as it was. */
  readonly dir: string;
  /** Each number has its own copy of every module. */
  readonly number: number;
  /** Paths of the files that it is made of, filled in as they are imported. */
  readonly files: Set<string>;
}

/** Imports a file of the merchant's own code. "vitrine" in it is this very package, wherever the store's folder is.
 *  @param anew another stamp reads the file anew, where it was imported before; another generation what it imports, too
 *  @returns what it exports by default  @throws SetupError that names the file, and the line where it is known */
export async function importDefault(
  file: string,
  missing: string,
  anew: string | CodeGeneration = "",
): Promise<unknown> {
  const stamp = typeof anew === "string" ? anew : stampOf(anew);
  const href = pathToFileURL(file).href + (stamp === "" ? "" : `?${stamp}`);
  const resolving = resolveOwnName(href, typeof anew === "string" ? undefined : anew);
  try {
    const loaded: { readonly default?: unknown } = await import(href);
    if (loaded.default === undefined) throw new SetupError(`${file}: ${missing}.`);
    return loaded.default;
  } catch (error) {
    if (error instanceof SetupError) throw error;
    const { message, stack = "" } = error instanceof Error ? error : new Error(String(error));
    const line = new RegExp(`${RegExp.escape(href)}:\\d+`).exec(stack)?.[0].slice(href.length) ?? "";
    const where = line === "" ? "Correct the file" : "Look at that line and the one before it";
    throw new SetupError(`${file}${line}: cannot be read: ${message.replace(/\.?$/, "")}. ${where}.`);
  } finally {
    resolving.deregister();
  }
}

function stampOf({ number }: CodeGeneration): string {
  return `generation=${number}`;
}

function resolveOwnName(file: string, generation?: CodeGeneration): { deregister(): void } {
  const folder = generation === undefined ? "" : pathToFileURL(`${generation.dir}/`).href;
  const self = new URL(import.meta.url.endsWith(".ts") ? "../index.ts" : "../index.js", import.meta.url).href;
  return registerHooks({
    resolve(specifier, context, next) {
      if (specifier === "vitrine") return { url: self, shortCircuit: true };
      const found = next(specifier, context);
      // A store folder has no package.json that would say so. Read as TypeScript, a fault of syntax is told with its line.
      const typed = found.url === file ? { ...found, format: "module-typescript" } : found;
      const isOwn = found.url.startsWith(folder) && !found.url.includes("/node_modules/");
      if (generation === undefined || !isOwn) return typed;
      generation.files.add(fileURLToPath(found.url.replace(/\?.*$/, "")));
      return { ...typed, url: found.url === file ? file : `${found.url}?${stampOf(generation)}` };
    },
  });
}
