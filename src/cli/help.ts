import { commands, type Io } from "./commands.ts";

/** `vitrine help`: the list of commands. */
export async function run(_args: readonly string[], io: Io): Promise<number> {
  const rows = [...commands].filter(([, { summary }]) => summary !== "");
  const lines = rows.map(([name, { summary }]) => `  ${name.padEnd(8)} ${summary}`);
  io.stdout.write(`Usage: vitrine <command>\n\n${lines.join("\n")}\n\n"vitrine <command> --help" tells more.\n`);
  return 0;
}
