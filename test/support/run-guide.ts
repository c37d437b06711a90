import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { outputPattern, readGuide, type Step, withEdit } from "./guide.ts";
import { plainEnv } from "./packed.ts";
import { until } from "./until.ts";

/** Origin in the documents, which the test replaces. */
const DOCUMENTED_ORIGIN = "http://127.0.0.1:3000";

export interface Served {
  readonly child: ChildProcess;
  readonly origin: string;
  readonly log: () => string;
  stop(): Promise<void>;
}

/** Environment in which a document is run. */
export interface GuideEnvironment {
  /** Current folder, which "cd" changes. */
  dir: string;
  served: Served | undefined;
}

export interface Means {
  /** Path of the file that `npx vitrine` runs. */
  readonly main: string;
  /** Replacements of commands, by prefix. */
  readonly commands?: Readonly<Record<string, (command: string, place: GuideEnvironment) => Promise<unknown>>>;
  /** Checks of the test that the document calls by name. */
  readonly checks?: Readonly<Record<string, (what: string, place: GuideEnvironment) => Promise<unknown>>>;
}

/** Runs the steps of a document and compares their output.  @returns the number of steps */
export async function runGuide(file: string, place: GuideEnvironment, means: Means): Promise<number> {
  const steps = readGuide(await readFile(file, "utf8"));
  try {
    for (const step of steps)
      await follow(step, place, means).catch((error: unknown) => {
        const message = error instanceof Error ? error.message : String(error);
        throw new Error(`${file}:${step.line}: ${message}\n${place.served?.log() ?? ""}`, { cause: error });
      });
  } finally {
    await place.served?.stop();
    place.served = undefined;
  }
  return steps.length;
}

async function follow(step: Step, place: GuideEnvironment, means: Means): Promise<unknown> {
  if (step.kind === "command") return type(step.command, step.output, place, means);
  if (step.kind === "look") return runCheck(step.name, step.what, place, means);
  const path = join(place.dir, step.file);
  if (step.kind === "file") {
    await mkdir(dirname(path), { recursive: true });
    return writeFile(path, step.text);
  }
  const edited = withEdit(await readFile(path, "utf8"), step.before, step.after);
  assert.ok(edited !== undefined, `${step.file} holds these lines not once:\n${step.before.join("\n")}`);
  return writeFile(path, edited);
}

async function type(command: string, output: string, place: GuideEnvironment, means: Means): Promise<unknown> {
  if (command.startsWith("cd ")) {
    place.dir = resolve(place.dir, command.slice(3));
    return;
  }
  const other = Object.entries(means.commands ?? {}).find(([begin]) => command.startsWith(begin));
  if (other !== undefined) return other[1](command, place);
  const words = command.replace(/^npx vitrine\b/, '"$NODE" "$VITRINE"');
  const env = {
    ...{ ...plainEnv(), NODE: process.execPath, VITRINE: means.main, npm_lifecycle_event: "npx", PORT: "0" },
    // All commands of a run share compiled code.
    NODE_COMPILE_CACHE: join(dirname(means.main), ".compiled"),
  };
  if (/^npx vitrine serve\b/.test(command)) {
    await place.served?.stop();
    // Each additional thread costs start time. The container and `npm start` run several.
    place.served = await serve("sh", ["-c", `exec ${words} --threads 1`], { cwd: place.dir, env });
    return compare(command, place.served.log().replaceAll(place.served.origin, DOCUMENTED_ORIGIN), output);
  }
  const child = spawn("sh", ["-c", `{ ${words}\n} 2>&1`], { cwd: place.dir, env });
  let actual = "";
  child.stdout.on("data", (chunk: Buffer) => {
    actual += chunk.toString();
  });
  const [code] = await once(child, "close");
  assert.equal(code, 0, `${command}\n${actual}`);
  if (output !== "") compare(command, actual, output);
}

function compare(command: string, actual: string, output: string): void {
  assert.ok(outputPattern(output).test(actual), `${command} writes\n${actual}\nwhere the page has\n${output}`);
}

/** Starts a server and reads its URL from its output. */
export async function serve(
  command: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<Served> {
  const child = spawn(command, args, options);
  const closed = once(child, "close");
  let log = "";
  const origin = await new Promise<string>((done, failed) => {
    const take = (chunk: Buffer): void => {
      log += chunk.toString();
      const [, address] = /^Vitrine is serving .*(http:\/\/\S+)\s*$/m.exec(log) ?? [];
      if (address !== undefined) done(address.replace("0.0.0.0", "127.0.0.1"));
    };
    child.stdout.on("data", take);
    child.stderr.on("data", take);
    closed.then(([code]) => failed(new Error(`the server ended with ${code}: ${log}`)), failed);
  });
  const stop = async (): Promise<void> => {
    const exited = child.exitCode === null && child.signalCode === null ? once(child, "exit") : undefined;
    child.kill("SIGTERM");
    await exited;
  };
  return { child, origin, log: () => log, stop };
}

async function runCheck(name: string, what: string, place: GuideEnvironment, means: Means): Promise<unknown> {
  const other = means.checks?.[name];
  if (other !== undefined) return other(what, place);
  const [, target = "", text = ""] = /^(.*?):? ?"(.*)"$/s.exec(what) ?? assert.fail(`cannot read ${name} ${what}`);
  const { served } = place;
  assert.ok(served, "nothing is served here");
  const builtInChecks: Readonly<Record<string, () => Promise<string>>> = {
    page: async () => (await fetch(served.origin + target)).text(),
    suggests: async () => (await fetch(`${served.origin}/search/suggest.json?q=${encodeURIComponent(target)}`)).text(),
    log: async () => served.log(),
  };
  const see = builtInChecks[name] ?? assert.fail(`unknown check: ${name}`);
  await until(
    async () => assert.ok((await see()).includes(text)) === undefined,
    `${name} ${target} has ${JSON.stringify(text)}`,
  );
}
