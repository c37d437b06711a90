// Packs the package, installs it with production dependencies only, and runs the guides. All tests share one
// installation.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join, posix } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describeOldRuntime } from "../../src/cli/runtime.ts";
import { add } from "../support/assertions.ts";
import { address, checkoutOf, submit } from "../support/checkout-page.ts";
import { createClient } from "../support/client.ts";
import { buildImage, type Image, runShell } from "../support/container.ts";
import { dependOn, installed, isOffline, link, npm, npmCommand, pack, plainEnv } from "../support/packed.ts";
import { type GuideEnvironment, type Means, runGuide, serve } from "../support/run-guide.ts";
import { until } from "../support/until.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const isWindows = process.platform === "win32";
const run = promisify(execFile);
// Paths on Windows and macOS often contain a space.
const scratch = await realpath(await mkdtemp(join(tmpdir(), "vitrine package-")));
after(() => rm(scratch, { recursive: true, force: true, maxRetries: 5 }));
const packed = await pack(scratch);
const main = join(scratch, "node_modules/vitrine/dist/main.js");
// On Windows, tests may lack permission to create links.
const files = [packed, ...packed.workspaces].map(({ file }) => file);
if (isWindows) await npm(["install", "--omit=dev", "--no-audit", "--no-fund", ...files], scratch);
else await link(packed, scratch);

/**
 * Maximum bytes of the server and its packages: packed, and unpacked without declarations and documents of the
 * packages.
 */
const MOST = 2_060_000;
const MOST_UNPACKED = 6_750_000;

test("the server and its packages are under 2.06 MB, unpacked under 6.75, without sources, tests or screenshots", (t) => {
  const all = [packed, ...packed.workspaces];
  const size = all.reduce((sum, one) => sum + one.size, 0);
  const scripts = packed.workspaces.flatMap(({ files }) => files.filter(({ path }) => /\.js(?:on)?$/.test(path)));
  const unpackedSize = scripts.reduce((sum, one) => sum + one.size, packed.unpackedSize);
  t.diagnostic(`${size} bytes packed, ${unpackedSize} unpacked`);
  assert.ok(size < MOST && unpackedSize < MOST_UNPACKED, `${size}, ${unpackedSize}`);
  const paths = packed.files.map(({ path }) => path);
  for (const path of [
    "dist/main.js",
    "dist/index.d.ts",
    "deploy/Dockerfile",
    "docs/README.md",
    "openapi.yaml",
    "LICENSE",
  ])
    assert.ok(paths.includes(path), path);
  assert.deepEqual(
    paths.filter((path) => /^(?:src|test|bench|scripts)\/|\.test\.|\.fixture\.|docs\/images/.test(path)),
    [],
  );
  const modules = packed.workspaces.flatMap(({ files }) => files.map(({ path }) => path));
  assert.deepEqual(
    modules.filter(
      (path) => !/\.js(?:on)?$|\.d\.ts$|^(?:README\.md|LICENSE)$/.test(path) || /\.(?:test|fixture)\./.test(path),
    ),
    [],
  );
});

