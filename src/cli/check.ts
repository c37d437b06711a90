import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { describeFault } from "../catalog/faults.ts";
import { loadConfig } from "../config.ts";
import { checkTheme } from "../theme/check-theme.ts";
import { readArguments, wrongUsage } from "./arguments.ts";
import { catalogFiles } from "./catalog-files.ts";
import type { Io } from "./commands.ts";
import { checkCatalog } from "./import-files.ts";

const usage = `Usage: vitrine check [dir]

Checks the settings, the catalogue files and the theme of the store in dir (the folder where you stand, unless told),
and prints every fault with its file and line.`;

/** `vitrine check`: exit code 1 where it found a fault. */
export async function run(args: readonly string[], io: Io): Promise<number> {
  const given = readArguments(args, {}, usage, io);
  if (typeof given === "number") return given;
  if (given.positionals.length > 1) return wrongUsage("check takes one folder.", usage, io);
  const name = given.positionals[0] ?? ".";
  const dir = resolve(io.cwd, name);
  const config = await loadConfig(dir);
  const faults = [
    ...(await catalogFaults(name, dir, io.cwd, config)),
    ...themeFaults(name, dir, config.locales.default),
  ];
  for (const fault of faults) io.stdout.write(`${fault}\n`);
  io.stderr.write(faults.length === 0 ? `${dir}: no faults found.\n` : `${dir}: faults were found; see above.\n`);
  return faults.length === 0 ? 0 : 1;
}

async function catalogFaults(
  name: string,
  dir: string,
  cwd: string,
  config: { readonly currency: string },
): Promise<readonly string[]> {
  if (!existsSync(join(dir, "catalog"))) return [];
  const found = await checkCatalog(await catalogFiles([join(name, "catalog")], cwd), config);
  const more = found.count - found.first.length;
  return [...found.first.map(describeFault), ...(more > 0 ? [`… and ${more} more in the catalogue`] : [])];
}

function themeFaults(name: string, dir: string, locale: string): readonly string[] {
  if (!existsSync(join(dir, "theme"))) return [];
  return checkTheme(join(dir, "theme"), locale).map(({ file, line, message }) => {
    const place = line === undefined ? "" : `:${line}`;
    return `${join(name, "theme", file)}${place}: ${message}`;
  });
}
