/** Where a command reads and writes. */
export interface Io {
  /** Paths of arguments are taken from here. */
  readonly cwd: string;
  /** Results. */
  readonly stdout: NodeJS.WritableStream;
  /** Progress and errors. */
  readonly stderr: NodeJS.WritableStream;
  readonly env: NodeJS.ProcessEnv;
  /** How the user calls this command line: "vitrine", "npm run -s vitrine --". */
  readonly program: string;
}

/** A verb of the command line. */
export interface Command {
  readonly summary: string;
  /** Has time: a server on the same machine goes first. */
  readonly hasTime?: boolean;
  /** `run` resolves to the exit code: 0 done, 1 failed, 2 wrong usage. */
  readonly load: () => Promise<{ readonly run: (args: readonly string[], io: Io) => Promise<number> }>;
}

/** Verbs by name; each is loaded when it is called, so that none pays for the others. */
export const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ["init", { summary: "make a new store folder", load: () => import("./init.ts") }],
  ["serve", { summary: "serve a store", load: () => import("./serve.ts") }],
  ["import", { summary: "read catalogue files into the store", hasTime: true, load: () => import("./import.ts") }],
  ["export", { summary: "write the catalogue as JSONL", hasTime: true, load: () => import("./export.ts") }],
  ["search", { summary: "search the store in the terminal", load: () => import("./search.ts") }],
  ["check", { summary: "check config, catalogue and theme", load: () => import("./check.ts") }],
  ["help", { summary: "show this list", load: () => import("./help.ts") }],
  ["--help", { summary: "", load: () => import("./help.ts") }],
]);
