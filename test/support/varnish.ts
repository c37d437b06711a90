import { spawn, spawnSync } from "node:child_process";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Path of Varnish 7, such as the one of Debian. Default: the one in `PATH`. */
const program = process.env.VITRINE_VARNISHD ?? "varnishd";

export function isVarnishInstalled(): boolean {
  return spawnSync(program, ["-V"]).status === 0;
}

export interface Varnish {
  /** Folder of the counters, for `varnishstat -n`. */
  readonly workDir: string;
  close(): Promise<void>;
}

/** Starts Varnish with the configuration of the guide for scaling.  @param backendPort port of the shop */
export async function startVarnish(port: number, backendPort: string): Promise<Varnish> {
  const guide = await readFile(new URL("../../docs/how-to/scaling.md", import.meta.url), "utf8");
  const [pages = "", purge = ""] = Array.from(guide.matchAll(/```vcl\n([\s\S]*?)```/g), ([, text = ""]) =>
    text.replaceAll(/^ {3}/gm, ""),
  );
  const [head = "", rest = ""] = pages.split(/(?<=^backend.*\n)/m);
  const folder = await mkdtemp(join(tmpdir(), "vitrine-varnish-"));
  // Started by root, Varnish reads its configuration as another user.
  await chmod(folder, 0o755);
  const file = join(folder, "shop.vcl");
  const workDir = join(folder, "work");
  await writeFile(file, `${head.replace("3000", backendPort)}\n${purge}\n${rest}`);
  const args = ["-F", "-a", `127.0.0.1:${port}`, "-f", file, "-n", workDir, "-s", "malloc,64m"];
  const child = spawn(program, args, { stdio: ["ignore", "ignore", "pipe"] });
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const ended = new Promise<void>((resolve) => void child.once("exit", () => resolve()));
  child.once("exit", (code) => {
    if (code !== null && code !== 0) process.stderr.write(errors);
  });
  return {
    workDir,
    async close() {
      child.kill("SIGTERM");
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
