import { execFile } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** A packed package. */
export interface PackedFile {
  /** File name in the folder passed to `pack`, such as "vitrine-0.1.0.tgz". */
  readonly file: string;
  /** Name in package.json, such as "@vitrine/search". */
  readonly name: string;
  /** Size of the file in bytes. */
  readonly size: number;
  readonly unpackedSize: number;
  readonly integrity: string;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

/** The server's package. */
export interface Packed extends PackedFile {
  /** Folder with all packed files. */
  readonly dir: string;
  /** Packages of this repository on which the server depends. */
  readonly workspaces: readonly PackedFile[];
}

interface LockedPackage {
  readonly link?: boolean;
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

/**
 * Lock file entries of all registry packages that a store needs, including transitive dependencies, by path in
 * `node_modules`.
 */
const production = Object.entries(locked.packages).filter(
  ([path, { dev, link }]) => path.startsWith("node_modules/") && dev !== true && link !== true,
);

/** Builds and packs the server and the packages under `packages/`. */
export async function pack(dir: string): Promise<Packed> {
  // This writes `dist/` of all packages.
  const [server] = await packFolders(["."], root, dir);
  const folders = globSync("packages/*/dist", { cwd: root }).sort();
  const workspaces = await packFolders(
    folders.map((folder) => `./${folder}`),
    root,
    dir,
  );
  return { ...(server as PackedFile), dir, workspaces };
}

/** Builds and packs one package under `packages/` into `dir`.  @param name name of the package, such as "search" */
export async function packPackage(name: string, dir: string): Promise<PackedFile> {
  const folder = join(dir, `build-${name}`);
  await promisify(execFile)(process.execPath, [join(root, "scripts/build.ts"), name, folder]);
  const [packed] = await packFolders(["."], folder, dir);
  return packed as PackedFile;
}

/** @param folders paths that begin with "." and are relative to `cwd` */
async function packFolders(folders: readonly string[], cwd: string, dir: string): Promise<readonly PackedFile[]> {
  const args = ["pack", "--json", "--silent", "--pack-destination", dir];
  const { stdout } = await npm([...args, ...folders], cwd);
  // The output of the build precedes the JSON.
  const packed = JSON.parse(stdout.slice(stdout.search(/^\[/m))) as readonly (Omit<PackedFile, "file"> & {
    filename: string;
  })[];
  return packed.map((one) => ({ ...one, file: one.filename }));
}

/** Runs npm without the variables that the outer npm sets for its scripts. */
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
  const npmScript = process.env.npm_execpath;
  if (npmScript?.endsWith("npm-cli.js") === true) return [process.execPath, npmScript];
  return [process.platform === "win32" ? "npm.cmd" : "npm"];
}

export function plainEnv(): NodeJS.ProcessEnv {
  const left = Object.entries(process.env).filter(
    ([name]) => !/^npm_|^(?:INIT_CWD|PORT|HOST|METRICS_PORT|DATABASE_URL|NODE_TEST_CONTEXT)$/i.test(name),
  );
  return Object.fromEntries(left);
}

/**
 * Installs the server and its workspaces into a folder without a registry: unpacked, next to links to their production
 * dependencies.
 */
export async function link(packed: Packed, into: string): Promise<void> {
  const modules = join(into, "node_modules");
  await mkdir(join(modules, ".bin"), { recursive: true });
  for (const { name, file } of [packed, ...packed.workspaces]) {
    const target = join(modules, name);
    await mkdir(target, { recursive: true });
    await promisify(execFile)("tar", ["-xzf", join(packed.dir, file), "-C", target, "--strip-components=1"]);
  }
  for (const [path] of production) {
    if (!/^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(path) || !existsSync(join(root, path))) continue;
    if (path.includes("@")) await mkdir(join(into, path, ".."), { recursive: true });
    await symlink(join(root, path), join(into, path), "junction");
  }
  await chmod(join(modules, "vitrine/dist/main.js"), 0o755);
  await symlink("../vitrine/dist/main.js", join(modules, ".bin/vitrine"));
}

/** Makes a store's package.json depend on the packed files, because a registry may not have this version yet, and locks their dependencies to
 *  the versions that this repository locks. */
export async function dependOn(packed: Packed, store: string): Promise<void> {
  const storeManifest = JSON.parse(await readFile(join(store, "package.json"), "utf8")) as { name: string };
  const { version, dependencies: needs } = manifest;
  const files = [packed, ...packed.workspaces];
  const dependencies = Object.fromEntries(files.map(({ name, file }) => [name, `file:../${file}`]));
  const locks = files.map(({ name, file, integrity }) => {
    const server = name === "vitrine" ? { dependencies: needs, bin: { vitrine: "dist/main.js" } } : {};
    return [`node_modules/${name}`, { version, resolved: `file:../${file}`, integrity, ...server }] as const;
  });
  const packages = {
    "": { name: storeManifest.name, dependencies },
    ...Object.fromEntries([...production, ...locks]),
  };
  await writeFile(join(store, "package.json"), JSON.stringify({ ...storeManifest, dependencies }, null, 2));
  await writeFile(
    join(store, "package-lock.json"),
    JSON.stringify({ name: storeManifest.name, lockfileVersion: 3, requires: true, packages }, null, 2),
  );
}

/** Returns whether npm failed because it could not reach a registry. */
export function isOffline(error: unknown): boolean {
  return /ENOTCACHED|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|E40[13]/.test(
    error instanceof Error ? `${error.message}${(error as { stderr?: string }).stderr ?? ""}` : "",
  );
}

/** Returns the names of the packages in a folder's `node_modules`. */
export async function installed(dir: string): Promise<readonly string[]> {
  const names = await readdir(join(dir, "node_modules"));
  return names.filter((name) => !name.startsWith("."));
}
