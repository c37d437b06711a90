import { resolve } from "node:path";
import { describeUntrustedProxy } from "../../config/untrusted-proxy.ts";
import { readArguments, wrongUsage } from "../arguments.ts";
import type { Io } from "../io.ts";
import { openStore } from "../store-database.ts";

const usage = `Usage: vitrine doctor [dir]

Checks the installation of the store in dir (default: the current folder): settings, database, and whether the server ignored
headers of a proxy. "vitrine check" checks theme and catalog files.`;

/** Runs `vitrine doctor`. The exit code is 1 if the store cannot be served, and 0 for warnings only. */
export async function run(args: readonly string[], io: Io): Promise<number> {
  const parsedArguments = readArguments(args, {}, usage, io);
  if (typeof parsedArguments === "number") return parsedArguments;
  if (parsedArguments.positionals.length > 1) return wrongUsage("doctor takes one folder.", usage, io);
  const dir = resolve(io.cwd, parsedArguments.positionals[0] ?? ".");
  const { config, database, source } = await openStore(dir, io.env.DATABASE_URL);
  await database.close();
  const proxy = describeUntrustedProxy(dir, config);
  io.stdout.write("settings: ok\n");
  io.stdout.write(`database: ok (${"file" in source ? source.file : "PostgreSQL"})\n`);
  io.stdout.write(`proxy: ${proxy === undefined ? "ok" : `warning: ${proxy}`}\n`);
  return 0;
}
