// The package as it is published: packed, installed in an empty project without a registry, and used in Node and in a page.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { launchBrowser } from "../../../test/support/browser.ts";
import { npm, packPackage } from "../../../test/support/packed.ts";

const home = fileURLToPath(new URL("..", import.meta.url));
const project = await realpath(await mkdtemp(join(tmpdir(), "vitrine search-")));
after(() => rm(project, { recursive: true, force: true, maxRetries: 5 }));
const packed = await packPackage("search", project);
await writeFile(join(project, "package.json"), JSON.stringify({ type: "module", private: true }));
await npm(["install", "--offline", "--no-audit", "--no-fund", packed.file], project);
await cp(join(home, "examples/page"), project, { recursive: true });

const readme = await readFile(join(home, "README.md"), "utf8");
/** Programs of the README with their output. */
const programs = Array.from(
  readme.matchAll(/```js\n([\s\S]*?)```[^`]*```text\n([\s\S]*?)```/g),
  ([, code = "", output = ""]) => ({ code, output }),
);

test("the package contains scripts, declarations, and its README, and no source", (t) => {
  t.diagnostic(`${packed.size} bytes packed, ${packed.unpackedSize} unpacked`);
  const paths = packed.files.map(({ path }) => path);
  for (const path of ["src/index.js", "src/index.d.ts", "README.md", "LICENSE"]) assert.ok(paths.includes(path), path);
  assert.deepEqual(
    paths.filter((path) => /(?<!\.d)\.ts$|\.test\.|\.fixture\./.test(path)),
    [],
  );
});

test("programs of the README print what it shows", async () => {
  assert.equal(programs.length, 2);
  for (const [number, { code, output }] of programs.entries()) {
    await writeFile(join(project, `program-${number}.js`), code);
    const { stdout } = await promisify(execFile)(process.execPath, [`program-${number}.js`], { cwd: project });
    assert.equal(stdout, output);
  }
});

test("its types are valid under the strictest settings, without those of Node", async () => {
  const consumer = `import {
  type Boosts, createSearcher, createSegmentBuilder, deleteDocuments, type Explanation, type Hit, loadSegment, normalize, otherLayouts,
  type Query, saveSegment, type Schema, type SearchDocument, type Searcher, type SearchIndex, type Segment, type SynonymGroup,
} from "@vitrine/search";
export const schema: Schema = { fields: [{ label: "title", weight: 100, kind: "title" }, { label: "text", weight: 8, kind: "body" }] };
export const searcher: Searcher = createSearcher(schema);
const document: SearchDocument = { externalId: 1, locale: "en", fields: [[0, "a"]] };
const builder = createSegmentBuilder(schema, "en");
builder.add(document);
export const segment: Segment = deleteDocuments(builder.finish(), [1]);
export const loaded: Segment | undefined = loadSegment(saveSegment(segment));
const synonyms: readonly SynonymGroup[] = [["sofa", "couch"]];
const boosts: Boosts = { forQuery: (text) => [{ externalId: text.length, points: 1, reason: "clicks" }] };
export const index: SearchIndex = searcher.open([segment], { synonyms, boosts });
const query: Query = { text: normalize("A"), locale: "en", limits: new Map([[0, 10]]) };
export const hits: readonly Hit[] = index.search(query).get(0) ?? [];
export const why: Explanation | undefined = index.explain(query, 1);
export const typed: readonly string[] = otherLayouts("rain", "ru");
// @ts-expect-error a kind of field that does not exist
createSearcher({ fields: [{ label: "title", weight: 100, kind: "heading" }] });
`;
  const compilerOptions = {
    ...{ module: "nodenext", target: "esnext", lib: ["esnext"], types: [], verbatimModuleSyntax: true },
    ...{ strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, noEmit: true },
  };
  await writeFile(join(project, "consumer.ts"), consumer);
  await writeFile(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["consumer.ts"] }));
  const tsc = fileURLToPath(new URL("../../../node_modules/typescript/bin/tsc", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [tsc, "-p", project]).catch(
    (error: { stdout: string }) => error,
  );
  assert.equal(stdout, "");
});

test("the same programs print the same in a page, which has no shared memory", async (t) => {
  const { origin, browser } = await openProject(t);
  const page = await browser.newPage();
  const printed: string[] = [];
  page.on("console", (message) => printed.push(message.text()));
  page.on("pageerror", (error) => printed.push(String(error)));
  await page.goto(`${origin}/index.html`);
  assert.equal(await page.evaluate("typeof SharedArrayBuffer"), "undefined");
  for (const [number, { output }] of programs.entries()) {
    await page.evaluate(`import("/program-${number}.js")`);
    assert.equal(
      printed
        .splice(0)
        .map((line) => `${line}\n`)
        .join(""),
      output,
    );
  }
});

test("the example builds an index in a page, loads it at the next visit, and searches it", async (t) => {
  const { origin, browser } = await openProject(t);
  const page = await (await browser.newContext()).newPage();
  for (const how of ["built", "loaded"]) {
    await page.goto(`${origin}/index.html`);
    await page.getByText(`5 documents, ${how}`).waitFor();
    await page.getByLabel("Search").fill("rian boo");
    await page.getByRole("listitem").filter({ hasText: "Rain boots for children" }).waitFor();
  }
});

const types: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".json": "application/json",
};

/** Serves the files of the project to a browser. */
async function openProject(t: { after(close: () => Promise<unknown>): void }) {
  const server = createServer((request, response) => {
    const path = join(project, new URL(request.url ?? "/", "http://a").pathname);
    readFile(path).then(
      (body) => response.writeHead(200, { "content-type": types[extname(path)] ?? "text/plain" }).end(body),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const browser = await launchBrowser();
  t.after(async () => {
    await browser.close();
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, browser };
}
