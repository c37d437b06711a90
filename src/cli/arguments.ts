import { type ParseArgsConfig, parseArgs } from "node:util";
import { suggestName } from "../theme/check/nearest.ts";
import type { CommandIo } from "./io.ts";

type Options = NonNullable<ParseArgsConfig["options"]>;

/** Arguments of a command, as `parseArgs` types them. */
type ParsedArguments<O extends Options> = Pick<
  ReturnType<typeof parseArgs<{ options: O; allowPositionals: true }>>,
  "values" | "positionals"
>;

export const text = { type: "string" } as const;
export const flag = { type: "boolean" } as const;

/** Reports wrong arguments of a command. */
export class UsageError extends Error {}

/**
 * Creates the function that runs a command. It prints the help text for `--help`, and after an error in the arguments.
 * @param usage help text; its first line starts with "Usage: "
 * @param run runs the command, and returns its exit code
 * @returns a function that returns the exit code: 2 for wrong arguments
 */
export function defineCommand<const O extends Options>(
  usage: string,
  options: O,
  run: (parsedArguments: ParsedArguments<O>, io: CommandIo) => Promise<number>,
): (args: readonly string[], io: CommandIo) => Promise<number> {
  return async (args, io) => {
    try {
      const parsedArguments = parseArgs({
        args: [...args],
        options: { ...options, help: { type: "boolean", short: "h" } },
        allowPositionals: true,
      });
      if (!("help" in parsedArguments.values)) return await run(parsedArguments as ParsedArguments<O>, io);
      io.stdout.write(`${usage}\n`);
      return 0;
    } catch (error) {
      const message = describeError(error, Object.keys(options));
      if (message === undefined) throw error;
      io.stderr.write(`vitrine: ${message}\n\n${usage}\n`);
      return 2;
    }
  };
}

/** Returns the message of an error in the arguments, without Node's advice for programmers; undefined for other errors. */
function describeError(error: unknown, options: readonly string[]): string | undefined {
  if (error instanceof UsageError) return error.message;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (!(error instanceof Error && code.startsWith("ERR_PARSE_ARGS"))) return undefined;
  const [, option = ""] = /'(-.+?)(?: [<].*)?'/.exec(error.message) ?? [];
  const names = options.map((name) => `--${name}`);
  if (code === "ERR_PARSE_ARGS_UNKNOWN_OPTION")
    return `there is no option ${option}${suggestName(option, names) || "."}`;
  if (code === "ERR_PARSE_ARGS_INVALID_OPTION_VALUE" && /argument (?:missing|is ambiguous)/.test(error.message))
    return `${option} takes a value.`;
  return error.message;
}
