// Installs missing dependencies before `npm start`, `npm test` and `npm run vitrine`. It is plain JavaScript for Node
// 20. It also passes the user's current folder to the next script, because npm sets INIT_CWD itself.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const stampFile = `${root}node_modules/.vitrine-installed`;
const lock = readFileSync(`${root}package-lock.json`, "utf8");
const isCurrent = existsSync(stampFile) && readFileSync(stampFile, "utf8") === lock;

if (!isCurrent) {
  process.stderr.write("Installing what Vitrine needs (once; about half a minute) ...\n");
  // Other package managers also set the variable, but cannot read npm's lock file.
  const npm = /npm-cli\.js$/.exec(process.env.npm_execpath ?? "")?.input;
  const command = npm ? [process.execPath, npm] : ["npm"];
  const result = spawnSync(command[0], [...command.slice(1), "ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: root,
    stdio: ["ignore", process.stderr, process.stderr],
    // On Windows, npm is a shell script.
    shell: npm === undefined && process.platform === "win32",
  });
  if (result.status !== 0) {
    if (result.error) process.stderr.write(`${result.error.message}\n`);
    process.stderr.write("The installation failed: see the lines above; then run the same command again.\n");
    process.exit(1);
  }
  writeFileSync(stampFile, lock);
}
