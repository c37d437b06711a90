import { readPackageVersion } from "../runtime/package-version.ts";
import { createHelpCommand } from "./commands/help.ts";
import type { CommandIo } from "./io.ts";

/** A command of the command line interface. */
export interface Command {
  readonly summary: string;
  /** Loads the command. `run` resolves to the exit code: 0 for success, 1 for failure, 2 for wrong arguments. */
  readonly load: () => Promise<{ readonly run: (args: readonly string[], io: CommandIo) => Promise<number> }>;
}

const loadHelp = async () => ({ run: createHelpCommand(commands) });

const loadVersion = async () => ({
  async run(_args: readonly string[], { stdout }: CommandIo): Promise<number> {
    stdout.write(`${readPackageVersion()}\n`);
    return 0;
  },
});

/** All commands by name. Each command is loaded when it runs. */
export const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ["init", { summary: "create a store folder", load: () => import("./commands/init.ts") }],
  ["serve", { summary: "serve a store", load: () => import("./commands/serve.ts") }],
  ["dev", { summary: "serve a store for theme development", load: () => import("./commands/dev.ts") }],
  ["import", { summary: "import catalog files", load: () => import("./commands/import.ts") }],
  ["export", { summary: "export the catalog as JSONL", load: () => import("./commands/export.ts") }],
  ["search", { summary: "search the store in the terminal", load: () => import("./commands/search.ts") }],
  ["theme", { summary: "add, preview, and publish themes", load: () => import("./commands/theme.ts") }],
  ["check", { summary: "check settings, catalog, and theme", load: () => import("./commands/check.ts") }],
  ["doctor", { summary: "check the installation of a store", load: () => import("./commands/doctor.ts") }],
  ["migrate", { summary: "update the tables of the database", load: () => import("./commands/migrate.ts") }],
  ["rollback", { summary: "show an earlier revision of the catalog", load: () => import("./commands/rollback.ts") }],
  ["backup", { summary: "back up a store to one file", load: () => import("./commands/backup.ts") }],
  ["restore", { summary: "restore a backup into an empty folder", load: () => import("./commands/restore.ts") }],
  ["contacts", { summary: "list messages, subscriptions, and comments", load: () => import("./commands/contacts.ts") }],
  ["orders", { summary: "list, show, ship, cancel, and export orders", load: () => import("./commands/orders.ts") }],
  ["events", { summary: "list and retry undelivered events", load: () => import("./commands/events.ts") }],
  ["token", { summary: "create, list, and revoke tokens", load: () => import("./commands/token.ts") }],
  ["forget", { summary: "delete learned searches and clicks", load: () => import("./commands/forget.ts") }],
  ["help", { summary: "show this list", load: loadHelp }],
  ["--help", { summary: "", load: loadHelp }],
  ["-h", { summary: "", load: loadHelp }],
  ["--version", { summary: "", load: loadVersion }],
  ["-v", { summary: "", load: loadVersion }],
]);
