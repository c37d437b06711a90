/** Where a command reads and writes. */
export interface Io {
  /** Paths of arguments are taken from here. */
  readonly cwd: string;
  /** Results. */
  readonly stdout: NodeJS.WritableStream;
  /** Answers, where somebody sits there. */
  readonly stdin?: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  /** Progress and errors. */
  readonly stderr: NodeJS.WritableStream;
  readonly env: NodeJS.ProcessEnv;
  /** How the user calls this command line: "vitrine", "npm run -s vitrine --". */
  readonly program: string;
}
