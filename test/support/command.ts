import { PassThrough } from "node:stream";
import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { runCommandLine } from "../../src/cli/command-line.ts";
import { commands } from "../../src/cli/commands.ts";
import { cacheFolder } from "./cache-folder.ts";
import type { TestShop } from "./shop.ts";

const main = fileURLToPath(new URL("../../src/main.ts", import.meta.url));

// Otherwise, a command would store the compiled code of this process in its store, until the process ends.
process.env.NODE_COMPILE_CACHE ??= cacheFolder;

export interface CommandResult {
  /** Exit code of the process. */
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command next to a running shop, on its database. */
export async function runCommand(
  { storeDir, env }: Pick<TestShop, "storeDir"> & { readonly env: NodeJS.ProcessEnv },
  verb: string,
  ...args: readonly string[]
): Promise<CommandResult> {
  const command = commands.get(verb);
  if (command === undefined) throw new Error(`there is no verb ${verb}`);
  const { run } = await command.load();
  return captureOutput((output) => run(args, { cwd: storeDir, env, ...output, program: "vitrine" }));
}

/**
 * Runs `vitrine <args>` in this process, with the errors and exit codes of the program. Commands that write logs, or lower
 * the priority of their thread, need a separate process.
 */
export function runProgram(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<CommandResult> {
  const nodeProcess = { argv: [process.execPath, main, ...args], env, cwd: process.cwd };
  return captureOutput((output) => runCommandLine({ ...nodeProcess, ...output } as unknown as NodeJS.Process));
}

async function captureOutput(
  run: (output: { readonly stdout: PassThrough; readonly stderr: PassThrough }) => Promise<number>,
): Promise<CommandResult> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const written = Promise.all([buffer(stdout), buffer(stderr)]);
  const code = await run({ stdout, stderr });
  stdout.end();
  stderr.end();
  const [out, err] = await written;
  // Unlike a text decoder, this keeps the byte order mark of CSV files.
  return { code, out: out.toString(), err: err.toString() };
}

/** Creates a token of the shop with these scopes. */
export async function createApiToken(
  shop: Pick<TestShop, "storeDir" | "env">,
  ...scopes: readonly string[]
): Promise<string> {
  const { code, out, err } = await runCommand(shop, "token", "create", "--scopes", scopes.join(","));
  if (code !== 0) throw new Error(err);
  return out.trim();
}
