import { enableCompileCache } from "node:module";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isStoreFolder } from "../config/store-folder.ts";
import { isDiskFull, SetupError } from "../setup-error.ts";

/** Input, output, and environment of a command. */
export interface CommandIo {
  /** Folder to which paths in arguments are relative. */
  readonly cwd: string;
  /** Stream for results. */
  readonly stdout: NodeJS.WritableStream;
  /** Input of the user; undefined without a terminal. */
  readonly stdin?: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  /** Stream for progress and errors. */
  readonly stderr: NodeJS.WritableStream;
  readonly env: NodeJS.ProcessEnv;
  /** Command with which the user runs this program: "vitrine", "npm run -s vitrine --". */
  readonly program: string;
  /**
   * Lowers the priority of the process, for commands that run next to a server. Call it after the threads of the
   * database have started, so that these threads keep their normal priority. Undefined if the process has other work.
   */
  readonly lowerPriority?: () => void;
}

/**
 * Returns the command with which the user runs this program, for use in messages.
 * @param script path of the script that Node runs
 */
export function getProgramName(env: NodeJS.ProcessEnv, script: string): string {
  if (env.npm_lifecycle_event === "vitrine") return "npm run -s vitrine --";
  // A locally installed package is not in the PATH, so it runs through npx. On Windows, the path does not contain
  // `.bin`.
  if (env.npm_lifecycle_event === "npx" || /[\\/]node_modules[\\/](?:\.bin|vitrine)[\\/]/.test(script))
    return "npx vitrine";
  return basename(script) === "vitrine" ? "vitrine" : `node ${quoteForShell(script)}`;
}

/** Quotes a word for a shell if necessary. Backslashes in Windows paths need no quotes. */
export function quoteForShell(word: string): string {
  if (/^[\w./:@%+,=-]+$/.test(word)) return word;
  if (/^(?:[A-Za-z]:)?[^"$`/]*\\[^"$`/]*$/.test(word)) return /\s/.test(word) ? `"${word}"` : word;
  return `"${word.replace(/["\\$`]/g, "\\$&")}"`;
}

/**
 * Replaces control characters, so that text from shoppers or files cannot send control sequences to the terminal, or
 * reverse the rest of its line.
 */
export function sanitize(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]+/g, " ");
}

/**
 * Formats a value as JSON, followed by a line feed. It writes characters that control a terminal as escape sequences.
 * @param indent spaces of each level. Default: the JSON is one line
 */
export function formatJson(value: unknown, indent?: number): string {
  const toEscape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return `${JSON.stringify(value, null, indent).replace(/[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, toEscape)}\n`;
}

/**
 * Converts the error of a failed write to one with advice for the user.
 * @param prefix start of the message, such as "the export is incomplete"
 */
export function explainOutputError(error: unknown, prefix: string): unknown {
  if (!(error instanceof Error && "code" in error)) return error;
  if (isDiskFull(error)) return new SetupError(`${prefix}: the disk is full.`);
  switch (error.code) {
    case "EPIPE":
    case "ERR_STREAM_DESTROYED":
      return new SetupError(`${prefix}: its reader closed the pipe before the end.`);
    default:
      return "syscall" in error ? new SetupError(`${prefix}: ${error.message}.`) : error;
  }
}

/** Returns the absolute path of a file in this package. */
export function getPackagePath(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}

/**
 * Enables Node's compile cache, which halves the start time. The cache is in the store folder, where only the owner can
 * write. Call this function before the modules of a command are loaded.
 */
export function enableCodeCache(storeDir: string): void {
  // Nothing is written to a folder that is not a store.
  if (!isStoreFolder(storeDir)) return;
  // Worker threads read this environment variable.
  process.env.NODE_COMPILE_CACHE ??= join(storeDir, "data", "compiled");
  enableCompileCache(process.env.NODE_COMPILE_CACHE);
}
