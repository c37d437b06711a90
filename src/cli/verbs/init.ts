import { cp, mkdir, readdir, writeFile } from "node:fs/promises";
import { relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { SetupError } from "../../setup-error.ts";
import { readArguments, wrongUsage } from "../arguments.ts";
import type { Io } from "../io.ts";
import { quoted } from "../program.ts";

const usage = `Usage: vitrine init <dir>

Makes a store folder: vitrine.config.ts, a small catalogue and the default theme, ready to be changed.`;

/** `vitrine init`: never writes into a folder that holds something. */
export async function run(args: readonly string[], io: Io): Promise<number> {
  const given = readArguments(args, {}, usage, io);
  if (typeof given === "number") return given;
  const [name, ...more] = given.positionals;
  if (name === undefined || more.length > 0) return wrongUsage("init takes one folder.", usage, io);
  const dir = resolve(io.cwd, name);
  await mkdir(dir, { recursive: true });
  if ((await readdir(dir)).length > 0) throw new SetupError(`${dir}: the folder is not empty. Name a new one.`);
  await cp(packagePath("../../../examples/starter/"), dir, {
    recursive: true,
    filter: (path) => !/[\\/]data$/.test(path),
  });
  await cp(packagePath("../../../themes/default/"), resolve(dir, "theme"), { recursive: true });
  await writeFile(resolve(dir, ".gitignore"), ignored);
  const near = relative(io.cwd, dir) || ".";
  io.stdout.write(`Made a store in ${dir}. Next: ${io.program} serve ${quoted(near.startsWith("..") ? dir : near)}\n`);
  return 0;
}

/** npm packs no file of this name, so it is written here. */
const ignored = "# The database, the secret that signs, and what is made again.\ndata/\n";

function packagePath(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}
