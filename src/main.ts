#!/usr/bin/env node
import { commands } from "./cli/commands.ts";
import { programName } from "./cli/program.ts";
import { requireRuntime } from "./cli/runtime.ts";
import { letOthersFirst } from "./priority.ts";
import { SetupError } from "./setup-error.ts";

const [script = "vitrine", name = "help", ...args] = process.argv.slice(1);
const program = programName(process.env, script);

try {
  requireRuntime(process.versions);
  process.exitCode = await run();
} catch (error) {
  process.stderr.write(`vitrine: ${describe(error)}\n`);
  process.exitCode = 1;
}

async function run(): Promise<number> {
  const command = commands.get(name);
  if (command === undefined) {
    process.stderr.write(`vitrine: there is no command "${name.slice(0, 40)}". See "${program} help".\n`);
    return 2;
  }
  // Before it is loaded, which is most of what a small one does.
  if (command.hasTime === true) letOthersFirst();
  const { run: start } = await command.load();
  // npm runs scripts in the package's folder; paths are meant from where the user stands.
  return start(args, {
    cwd: process.env.INIT_CWD ?? process.cwd(),
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    program,
  });
}

/** A stack tells of a bug alone. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isForOperator = error instanceof SetupError || error.name === "DatabaseUnavailable";
  // Commands that a message advises are as the user calls them.
  return isForOperator ? error.message.replaceAll('"vitrine ', () => `"${program} `) : (error.stack ?? error.message);
}
