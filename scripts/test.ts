// Runs every test file: `npm test`, or `npm run test:all -- <part of a path>` for some of them.
import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";

const wanted = process.argv.slice(2);
const files = globSync(["src/**/*.test.ts", "test/**/*.test.ts"])
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
  .sort((a, b) => Number(isSlow(b)) - Number(isSlow(a)) || a.localeCompare(b));
if (files.length === 0) {
  process.stderr.write(`No test file's path holds ${wanted.join(" or ")}.\n`);
  process.exit(1);
}
const result = spawnSync(process.execPath, ["--test", "--test-concurrency=2", "--test-timeout=120000", ...files], {
  stdio: "inherit",
});
process.exit(result.status ?? 1);

/** Slow ones start first, so that none is left running alone at the end. */
function isSlow(file: string): boolean {
  return file.startsWith("test/browser") || file.startsWith("test/faults");
}
