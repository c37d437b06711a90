#!/usr/bin/env node
import { describeOldRuntime } from "./cli/runtime.ts";

/** Milliseconds after a command until its process exits, if anything keeps it alive. */
const EXIT_DELAY_MS = 1_000;

const error = describeOldRuntime(process.versions);
if (error === undefined) {
  // Imported after the version check, because an older Node cannot parse the module and would print a stack trace.
  const { runCommandLine } = await import("./cli/command-line.ts");
  process.exitCode = await runCommandLine(process);
  // Queued lookups of host names cannot be canceled, and would keep the process alive for minutes.
  setInterval(() => process.stdout.writableLength === 0 && process.exit(), EXIT_DELAY_MS).unref();
} else {
  process.stderr.write(`vitrine: ${error}\n`);
  process.exitCode = 1;
}
