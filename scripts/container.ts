// Builds deploy/Dockerfile and runs the image, without a registry of images and without a daemon. Needs Linux, root, and
// Debian's packages buildah and debootstrap. Prints a log, and fails if the container does not work as documented.
//   node scripts/container.ts [--suite bookworm] [--keep <folder for the base>]
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, chown, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { createClient } from "../test/support/client.ts";
import { dependOn, pack, plainEnv } from "../test/support/packed.ts";
import { until } from "../test/support/until.ts";

const { values: options } = parseArgs({
  options: { suite: { type: "string", default: "bookworm" }, keep: { type: "string" } },
});
/** User ID of "node" in the images of Node. */
const NODE_UID = 1_000;
const PORT = "3900";
/** Maximum size of the image in a registry, in megabytes. */
const MAX_SIZE_MB = 250;
const CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt";

const run = promisify(execFile);
const log = (text: string): void => void process.stdout.write(`${text}\n`);
const scratch = await mkdtemp(join(tmpdir(), "vitrine-container-"));

async function buildah(...args: readonly string[]): Promise<string> {
  const storage = ["--storage-driver", "vfs", "--root", join(scratch, "storage"), "--runroot", join(scratch, "run")];
  const { stdout } = await run("buildah", [...storage, ...args], { env: plainEnv(), maxBuffer: 64 << 20 });
  return stdout.trim();
}

/** Creates the files of an image like node:26-slim: Debian, Node, npm, and the user "node". */
async function createBase(folder: string): Promise<void> {
  if (existsSync(join(folder, "usr/local/bin/node"))) return;
  if (!existsSync(join(folder, "etc/debian_version")))
    await run("debootstrap", ["--variant=minbase", "--include=ca-certificates,libatomic1", options.suite, folder]);
  for (const path of [
    "var/cache/apt",
    "var/lib/apt/lists",
    "usr/share/doc",
    "usr/share/man",
    "usr/share/locale",
    "var/log",
  ])
    await rm(join(folder, path), { recursive: true });
  await cp(process.execPath, join(folder, "usr/local/bin/node"), { dereference: true });
  const { stdout: npmPath } = await run("sh", ["-c", 'realpath "$(command -v npm)"']);
  await cp(join(npmPath.trim(), "../.."), join(folder, "usr/local/lib/node_modules/npm"), { recursive: true });
  for (const name of ["npm", "npx"])
    await symlink(`../lib/node_modules/npm/bin/${name}-cli.js`, join(folder, "usr/local/bin", name));
  await run("chroot", [folder, "useradd", "--uid", String(NODE_UID), "--user-group", "--create-home", "node"]);
  await cp(CERTIFICATES, join(folder, CERTIFICATES), { dereference: true });
}

/** Creates a store, and the packages of this version next to it.  @returns the files that the base image needs */
async function createStore(storeDir: string): Promise<readonly string[]> {
  const packed = await pack(scratch);
  await run(process.execPath, [join(import.meta.dirname, "../src/main.ts"), "init", storeDir], {
    cwd: scratch,
    env: plainEnv(),
  });
  await dependOn(packed, storeDir);
  return [packed, ...packed.workspaces].map(({ file }) => join(scratch, file));
}

async function buildImage(base: string, storeDir: string, packages: readonly string[]): Promise<void> {
  const container = await buildah("from", "scratch");
  await buildah("copy", "--quiet", container, base, "/");
  // The registry may not have this version yet, so the store depends on files of the base.
  await buildah("copy", "--quiet", container, ...packages, "/");
  await buildah(
    "config",
    "--env",
    "PATH=/usr/local/bin:/usr/bin:/bin",
    "--env",
    `npm_config_cafile=${CERTIFICATES}`,
    container,
  );
  await buildah("commit", "--quiet", "--rm", container, "node-base");
  const text = await readFile(join(import.meta.dirname, "../deploy/Dockerfile"), "utf8");
  await writeFile(join(storeDir, "Dockerfile"), text.replace(/^FROM .*$/m, "FROM localhost/node-base"));
  const options = ["--isolation", "chroot", "--format", "docker", "--layers=false", "--pull-never"];
  await buildah("bud", ...options, "--tag", "shop", storeDir);
}

interface ImageSettings {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Cmd: readonly string[];
  readonly WorkingDir: string;
  readonly Volumes: Readonly<Record<string, object>>;
  readonly Healthcheck: { readonly Test: readonly string[] };
}

