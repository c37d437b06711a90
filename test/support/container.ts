import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { cp, mkdir, readFile } from "node:fs/promises";
import { join, matchesGlob, relative } from "node:path";
import { plainEnv } from "./packed.ts";

/** Result of running the steps of a Dockerfile in a folder, without a container engine or isolation. */
export interface Image {
  readonly dir: string;
  readonly env: Readonly<Record<string, string>>;
  /** The command that a container runs. */
  readonly command: readonly string[];
  readonly healthCheck: readonly string[];
  /** Skipped steps, which run neither npm nor node. */
  readonly skipped: readonly string[];
}

/** Runs the steps of a Dockerfile.  @param run runs a step of npm or node */
export async function buildImage(
  context: string,
  dir: string,
  run: (command: string, cwd: string) => Promise<unknown> = runShell,
): Promise<Image> {
  const text = await readFile(join(context, "Dockerfile"), "utf8");
  // Like Docker, the ignore file of the Dockerfile has priority.
  const ignoreFile = ["Dockerfile.dockerignore", ".dockerignore"].find((name) => existsSync(join(context, name)));
  const ignored = (ignoreFile === undefined ? "" : await readFile(join(context, ignoreFile), "utf8"))
    .split("\n")
    .map((line) => line.replace(/\/$/, ""))
    .filter((line) => line !== "" && !line.startsWith("#"));
  const image = {
    dir,
    env: {} as Record<string, string>,
    command: [] as string[],
    healthCheck: [] as string[],
    skipped: [] as string[],
  };
  await mkdir(dir, { recursive: true });
  for (const [, step = "", rest = ""] of text.matchAll(/^([A-Z]+) (?:--mount=\S+ )?(.*)$/gm)) {
    if (step === "COPY") await copy(context, dir, rest.split(" "), ignored);
    else if (step === "ENV")
      for (const pair of rest.split(" ")) Object.assign(image.env, Object.fromEntries([pair.split("=")]));
    else if (step === "CMD") image.command.push(...(JSON.parse(rest) as string[]));
    else if (step === "HEALTHCHECK") image.healthCheck.push(...(JSON.parse(rest.slice(rest.indexOf("["))) as string[]));
    else if (step === "RUN" && /^(?:npm|npx|node) /.test(rest)) await run(rest, dir);
    else if (!["FROM", "WORKDIR", "VOLUME", "USER", "EXPOSE"].includes(step)) image.skipped.push(`${step} ${rest}`);
  }
  return image;
}

async function copy(context: string, dir: string, words: readonly string[], ignored: readonly string[]): Promise<void> {
  for (const name of words.slice(0, -1)) {
    const isIgnored = (path: string): boolean =>
      ignored.some((pattern) => matchesGlob(relative(context, path), pattern));
    await cp(join(context, name.replace(/\*$/, "")), name === "." ? dir : join(dir, name.replace(/\*$/, "")), {
      recursive: true,
      filter: (path) => !isIgnored(path),
    });
  }
}

export async function runShell(
  command: string,
  cwd: string,
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  const child = spawn("sh", ["-c", `{ ${command}\n} 2>&1`], { cwd, env: { ...plainEnv(), ...more } });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${output}`);
}
