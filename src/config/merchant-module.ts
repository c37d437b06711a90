import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";
import { SetupError } from "../setup-error.ts";

/** Imports a file of the merchant's own code. "vitrine" in it is this very package, wherever the store's folder is.
 *  @param stamp another one reads the file anew, where it was imported before
 *  @returns what it exports by default  @throws SetupError that names the file, and the line where it is known */
export async function importDefault(file: string, missing: string, stamp = ""): Promise<unknown> {
  const href = pathToFileURL(file).href + (stamp === "" ? "" : `?${stamp}`);
  const resolving = resolveOwnName(href);
  try {
    const loaded: { readonly default?: unknown } = await import(href);
    if (loaded.default === undefined) throw new SetupError(`${file}: ${missing}.`);
    return loaded.default;
  } catch (error) {
    if (error instanceof SetupError) throw error;
    const { message, stack = "" } = error instanceof Error ? error : new Error(String(error));
    const line = new RegExp(`${RegExp.escape(href)}:\\d+`).exec(stack)?.[0].slice(href.length) ?? "";
    throw new SetupError(`${file}${line}: cannot be read: ${message}`);
  } finally {
    resolving.deregister();
  }
}

function resolveOwnName(file: string): { deregister(): void } {
  const self = new URL(import.meta.url.endsWith(".ts") ? "../index.ts" : "../index.js", import.meta.url).href;
  return registerHooks({
    resolve(specifier, context, next) {
      if (specifier === "vitrine") return { url: self, shortCircuit: true };
      const found = next(specifier, context);
      // A store folder has no package.json that would say so. Read as TypeScript, a fault of syntax is told with its line.
      return found.url === file ? { ...found, format: "module-typescript" } : found;
    },
  });
}
