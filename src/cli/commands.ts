import { packageVersion } from "../observability/package-version.ts";
import type { Io } from "./io.ts";
import { helpOf } from "./verbs/help.ts";

/** A verb of the command line. */
export interface Command {
  readonly summary: string;
  /** `run` resolves to the exit code: 0 done, 1 failed, 2 wrong usage. */
  readonly load: () => Promise<{ readonly run: (args: readonly string[], io: Io) => Promise<number> }>;
}

const help = async () => ({ run: helpOf(commands) });

const version = async () => ({
  async run(_args: readonly string[], { stdout }: Io): Promise<number> {
    stdout.write(`${packageVersion()}\n`);
    return 0;
  },
});

/** Verbs by name; each is loaded when it is called, so that none pays for the others. */
export const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ["init", { summary: "make a new store folder", load: () => import("./verbs/init.ts") }],
  ["serve", { summary: "serve a store", load: () => import("./verbs/serve.ts") }],
  ["dev", { summary: "serve a store while its theme is being written", load: () => import("./verbs/dev.ts") }],
  ["import", { summary: "read catalogue files into the store", load: () => import("./verbs/import.ts") }],
  ["export", { summary: "write the catalogue as JSONL", load: () => import("./verbs/export.ts") }],
  ["search", { summary: "search the store in the terminal", load: () => import("./verbs/search.ts") }],
  ["check", { summary: "check config, catalogue and theme", load: () => import("./verbs/check.ts") }],
  [
    "doctor",
    { summary: "check settings, database and proxy of the installation", load: () => import("./verbs/doctor.ts") },
  ],
  ["contacts", { summary: "list what shoppers sent by forms", load: () => import("./verbs/contacts.ts") }],
  ["orders", { summary: "list, show, ship, cancel and export orders", load: () => import("./verbs/orders.ts") }],
  ["events", { summary: "show and retry what other systems were not told", load: () => import("./verbs/events.ts") }],
  ["token", { summary: "make, list and revoke tokens of other systems", load: () => import("./verbs/token.ts") }],
  ["forget", { summary: "forget what shoppers searched and chose", load: () => import("./verbs/forget.ts") }],
  ["help", { summary: "show this list", load: help }],
  ["--help", { summary: "", load: help }],
  ["-h", { summary: "", load: help }],
  ["--version", { summary: "", load: version }],
  ["-v", { summary: "", load: version }],
]);