/** Runs the container with a read-only root file system and a volume, as the user of the image. */
async function start(root: string, volume: string, { Cmd, Env, WorkingDir }: ImageSettings) {
  const script = `mount --bind "$1" "$1" && mount --bind "$2" "$1/shop/data" && mount -t tmpfs tmpfs "$1/tmp" &&
    mount --rbind /dev "$1/dev" && mount -t proc proc "$1/proc" && mount -o remount,bind,ro "$1" && shift 2 && exec "$@"`;
  const environment = [...Env, `PORT=${PORT}`, "HOME=/tmp"];
  const inside = ["chroot", `--userspec=${NODE_UID}:${NODE_UID}`, root, "env", "-i", "-C", WorkingDir, ...environment];
  const child = spawn("unshare", ["--mount", "sh", "-c", script, "sh", root, volume, ...inside, ...Cmd], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  const finished = once(child, "exit");
  /** Runs a command in the container.  @returns its error output; undefined if it succeeded */
  const execute = (...command: readonly string[]): Promise<string | undefined> =>
    run("nsenter", ["--target", String(child.pid), "--mount", ...inside, ...command]).then(
      () => undefined,
      (error: { stderr: string; message: string }) => error.stderr || error.message,
    );
  return { child, finished, execute };
}

function requireThat(isMet: boolean, text: string): void {
  if (!isMet) throw new Error(`not met: ${text}`);
  log(`ok: ${text}`);
}

try {
  const base = options.keep ?? join(scratch, "base");
  await mkdir(dirname(base), { recursive: true });
  await createBase(base);
  log("The base is complete.");
  const storeDir = join(scratch, "shop");
  const packages = await createStore(storeDir);
  await buildImage(base, storeDir, packages);
  const inspected = JSON.parse(await buildah("inspect", "--type", "image", "shop")) as {
    Docker: { config: ImageSettings };
  };
  const settings = inspected.Docker.config;
  log(`user ${settings.User}, command ${settings.Cmd.join(" ")}, volumes ${Object.keys(settings.Volumes).join()}`);
  const container = await buildah("from", "--pull-never", "localhost/shop");
  const root = await buildah("mount", container);
  const { stdout: bytes } = await run("sh", ["-c", `tar -C "$1" -c . | gzip -1 | wc -c`, "sh", root]);
  const compressedMb = Math.round(Number(bytes) / 1e6);
  for (const folder of ["", "shop"])
    log((await run("du", ["-sm", join(root, folder)])).stdout.trim().replace(root, "MB unpacked in the image: "));
  requireThat(compressedMb < MAX_SIZE_MB, `the image has ${compressedMb} MB compressed, less than ${MAX_SIZE_MB}`);
  const volume = join(scratch, "volume");
  await mkdir(volume);
  await chown(volume, NODE_UID, NODE_UID);
  await chmod(volume, 0o700);
  const client = createClient(`http://127.0.0.1:${PORT}`);
  for (const isFirstStart of [true, false]) {
    const { child, finished, execute } = await start(root, volume, settings);
    const [, ...healthCheck] = settings.Healthcheck.Test;
    await until(async () => (await execute(...healthCheck)) === undefined, "the health check succeeds");
    log(`ok: the health check succeeds, ${isFirstStart ? "first" : "second"} start`);
    const status = await readFile(`/proc/${child.pid}/status`, "utf8");
    requireThat(status.includes(`Uid:\t${NODE_UID}\t`), `the process runs as the user ${NODE_UID}`);
    const refusal = await execute("sh", "-c", "touch /shop/file");
    requireThat(/Read-only file system/.test(refusal ?? ""), "the root file system is read-only");
    requireThat((await client.get("/")).status === 200, "the home page is served");
    const { products } = (await client.get("/products.json")).json<{ products: { variants: { id: number }[] }[] }>();
    if (isFirstStart) await client.post("/cart/add.js", { id: products[0]?.variants[0]?.id, quantity: 2 });
    const cart = (await client.get("/cart.js")).json<{ item_count: number }>();
    requireThat(cart.item_count === 2, "the cart has two items");
    const stopped = performance.now();
    child.kill("SIGTERM");
    const [code] = await finished;
    requireThat(code === 0, `the container stops with code 0 after ${Math.round(performance.now() - stopped)} ms`);
  }
} finally {
  await buildah("umount", "--all").catch(() => undefined);
  await rm(scratch, { recursive: true, force: true });
}
