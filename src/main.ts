#!/usr/bin/env node
import { describeOldRuntime } from "./cli/runtime.ts";

const error = describeOldRuntime(process.versions);
if (error === undefined) {
  // Imported after the version check, because an older Node cannot parse the module and would print a stack trace.
  const { runCommandLine } = await import("./cli/command-line.ts");
  process.exitCode = await runCommandLine(process);
} else {
  process.stderr.write(`vitrine: ${error}\n`);
  process.exitCode = 1;
}
