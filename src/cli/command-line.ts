import { lowerThreadPriority } from "../priority.ts";
import { explainFileError, SetupError } from "../setup-error.ts";
import { suggestName } from "../theme/check/nearest.ts";
import { commands } from "./commands.ts";
import { type CommandIo, explainOutputError, getProgramName } from "./io.ts";

/** Runs the command of a process.  @returns exit code: 0 for success, 1 for failure, 2 for wrong arguments */
export async function runCommandLine(nodeProcess: NodeJS.Process): Promise<number> {
  const { argv, env, stdout, stderr, cwd } = nodeProcess;
  const [script = "vitrine", name = "help", ...args] = argv.slice(1);
  const program = getProgramName(env, script);
  // The reader of a pipe may close it early, as `head` does. Commands that need all their output handle errors themselves.
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE" || stdout.listenerCount("error") > 1) return;
    stderr.write(`vitrine: ${describeError(explainOutputError(error, "the output is incomplete"), program)}\n`);
    nodeProcess.exit(1);
  });
  // An error of stderr, such as a full disk, cannot be reported.
  stderr.on("error", () => {});
  const command = commands.get(name);
  if (command === undefined) {
    const commandNames = [...commands].flatMap(([commandName, { summary }]) => (summary === "" ? [] : [commandName]));
    const advice = suggestName(name.slice(0, 40), commandNames) || ".";
    stderr.write(`vitrine: there is no command "${name.slice(0, 40)}"${advice} See "${program} help".\n`);
    return 2;
  }
  try {
    const { run } = await command.load();
    // npm runs scripts in the folder of the package, but paths are relative to the folder of the user.
    const io: CommandIo = {
      cwd: env.INIT_CWD ?? cwd(),
      // Created on first access, since opening stdin can keep the process alive.
      get stdin() {
        return nodeProcess.stdin;
      },
      stdout,
      stderr,
      env,
      program,
      lowerPriority: lowerThreadPriority,
    };
    return await run(args, io);
  } catch (error) {
    stderr.write(`vitrine: ${describeError(error, program)}\n`);
    return 1;
  }
}

/** Returns the text to print for an error. Only unexpected errors are printed with a stack trace. */
function describeError(error: unknown, program: string): string {
  if (!(error instanceof Error)) return String(error);
  const isExpectedError = error instanceof SetupError || error.name === "DatabaseUnavailableError";
  // Commands in the message must start with the program name that the user typed, such as "npx vitrine".
  if (isExpectedError) return error.message.replaceAll('"vitrine ', () => `"${program} `);
  return explainFileError(error) ?? error.stack ?? error.message;
}
