import { resolve } from "node:path";
import { describe } from "node:test";
import { pathToFileURL } from "node:url";

/**
 * Runs test files in sequence in this process, so that shared imports are loaded and compiled once. Each file is a
 * suite with separate hooks.
 * @param where suffix of the names of the suites
 */
export async function runTogether(files: readonly string[], where: string): Promise<void> {
  let running: string | undefined;
  // If a process exits early, the test runner knows only the exit code.
  process.on("exit", (code) => {
    if (running !== undefined)
      process.stderr.write(`${running}${where}: the process ended within this file, with ${code}.\n`);
  });
  for (const file of files) {
    running = file;
    // The HTTP client compares the responses of some folders with openapi.yaml.
    process.argv[1] = resolve(file);
    await describe(`${file}${where}`, { concurrency: 1 }, async () => {
      await import(pathToFileURL(resolve(file)).href);
    });
  }
  running = undefined;
}
