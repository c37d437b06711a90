import { describeFileError, SetupError } from "../setup-error.ts";
import { didYouMean } from "../theme/check/nearest.ts";
import { commands } from "./commands.ts";
import { type Io, programName } from "./io.ts";

/** Runs what the command line says. @returns exit code: 0 done, 1 failed, 2 wrong usage */
export async function runCommandLine(running: NodeJS.Process): Promise<number> {
  const { argv, env, stdout, stderr, cwd } = running;
  const [script = "vitrine", name = "help", ...args] = argv.slice(1);
  const program = programName(env, script);
  const command = commands.get(name);
  if (command === undefined) {
    const known = [...commands].flatMap(([one, { summary }]) => (summary === "" ? [] : [one]));
    const advice = didYouMean(name.slice(0, 40), known) || ".";
    stderr.write(`vitrine: there is no command "${name.slice(0, 40)}"${advice} See "${program} help".\n`);
    return 2;
  }
  try {
    const { run } = await command.load();
    // npm runs scripts in the package's folder; paths are meant from where the user stands.
    const io: Io = {
      cwd: env.INIT_CWD ?? cwd(),
      // Opened by who asks alone.
      get stdin() {
        return running.stdin;
      },
      stdout,
      stderr,
      env,
      program,
    };
    return await run(args, io);
  } catch (error) {
    stderr.write(`vitrine: ${describe(error, program)}\n`);
    return 1;
  }
}

/** A stack tells of a bug alone. */
function describe(error: unknown, program: string): string {
  if (!(error instanceof Error)) return String(error);
  const isForOperator = error instanceof SetupError || error.name === "DatabaseUnavailable";
  // Commands that a message advises are as the user calls them.
  if (isForOperator) return error.message.replaceAll('"vitrine ', () => `"${program} `);
  const refusal = describeFileError(error);
  return refusal === undefined ? (error.stack ?? error.message) : `${fileOf(error)}: ${refusal}.`;
}

/** What is copied is read where it can be: what fails is the copy. */
function fileOf(error: Error & { readonly path?: unknown; readonly dest?: unknown }): string {
  return String(error.dest ?? error.path);
}