test("links of the packaged documents resolve within the package", async () => {
  const paths = packed.files.map(({ path }) => path);
  const isThere = (path: string) => paths.some((one) => one === path || one.startsWith(`${path.replace(/\/$/, "")}/`));
  // The registry resolves links of README.md within the repository, and shows the alternative text of images that are
  // not packed.
  const brokenLinks = paths
    .filter((path) => path.endsWith(".md") && path !== "README.md")
    .flatMap((path) => {
      const text = readFileSync(join(root, path), "utf8").replaceAll(/```[\s\S]*?```|`[^`]*`/g, "");
      return Array.from(text.matchAll(/(?<!!\[[^\]]*)\]\(([^)\s#]+)/g), ([, to = ""]) => to)
        .filter((to) => !/^[a-z]+:/.test(to) && !isThere(posix.join(posix.dirname(path), to)))
        .map((to) => `${path}: ${to}`);
    });
  assert.deepEqual(brokenLinks, []);
});

test("an older Node version prints which version is required", async () => {
  assert.match(
    describeOldRuntime({ ...process.versions, node: "20.19.4" }) ?? "",
    /^Vitrine needs Node 24\.15 or later; this is 20\.19\.4\. Install .*nodejs\.org.*\.$/,
  );
  assert.equal(describeOldRuntime(process.versions), undefined);
  // Modules imported before the version check must parse in any Node version.
  const modulesOf = async (file: string): Promise<readonly string[]> => {
    const text = await readFile(file, "utf8");
    const imported = Array.from(text.matchAll(/^(?:import|} from) .*"(\..*)";?$/gm), ([, from = ""]) =>
      join(file, "..", from),
    );
    return [...text.matchAll(/^\/\/ (src\/.*)$/gm)]
      .map(([, module = ""]) => module)
      .concat((await Promise.all(imported.map(modulesOf))).flat());
  };
  assert.deepEqual(await modulesOf(main), ["src/cli/runtime.ts", "src/main.ts"]);
});

test("the package types are valid under the strictest settings, dependencies included", async () => {
  const dir = join(scratch, "consumer");
  await mkdir(dir);
  const consumer = `import { createApp, defineHooks, defineStore, type App, type Config, type Hooks } from "vitrine";
import { createClient, VitrineError } from "vitrine/client";
export const store = defineStore({ name: "A", cart: { maxLines: 3 } });
export const hooks: Hooks = defineHooks({});
export const app: Promise<App> = createApp({ storeDir: "." });
export const total = async (): Promise<number> => (await createClient({ origin: "http://a" }).cart().read()).total_price;
export const isOurs = (error: unknown): error is VitrineError => error instanceof VitrineError;
export const nameOf = ({ name }: Config, { config }: App): string => name + config.name;
// @ts-expect-error an unknown setting
defineStore({ colour: "blue" });
`;
  const compilerOptions = {
    ...{ module: "nodenext", target: "esnext", types: ["node"], typeRoots: [join(root, "node_modules/@types")] },
    ...{ strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, noEmit: true },
  };
  await writeFile(join(dir, "consumer.mts"), consumer);
  await writeFile(join(dir, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["consumer.mts"] }));
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const { stdout } = await run(process.execPath, [tsc, "-p", dir, "--singleThreaded"]).catch(
    (error: { stdout: string }) => error,
  );
  assert.equal(stdout, "");
});

test("init rejects a non-empty folder and a file with a remedy, and creates nothing", async () => {
  await mkdir(join(scratch, "full"));
  await writeFile(join(scratch, "full/notes.txt"), "");
  const init = (name: string) =>
    run(process.execPath, [main, "init", name], { cwd: scratch, env: plainEnv() }).catch(
      (error: { stderr: string; code: number }) => error,
    );
  const [full, file] = [await init("full"), await init("full/notes.txt")];
  assert.match(full.stderr, /full: the folder is not empty \(it contains notes\.txt\).*"npx vitrine init full-2"/);
  assert.match(file.stderr, /notes\.txt: is a file or is inside one\. Use a new folder\./);
});

const follow = { main };
/** All steps of the container file share compiled code. */
const compiled = { NODE_COMPILE_CACHE: join(scratch, ".compiled") };
let image: Image | undefined;

/** Returns a folder with the packed files, below the folder of the installed package. */
async function placeFor(name: string): Promise<GuideEnvironment> {
  const dir = join(scratch, name);
  await mkdir(dir);
  for (const file of files) await cp(join(scratch, file), join(dir, file));
  return { dir, served: undefined };
}

const takeExport = async (name: string, place: GuideEnvironment): Promise<void> =>
  cp(join(root, "examples/shopify-export", name), join(place.dir, name));

test("the getting started tutorial works: store, export, price, synonym, translation, theme, container", {
  skip: isWindows && "its commands are those of sh",
}, async (t) => {
  const place = await placeFor("first hour");
  const means: Means = {
    ...follow,
    commands: {
      // The registry may not have this version yet, so the store depends on the packed file, with the versions locked
      // here.
      "npm install": (_, { dir }) => dependOn({ ...packed, dir: place.dir }, dir),
      "docker build": async (_, { dir }) => {
        image = await buildImage(dir, join(dir, "../image"), (command, cwd) =>
          runOrLink(command, cwd, (said) => t.diagnostic(said)),
        );
      },
      "docker run": async () => {
        await place.served?.stop();
        const { dir, env, command } = image ?? assert.fail("nothing was built");
        const [file = "", ...args] = command;
        place.served = await serve(file, args, { cwd: dir, env: { ...plainEnv(), ...env, ...compiled, PORT: "0" } });
      },
    },
    checks: {
      export: takeExport,
      healthy: async (_, { served }) => {
        const [file = "", ...args] = image?.healthCheck ?? [];
        const env = { ...plainEnv(), PORT: new URL(served?.origin ?? "").port };
        assert.equal((await run(file === "node" ? process.execPath : file, args, { env })).stderr, "");
      },
    },
  };
  assert.ok((await runGuide(join(root, "docs/tutorials/getting-started.md"), place, means)) > 30);
  assert.deepEqual(image?.skipped, ["RUN install -d -o node -g node -m 700 data"]);
  const names = await installed(image?.dir ?? "");
  assert.ok(
    names.includes("vitrine") && !names.includes("typescript") && !names.includes("playwright-core"),
    names.join(),
  );
});

/** Runs a step of the container file. Without a registry, it links the dependencies that are installed here. */
async function runOrLink(command: string, dir: string, tell: (said: string) => void): Promise<void> {
  try {
    await runShell(command, dir, { npm_config_prefer_offline: "true", ...compiled });
  } catch (error) {
    if (!command.startsWith("npm install") || !isOffline(error)) throw error;
    tell("no registry can be reached: dependencies were linked rather than installed");
    await rm(join(dir, "node_modules"), { recursive: true, force: true });
    await link(packed, dir);
  }
}

interface CartWithCodes {
  readonly discount_codes: readonly { readonly applicable: boolean }[];
}

interface Refusal {
  readonly issues: readonly { readonly available_quantity: number }[];
}

test("the first order tutorial works: prices, order, payment, shipment, refund", {
  skip: isWindows && "its commands are those of sh",
}, async () => {
  const place = await placeFor("an evening");
  const origin = (): string => place.served?.origin ?? assert.fail("nothing is served");
  const variantOf = async (sku: string) => {
    const { variants } = (await (await fetch(`${origin()}/products/rubber-boots.js`)).json()) as {
      readonly variants: readonly { readonly id: number; readonly sku: string }[];
    };
    return variants.find((one) => one.sku === sku) ?? assert.fail(sku);
  };
  let status = "";
  const means: Means = {
    ...follow,
    checks: {
      export: takeExport,
      async order(what) {
        const [, quantity = "", sku = "", code = "", email = ""] =
          /^(\d+) (\S+) with (\S+) for (\S+)$/.exec(what) ?? [];
        const client = createClient(origin());
        await add(client, (await variantOf(sku)).id, Number(quantity));
        const withCode = async () => (await client.post("/cart/update.js", { discount: code })).json<CartWithCodes>();
        // A command created the code. The test waits for the server to read it, because the order must not change while
        // it is placed.
        await until(async () => (await withCode()).discount_codes[0]?.applicable, what);
        const checkout = await checkoutOf(client);
        const [, rate = ""] = /name="shipping" value="([^"]+)"/.exec(checkout.page) ?? [];
        const reply = await submit(client, checkout, { ...address, email, shipping: rate, order: "" });
        assert.equal(reply.status, 303, reply.text);
        status = String(reply.headers.location);
      },
      async status(what) {
        const [, text = ""] = /"(.*)"/.exec(what) ?? [];
        assert.ok((await (await fetch(origin() + status)).text()).includes(text), text);
      },
      async stock(what) {
        const [, sku = "", remainingUnits] = /^(\S+) "(\d+)"$/.exec(what) ?? [];
        const { id } = await variantOf(sku);
        const client = createClient(origin());
        const tooMany = async () => (await client.post("/cart/add.js", { id, quantity: 9_999 })).json<Refusal>();
        // The command does not notify the server, which polls the database a few times per second.
        await until(async () => (await tooMany()).issues[0]?.available_quantity === Number(remainingUnits), what);
      },
    },
  };
  assert.ok((await runGuide(join(root, "docs/tutorials/your-first-order.md"), place, means)) > 20);
  // Commands of other guides run in the same store.
  for (const guide of ["embedding", "upgrading"]) await runGuide(join(root, `docs/how-to/${guide}.md`), place, follow);
});

test("npm start serves a store with a blank in its path, and a signal to npm stops all processes", async () => {
  const dir = join(scratch, "a shop");
  await run(process.execPath, [main, "init", dir]);
  // On Windows npm cannot forward a signal, so the command is started directly.
  const [file, ...args] = isWindows ? [process.execPath, main, "serve"] : [...npmCommand(), "start"];
  const bin = join(scratch, "node_modules/.bin");
  const env = { ...plainEnv(), PORT: "0", PATH: `${bin}${delimiter}${process.env.PATH}` };
  const { child, origin, stop, log } = await serve(file ?? "", args, { cwd: dir, env });
  assert.equal((await fetch(origin)).status, 200);
  await stop();
  assert.notEqual(child.exitCode ?? child.signalCode, null);
  await until(async () => !(await answers(origin)), `the server stops\n${log()}`);
});

function answers(origin: string): Promise<boolean> {
  return fetch(`${origin}/healthz`).then(
    () => true,
    () => false,
  );
}

test("npm runs the package's command and scripts in a Windows shell", async () => {
  const { scripts } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  for (const [name, script] of Object.entries(scripts))
    assert.doesNotMatch(script, /\bexec |['$`;]|(?:^|\s)\w+=/, name);
  const { stdout } = await npm(["exec", "--offline", "--no", "--", "vitrine", "help"], scratch);
  assert.match(stdout, /^Usage: vitrine <command>/);
});
