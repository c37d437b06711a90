import { registerHooks } from "node:module";
import { extname } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { SetupError } from "../setup-error.ts";

/** A version of the merchant's code in memory, with all modules that it imports from the store folder. */
export interface MerchantCode {
  /** Store folder. Only modules inside it can be reloaded. */
  readonly dir: string;
  /** Number of the version. Each version loads every module again. */
  readonly number: number;
  /** Paths of all files that this version has loaded. */
  readonly files: Set<string>;
}

/**
 * Imports a file of the merchant's code. In it, `import "vitrine"` always refers to this package.
 * @param version a new string reloads only this file; a new MerchantCode also reloads the modules that it imports
 * @returns the default export
 * @throws SetupError that names the file, and the line if known
 */
export async function importModule(
  file: string,
  missingExportText: string,
  version: string | MerchantCode = "",
): Promise<unknown> {
  const versionKey = typeof version === "string" ? version : computeVersionKey(version);
  const href = pathToFileURL(file).href + (versionKey === "" ? "" : `?${versionKey}`);
  const moduleHooks = resolvePackageName(href, typeof version === "string" ? undefined : version);
  try {
    const loadedModule: { readonly default?: unknown } = await import(href);
    if (loadedModule.default === undefined) throw new SetupError(`${file}: ${missingExportText}.`);
    return loadedModule.default;
  } catch (error) {
    if (error instanceof SetupError) throw error;
    const { message, stack = "" } = error instanceof Error ? error : new Error(String(error));
    const line = new RegExp(`${RegExp.escape(href)}:\\d+`).exec(stack)?.[0].slice(href.length) ?? "";
    const advice = line === "" ? "Correct the file" : "Check that line and the line before it";
    throw new SetupError(`${file}${line}: cannot be read: ${message.replace(/\.?$/, "")}. ${advice}.`);
  } finally {
    moduleHooks.deregister();
  }
}

function computeVersionKey({ number }: MerchantCode): string {
  return `generation=${number}`;
}

function resolvePackageName(file: string, codeVersion?: MerchantCode): { deregister(): void } {
  const folder = codeVersion === undefined ? "" : pathToFileURL(`${codeVersion.dir}/`).href;
  const packageUrl = new URL(`../index${extname(import.meta.url)}`, import.meta.url).href;
  return registerHooks({
    resolve(specifier, context, nextResolve) {
      if (specifier === "vitrine") return { url: packageUrl, shortCircuit: true };
      const resolvedModule = nextResolve(specifier, context);
      // Even a JavaScript file is loaded as TypeScript, because syntax errors then contain the line number.
      const typescriptModule =
        resolvedModule.url === file ? { ...resolvedModule, format: "module-typescript" } : resolvedModule;
      const isStoreFile = resolvedModule.url.startsWith(folder) && !resolvedModule.url.includes("/node_modules/");
      if (codeVersion === undefined || !isStoreFile) return typescriptModule;
      codeVersion.files.add(fileURLToPath(resolvedModule.url.replace(/\?.*$/, "")));
      return {
        ...typescriptModule,
        url: resolvedModule.url === file ? file : `${resolvedModule.url}?${computeVersionKey(codeVersion)}`,
      };
    },
  });
}
