import type { CommandIo } from "../io.ts";

/** Creates the command `vitrine help`, which lists all commands. */
export function createHelpCommand(commands: ReadonlyMap<string, { readonly summary: string }>) {
  return async (_args: readonly string[], io: Pick<CommandIo, "stdout">): Promise<number> => {
    const rows = [...commands].filter(([, { summary }]) => summary !== "");
    const lines = rows.map(([name, { summary }]) => `  ${name.padEnd(8)} ${summary}`);
    io.stdout.write(
      `Usage: vitrine <command>\n\n${lines.join("\n")}\n\n"vitrine <command> --help" describes a command; "vitrine --version" prints the version.\n`,
    );
    return 0;
  };
}
