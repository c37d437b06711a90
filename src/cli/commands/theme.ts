import { resolve } from "node:path";
import { defineCommand, flag, text, UsageError } from "../arguments.ts";
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

const options = { store: text, name: text, replace: flag, "dry-run": flag, days: text };

/** Runs `vitrine theme`. */
export const run = defineCommand(usage, options, async ({ values, positionals }, io) => {
  const [action = "", argument = ""] = positionals;
  const storeDir = resolve(io.cwd, values.store ?? ".");
  const takesArgument = ["add", "preview", "publish"].includes(action);
  if (!takesArgument && !["list", "rollback"].includes(action))
    throw new UsageError("use add, list, preview, publish or rollback.");
  if (takesArgument && positionals.length !== 2) throw new UsageError(`${action} takes one theme.`);
  if (!takesArgument && positionals.length > 1) throw new UsageError(`${action} takes no theme.`);
  const days = Number(values.days ?? 7);
  if (!(Number.isInteger(days) && days >= 1 && days <= MAX_DAYS))
    throw new UsageError(`--days takes a number from 1 to ${MAX_DAYS}.`);
  if (action === "add") {
    const { name, replace = false, "dry-run": isDryRun = false } = values;
    await addTheme({ source: argument, storeDir, name, replacesTheme: replace, isDryRun, days }, io);
  } else if (action === "list") await printThemes(storeDir, io);
  else if (action === "preview") await printPreviewLink(storeDir, argument, days, io);
  else if (action === "publish") await publishTheme(storeDir, argument, io);
  else await rollBackTheme(storeDir, io);
  return 0;
});
