import { enableCompileCache } from "node:module";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isStoreFolder } from "../config/store-folder.ts";

/** Where a command reads and writes. */
export interface Io {
  /** Paths of arguments are taken from here. */
  readonly cwd: string;
  /** Results. */
  readonly stdout: NodeJS.WritableStream;
  /** Answers, where somebody sits there. */
  readonly stdin?: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  /** Progress and errors. */
  readonly stderr: NodeJS.WritableStream;
  readonly env: NodeJS.ProcessEnv;
  /** How the user calls this command line: "vitrine", "npm run -s vitrine --". */
  readonly program: string;
}

/** How the user calls this command line: what the commands that it prints must begin with to be found.
 *  @param script path of the script that Node runs */
export function programName(env: NodeJS.ProcessEnv, script: string): string {
  if (env.npm_lifecycle_event === "vitrine") return "npm run -s vitrine --";
  // Installed beside a store, it is on nobody's path; on Windows a shim names the file itself.
  if (env.npm_lifecycle_event === "npx" || /[\\/]node_modules[\\/](?:\.bin|vitrine)[\\/]/.test(script))
    return "npx vitrine";
  return basename(script) === "vitrine" ? "vitrine" : `node ${quoted(script)}`;
}

/** A word of a command line, in quotes where it holds what shells read otherwise. Paths of Windows keep their backslashes. */
export function quoted(word: string): string {
  if (/^[\w./:@%+,=-]+$/.test(word)) return word;
  if (/^(?:[A-Za-z]:)?[^"$`/]*\\[^"$`/]*$/.test(word)) return /\s/.test(word) ? `"${word}"` : word;
  return `"${word.replace(/["\\$`]/g, "\\$&")}"`;
}

/** The path of a file of this package. */
export function packagePath(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}

/** Half of a start is compiling, and most of a thread's: what was compiled is kept beside the store, where nobody else may write.
 *  For a command to call before it loads what it does. */
export function keepCompiled(storeDir: string): void {
  // Nothing is made in another folder; whoever reads its settings says that it is no store.
  if (!isStoreFolder(storeDir)) return;
  // Threads look at the variable.
  process.env.NODE_COMPILE_CACHE ??= join(storeDir, "data", "compiled");
  enableCompileCache(process.env.NODE_COMPILE_CACHE);
}
