import { enableCompileCache } from "node:module";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isStoreFolder } from "../config/store-folder.ts";

/** Input and output of a command. */
export interface Io {
  /** Base of relative paths in arguments. */
  readonly cwd: string;
  /** Results. */
  readonly stdout: NodeJS.WritableStream;
  /** The user's input. Undefined without a terminal. */
  readonly stdin?: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  /** Progress and errors. */
  readonly stderr: NodeJS.WritableStream;
  readonly env: NodeJS.ProcessEnv;
  /** How the user invokes this program: "vitrine", "npm run -s vitrine --". */
  readonly program: string;
}

/**
 * Returns how the user invokes this program, as a prefix for printed commands.
 * @param script path of the script that Node runs
 */
export function programName(env: NodeJS.ProcessEnv, script: string): string {
  if (env.npm_lifecycle_event === "vitrine") return "npm run -s vitrine --";
  // A package installed in a store is not on the PATH. On Windows a shim names the file itself.
  if (env.npm_lifecycle_event === "npx" || /[\\/]node_modules[\\/](?:\.bin|vitrine)[\\/]/.test(script))
    return "npx vitrine";
  return basename(script) === "vitrine" ? "vitrine" : `node ${quoted(script)}`;
}

/** Quotes a word for a shell if necessary. Backslashes of Windows paths stay. */
export function quoted(word: string): string {
  if (/^[\w./:@%+,=-]+$/.test(word)) return word;
  if (/^(?:[A-Za-z]:)?[^"$`/]*\\[^"$`/]*$/.test(word)) return /\s/.test(word) ? `"${word}"` : word;
  return `"${word.replace(/["\\$`]/g, "\\$&")}"`;
}

/** Returns the path of a file of this package. */
export function packagePath(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}

/**
 * Caches compiled code in the store folder, which only its owner can write to: compiling takes half of the start, and
 * most of a thread's. Call it before loading the modules of a command.
 */
export function keepCompiled(storeDir: string): void {
  // Other folders stay untouched. Reading their settings reports that they are not a store.
  if (!isStoreFolder(storeDir)) return;
  // Threads read the variable.
  process.env.NODE_COMPILE_CACHE ??= join(storeDir, "data", "compiled");
  enableCompileCache(process.env.NODE_COMPILE_CACHE);
}
