import { type ParseArgsConfig, parseArgs } from "node:util";
import { suggestName } from "../theme/check/nearest.ts";
import type { CommandIo } from "./io.ts";

type Options = NonNullable<ParseArgsConfig["options"]>;

export interface Arguments {
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
  readonly positionals: readonly string[];
}

/**
 * Parses the arguments of a command. Prints the help text for `--help`, and an error for wrong arguments.
 * @param usage help text; its first line starts with "Usage: "
 * @returns the arguments, or the exit code if the command must not run
 */
export function readArguments(
  args: readonly string[],
  options: Options,
  usage: string,
  io: CommandIo,
): Arguments | number {
  try {
    const parsedArguments = parseArgs({
      args: [...args],
      options: { ...options, help: { type: "boolean", short: "h" } },
      allowPositionals: true,
    });
    if (parsedArguments.values.help !== true) return parsedArguments as Arguments;
    io.stdout.write(`${usage}\n`);
    return 0;
  } catch (error) {
    return reportWrongUsage(describeError(error, Object.keys(options)), usage, io);
  }
}

/** Returns Node's error message about the arguments, without its advice for programmers. */
function describeError(error: unknown, options: readonly string[]): string {
  if (!(error instanceof Error)) return String(error);
  const [, option = ""] = /'(-.+?)(?: [<].*)?'/.exec(error.message) ?? [];
  const code = "code" in error ? error.code : undefined;
  const names = options.map((name) => `--${name}`);
  if (code === "ERR_PARSE_ARGS_UNKNOWN_OPTION")
    return `there is no option ${option}${suggestName(option, names) || "."}`;
  if (code === "ERR_PARSE_ARGS_INVALID_OPTION_VALUE" && /argument (?:missing|is ambiguous)/.test(error.message))
    return `${option} takes a value.`;
  return error.message;
}

/** Prints an error and the help text.  @returns exit code 2 */
export function reportWrongUsage(message: string, usage: string, io: CommandIo): number {
  io.stderr.write(`vitrine: ${message}\n\n${usage}\n`);
  return 2;
}
