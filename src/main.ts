#!/usr/bin/env node
import { describeOldRuntime } from "./cli/runtime.ts";

const fault = describeOldRuntime(process.versions);
if (fault === undefined) {
  // Loaded only now: an older Node could not even read it, and would say so in a stack.
  const { runCommandLine } = await import("./cli/command-line.ts");
  process.exitCode = await runCommandLine(process);
} else {
  process.stderr.write(`vitrine: ${fault}\n`);
  process.exitCode = 1;
}
