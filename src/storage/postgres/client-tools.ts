import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";
import { decodeUriPart } from "../../runtime/decode-uri.ts";
import { SetupError } from "../../setup-error.ts";

/** A command of PostgreSQL's client tools. */
export type ClientTool = "pg_dump" | "pg_restore";

/** Maximum characters of a tool's error output in a message. */
const MAX_ERROR_LENGTH = 2_000;

/**
 * Checks that a tool is installed and not older than the server, because an older one rejects the server.
 * @param serverVersion value of `server_version_num`, such as 180004
 * @throws SetupError with the package to install
 */
export async function requireClientTool(
  tool: ClientTool,
  serverVersion: number,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const serverRelease = Math.floor(serverVersion / 10_000);
  const advice = `Install the client tools of PostgreSQL ${serverRelease}, such as the package postgresql-client-${serverRelease} of Debian or Ubuntu`;
  const versionText = await promisify(execFile)(tool, ["--version"], { env }).then(
    ({ stdout }) => stdout,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT")
        throw new SetupError(`${tool} was not found. ${advice}, and add their folder to PATH.`);
      throw new SetupError(`${tool} cannot be run: ${error.message.slice(0, MAX_ERROR_LENGTH)}. ${advice}.`);
    },
  );
  const majorVersion = Number(/\(PostgreSQL\) (\d+)/.exec(versionText)?.[1]);
  if (majorVersion < serverRelease)
    throw new SetupError(`${tool} ${majorVersion} is older than the server, PostgreSQL ${serverRelease}. ${advice}.`);
}

/** A running process of pg_dump or pg_restore. */
export interface ClientToolProcess {
  readonly childProcess: ChildProcess;
  /** Resolves when the tool has succeeded.  @throws SetupError with its error output */
  readonly completion: Promise<void>;
}

/**
 * Starts a tool on a database. The password is passed in the environment, because other users of the machine can read
 * arguments.
 */
export function runClientTool(
  tool: ClientTool,
  databaseUrl: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): ClientToolProcess {
  const url = new URL(databaseUrl);
  const password = decodeUriPart(url.password, url.password);
  url.password = "";
  const childProcess = spawn(tool, [...args, `--dbname=${url.href}`], {
    env: password === "" ? env : { ...env, PGPASSWORD: password },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let errorText = "";
  childProcess.stderr.on("data", (chunk: Buffer) => {
    errorText = (errorText + chunk.toString()).slice(0, MAX_ERROR_LENGTH);
  });
  const exitPromise = once(childProcess, "close").then(([code, signal]) => {
    if (code !== 0)
      throw new SetupError(`${tool} failed: ${errorText.trim() || (signal === null ? `exit code ${code}` : signal)}`);
  });
  return { childProcess, completion: exitPromise };
}
