import { resolve } from "node:path";
import { describe } from "node:test";
import { pathToFileURL } from "node:url";

/** Runs test files one after another in this process: a file has begun sooner where what it imports is loaded and compiled already.
 *  Each is a suite, so that its hooks are its own. @param where what is said of the run behind each file's name */
export async function runTogether(files: readonly string[], where: string): Promise<void> {
  let running: string | undefined;
  // Of a process that ends early the runner knows no more than the exit code.
  process.on("exit", (code) => {
    if (running !== undefined)
      process.stderr.write(`${running}${where}: the process ended within this file, with ${code}.\n`);
  });
  for (const file of files) {
    running = file;
    await describe(`${file}${where}`, { concurrency: 1 }, async () => {
      await import(pathToFileURL(resolve(file)).href);
    });
  }
  running = undefined;
}
