import { resolve } from "node:path";
import { readArguments, reportWrongUsage } from "../arguments.ts";
import type { CommandIo } from "../io.ts";
import { addTheme } from "../theme/add-theme.ts";
import { printPreviewLink, printThemes, publishTheme, rollBackTheme } from "../theme/live-theme.ts";

const usage = `Usage: vitrine theme add      [--store DIR] <folder, zip file, or git URL> [--name NAME] [--replace] [--dry-run]
       vitrine theme list     [--store DIR]
       vitrine theme preview  [--store DIR] <name> [--days N]
       vitrine theme publish  [--store DIR] <name>
       vitrine theme rollback [--store DIR]

Manages the themes of a store: the folder theme/, and the folders in themes/. The file themes/live names the live theme.
"add" copies a theme made for Shopify to themes/NAME/, turns on "compat" for it, creates the menus that it names, compiles Sass with
npx, and checks it. "preview" prints a link that shows a theme to the visitors who open it. "publish" makes a theme live, and
"rollback" the theme that was live before. A running server follows within a second.
  --store DIR  folder of the store (default: the current folder)
  --name NAME  name of the added theme (default: the name of its folder, file, or repository)
  --replace    move an existing themes/NAME/ to themes/NAME-<time>/
  --dry-run    show what would be done, and change nothing
  --days N     days until the link expires (default: 7)`;

/** Maximum number of days that a preview link can be valid. */
const MAX_DAYS = 365;

/** Runs `vitrine theme`. */
export async function run(args: readonly string[], io: CommandIo): Promise<number> {
  const text = { type: "string" } as const;
  const booleanOption = { type: "boolean" } as const;
  const options = { store: text, name: text, replace: booleanOption, "dry-run": booleanOption, days: text } as const;
  const parsedArguments = readArguments(args, options, usage, io);
  if (typeof parsedArguments === "number") return parsedArguments;
  const { values, positionals } = parsedArguments;
  const [action = "", argument, ...extraArgs] = positionals;
  const storeDir = resolve(io.cwd, String(values.store ?? "."));
  const takesArgument = ["add", "preview", "publish"].includes(action);
  if (!takesArgument && !["list", "rollback"].includes(action))
    return reportWrongUsage("use add, list, preview, publish or rollback.", usage, io);
  if (takesArgument && (argument === undefined || extraArgs.length > 0))
    return reportWrongUsage(`${action} takes one theme.`, usage, io);
  if (!takesArgument && argument !== undefined) return reportWrongUsage(`${action} takes no theme.`, usage, io);
  const days = Number(values.days ?? 7);
  if (!(Number.isInteger(days) && days >= 1 && days <= MAX_DAYS))
    return reportWrongUsage(`--days takes a number from 1 to ${MAX_DAYS}.`, usage, io);
  switch (action) {
    case "add":
      await addTheme(
        {
          source: String(argument),
          storeDir,
          name: values.name === undefined ? undefined : String(values.name),
          replacesTheme: values.replace === true,
          isDryRun: values["dry-run"] === true,
          days,
        },
        io,
      );
      break;
    case "list":
      await printThemes(storeDir, io);
      break;
    case "preview":
      await printPreviewLink(storeDir, String(argument), days, io);
      break;
    case "publish":
      await publishTheme(storeDir, String(argument), io);
      break;
    case "rollback":
      await rollBackTheme(storeDir, io);
      break;
  }
  return 0;
}
