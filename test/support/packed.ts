import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The package as it would be published. */
export interface Packed {
  /** "vitrine-0.1.0.tgz", in `dir`. */
  readonly file: string;
  readonly dir: string;
  /** Bytes. */
  readonly size: number;
  readonly unpackedSize: number;
  readonly integrity: string;
  readonly files: readonly { readonly path: string }[];
}

interface LockedPackage {
  readonly version?: string;
  readonly dev?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
};
const locked = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
  readonly packages: Readonly<Record<string, LockedPackage>>;
};

/** Path in `node_modules` -> what the lock file says of each package that a store needs, with what these need. */
const production = Object.entries(locked.packages).filter(([path, { dev }]) => path !== "" && dev !== true);

export async function pack(dir: string): Promise<Packed> {
  const { stdout } = await npm(["pack", "--json", "--silent", "--pack-destination", dir], root);
  // What the build writes comes before.
  const [packed] = JSON.parse(stdout.slice(stdout.search(/^\[/m))) as readonly [
    Omit<Packed, "file" | "dir"> & { filename: string },
  ];
  return { ...packed, file: packed.filename, dir };
}

/** npm, with none of the variables by which the one that runs the tests tells scripts of itself. */
export async function npm(args: readonly string[], cwd: string): Promise<{ stdout: string; stderr: string }> {
  const [file, ...before] = npmCommand();
  return promisify(execFile)(file, [...before, ...args], {
    cwd,
    env: plainEnv(),
    maxBuffer: 64 << 20,
    shell: file === "npm.cmd",
  });
}

export function npmCommand(): readonly [string, ...string[]] {
  const own = process.env.npm_execpath;
  if (own?.endsWith("npm-cli.js") === true) return [process.execPath, own];
  return [process.platform === "win32" ? "npm.cmd" : "npm"];
}

export function plainEnv(): NodeJS.ProcessEnv {
  const left = Object.entries(process.env).filter(
    ([name]) => !/^npm_|^(?:INIT_CWD|PORT|HOST|METRICS_PORT|DATABASE_URL|NODE_TEST_CONTEXT)$/i.test(name),
  );
  return Object.fromEntries(left);
}

/** Installs the package into a folder without a registry: unpacked, beside links to the dependencies that were installed for the tests; to
 *  no others. */
export async function link({ file, dir }: Packed, into: string): Promise<void> {
  const modules = join(into, "node_modules");
  await mkdir(join(modules, ".bin"), { recursive: true });
  await promisify(execFile)("tar", ["-xzf", join(dir, file), "-C", modules]);
  await rename(join(modules, "package"), join(modules, "vitrine"));
  for (const [path] of production) {
    if (!/^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(path) || !existsSync(join(root, path))) continue;
    if (path.includes("@")) await mkdir(join(into, path, ".."), { recursive: true });
    await symlink(join(root, path), join(into, path), "junction");
  }
  await chmod(join(modules, "vitrine/dist/main.js"), 0o755);
  await symlink("../vitrine/dist/main.js", join(modules, ".bin/vitrine"));
}

/** Makes a store's package.json name the packed file, as no registry may have this version yet, and locks what that needs as it is locked here. */
export async function dependOn({ file, integrity }: Packed, store: string): Promise<void> {
  const own = JSON.parse(await readFile(join(store, "package.json"), "utf8")) as { name: string };
  const spec = `file:../${file}`;
  const dependencies = { vitrine: spec };
  const { version, dependencies: needs } = manifest;
  const packages = {
    "": { name: own.name, dependencies },
    ...Object.fromEntries(production),
    "node_modules/vitrine": {
      version,
      resolved: spec,
      integrity,
      dependencies: needs,
      bin: { vitrine: "dist/main.js" },
    },
  };
  await writeFile(join(store, "package.json"), JSON.stringify({ ...own, dependencies }, null, 2));
  await writeFile(
    join(store, "package-lock.json"),
    JSON.stringify({ name: own.name, lockfileVersion: 3, requires: true, packages }, null, 2),
  );
}

/** Whether npm failed as it reached no registry. */
export function isOffline(error: unknown): boolean {
  return /ENOTCACHED|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|E40[13]/.test(
    error instanceof Error ? `${error.message}${(error as { stderr?: string }).stderr ?? ""}` : "",
  );
}

/** Names of the packages in a folder's `node_modules`. */
export async function installed(dir: string): Promise<readonly string[]> {
  const names = await readdir(join(dir, "node_modules"));
  return names.filter((name) => !name.startsWith("."));
}
