import { spawnSync } from "node:child_process";
import { hash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Files of a checkout that a server needs. */
const servedFiles = ["src", "packages", "themes", "client", "notifications", "package.json", "package-lock.json"];

/** Returns the version of the last release, the first one with a date in `CHANGELOG.md`. */
export function lastReleaseVersion(): string {
  const [, version] =
    /^## (\d+\.\d+\.\d+) \(\d{4}-\d\d-\d\d\)$/m.exec(readFileSync(join(root, "CHANGELOG.md"), "utf8")) ?? [];
  if (version === undefined) throw new Error("CHANGELOG.md has no release");
  return version;
}

/** The last release with its dependencies, or the reason why this clone cannot run it. */
export type LastRelease =
  | { readonly version: string; readonly commit: string; readonly main: string }
  | { readonly skipReason: string };

/** Checks out the last release into a folder for temporary files. Later calls reuse the folder. */
export function checkOutLastRelease(): LastRelease {
  const version = lastReleaseVersion();
  const commit = findRelease(version);
  if (commit === undefined)
    return { skipReason: `this clone lacks Vitrine ${version}: run "git fetch --tags --unshallow"` };
  // The packages are links into this checkout, so each checkout has a separate folder.
  const dir = join(tmpdir(), `vitrine-release-${commit.slice(0, 12)}-${hash("sha256", root).slice(0, 12)}`);
  const release = { version, commit, main: join(dir, "src", "main.ts") };
  if (existsSync(dir)) return release;
  const unfinishedDir = mkdtempSync(`${dir}-`);
  const archive = git("archive", "--format=tar", commit, "--", ...servedFiles);
  const unpacked = spawnSync("tar", ["-x", "-C", unfinishedDir], { input: archive });
  if (unpacked.status !== 0) throw new Error(`tar failed: ${unpacked.stderr}`);
  if (!linkDependencies(unfinishedDir, dir) && !installDependencies(unfinishedDir)) {
    rmSync(unfinishedDir, { recursive: true });
    return { skipReason: `the dependencies of Vitrine ${version} cannot be installed` };
  }
  // If two processes create it, the first one wins.
  try {
    renameSync(unfinishedDir, dir);
  } catch {
    rmSync(unfinishedDir, { recursive: true });
  }
  return release;
}

/** Returns the file of the last release as it was published; undefined if this clone lacks the release. */
export function readReleasedFile(path: string): string | undefined {
  const commit = findRelease(lastReleaseVersion());
  return commit === undefined ? undefined : git("show", `${commit}:${path}`)?.toString();
}

/** Finds the commit of a release by its tag, or by its subject, because a clone may lack tags. */
function findRelease(version: string): string | undefined {
  const commit =
    git("rev-parse", "--quiet", "--verify", `v${version}^{commit}`) ??
    git("log", "-1", "--format=%H", `--grep=^Release ${version.replaceAll(".", "\\.")}$`);
  return commit?.toString().trim() || undefined;
}

/** Returns the output of git; undefined if the command fails, or this is no clone. */
function git(...args: readonly string[]): Buffer | undefined {
  const { status, stdout } = spawnSync("git", ["-C", root, ...args], { maxBuffer: 256e6 });
  return status === 0 ? stdout : undefined;
}

/**
 * Links the installed packages, except those of the release itself.
 * @param finalDir path of the folder after it is complete
 * @returns whether this checkout has all dependencies of the release, in the same versions
 */
function linkDependencies(dir: string, finalDir: string): boolean {
  const installed = new Set(dependenciesOf(root));
  if (!dependenciesOf(dir).every((dependency) => installed.has(dependency))) return false;
  const target = join(dir, "node_modules");
  mkdirSync(join(target, "@vitrine"), { recursive: true });
  for (const name of readdirSync(join(root, "node_modules")))
    if (!name.startsWith(".") && name !== "@vitrine")
      symlinkSync(join(root, "node_modules", name), join(target, name), "junction");
  for (const name of readdirSync(join(dir, "packages")))
    symlinkSync(join(finalDir, "packages", name), join(target, "@vitrine", name), "junction");
  return true;
}

/** Returns the paths and versions of the packages that a server needs. */
function dependenciesOf(dir: string): readonly string[] {
  const { packages } = JSON.parse(readFileSync(join(dir, "package-lock.json"), "utf8")) as {
    readonly packages: Readonly<
      Record<string, { readonly version?: string; readonly dev?: boolean; readonly link?: boolean }>
    >;
  };
  return Object.entries(packages)
    .filter(([path, { dev, link }]) => path.startsWith("node_modules/") && dev !== true && link !== true)
    .map(([path, { version }]) => `${path} ${version}`);
}

function installDependencies(dir: string): boolean {
  const args = ["ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"];
  return spawnSync("npm", args, { cwd: dir, shell: process.platform === "win32" }).status === 0;
}
