// Packs a package under `packages/` as it is published, and installs it in an empty project without a registry.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { after, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Browser } from "playwright-core";
import { launchBrowser } from "./browser.ts";
import { npm, type PackedFile, packPackage } from "./packed.ts";

export interface PackageProject {
  readonly folder: string;
  readonly packed: PackedFile;
  /** Programs of the package's README, with the documented output. */
  readonly programs: readonly Program[];
}

export interface Program {
  readonly code: string;
  readonly output: string;
}

/** Installs a package in an empty project, with the files of its example. The project is removed after the tests.  @param name "search" */
export async function installPackage(name: string): Promise<PackageProject> {
  const home = fileURLToPath(new URL(`../../packages/${name}`, import.meta.url));
  const folder = await realpath(await mkdtemp(join(tmpdir(), `vitrine ${name}-`)));
  after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const packed = await packPackage(name, folder);
  await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module", private: true }));
  await npm(["install", "--offline", "--no-audit", "--no-fund", packed.file], folder);
  const example = join(home, "examples/page");
  if (existsSync(example)) await cp(example, folder, { recursive: true });
  const readme = await readFile(join(home, "README.md"), "utf8");
  const programs = Array.from(
    readme.matchAll(/```js\n([\s\S]*?)```[^`]*```text\n([\s\S]*?)```/g),
    ([, code = "", output = ""]) => ({ code, output }),
  );
  for (const [number, { code }] of programs.entries()) await writeFile(join(folder, `program-${number}.js`), code);
  return { folder, packed, programs };
}

/** Asserts the list of a package's files.  @param entry its main module */
export function checkFiles(t: TestContext, { packed }: PackageProject, entry = "src/index"): void {
  t.diagnostic(`${packed.size} bytes packed, ${packed.unpackedSize} unpacked`);
  const paths = packed.files.map(({ path }) => path);
  for (const path of [`${entry}.js`, `${entry}.d.ts`, "README.md", "LICENSE"]) assert.ok(paths.includes(path), path);
  assert.deepEqual(
    paths.filter((path) => /(?<!\.d)\.ts$|\.test\.|\.fixture\./.test(path)),
    [],
  );
}

/** Asserts that the README's programs print the documented output in Node.  @param variables of their environment */
export async function checkPrograms(
  { folder, programs }: PackageProject,
  variables: NodeJS.ProcessEnv = {},
): Promise<void> {
  for (const [number, { output }] of programs.entries()) {
    const { stdout } = await promisify(execFile)(process.execPath, [`program-${number}.js`], {
      cwd: folder,
      env: { ...process.env, ...variables },
    });
    assert.equal(stdout, output);
  }
}

/** Asserts that the README's programs print the same in a browser page, which has no shared memory. */
export async function checkProgramsInPage(t: TestContext, project: PackageProject): Promise<void> {
  const { origin, browser } = await openProject(t, project);
  const page = await browser.newPage();
  const printed: string[] = [];
  page.on("console", (message) => printed.push(message.text()));
  page.on("pageerror", (error) => printed.push(String(error)));
  await page.goto(`${origin}/index.html`);
  assert.equal(await page.evaluate("typeof SharedArrayBuffer"), "undefined");
  for (const [number, { output }] of project.programs.entries()) {
    await page.evaluate(`import("/program-${number}.js")`);
    const lines = printed.splice(0).map((line) => `${line}\n`);
    assert.equal(lines.join(""), output);
  }
}

/**
 * Asserts that a program that uses the package's declarations has no type errors under the strictest settings.
 * @param lib built-in declarations of the consumer; those of Node are never loaded
 */
export async function checkTypes({ folder }: PackageProject, program: string, lib = ["esnext"]): Promise<void> {
  const compilerOptions = {
    ...{ module: "nodenext", target: "esnext", lib, types: [], verbatimModuleSyntax: true },
    ...{ strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, noEmit: true },
  };
  await writeFile(join(folder, "consumer.ts"), program);
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["consumer.ts"] }));
  const tsc = fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [tsc, "-p", folder, "--singleThreaded"]).catch(
    (error: { stdout: string }) => error,
  );
  assert.equal(stdout, "");
}

/** Serves the files of the project to a browser. */
export async function openProject(
  t: TestContext,
  { folder }: Pick<PackageProject, "folder">,
): Promise<{ readonly origin: string; readonly browser: Browser }> {
  const browser = await launchBrowser();
  const server = createServer((request, response) => {
    const path = join(folder, new URL(request.url ?? "/", "http://a").pathname);
    readFile(path).then(
      (body) => response.writeHead(200, { "content-type": types[extname(path)] ?? "text/plain" }).end(body),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(async () => {
    await browser.close();
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, browser };
}

const types: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".json": "application/json",
  ".svg": "image/svg+xml",
};
