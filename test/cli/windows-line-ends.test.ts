// Editors and git on Windows write \r\n. A store must behave the same with such files.
import assert from "node:assert/strict";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { createApp } from "../../src/app.ts";
import { type Client, createClient } from "../support/client.ts";
import { runProgram } from "../support/command.ts";
import { testSecret } from "../support/shop.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const scratch = await mkdtemp(join(tmpdir(), "vitrine-lines-"));
after(() => rm(scratch, { recursive: true, force: true }));
const [unix, windows] = [join(scratch, "unix"), join(scratch, "windows")];

/** Creates the demo store with copies of the default theme and mail templates. */
before(async () => {
  const demo = join(root, "examples/harbour-outfitters");
  await cp(demo, unix, {
    recursive: true,
    filter: (path) => ![join(demo, "data"), join(demo, "media")].includes(path),
  });
  await cp(join(root, "themes/default"), join(unix, "theme"), { recursive: true });
  await cp(join(root, "notifications"), join(unix, "notifications"), { recursive: true });
  await cp(unix, windows, { recursive: true });
  const texts = [".ts", ".jsonl", ".json", ".txt", ".liquid", ".css", ".js", ".svg"];
  for (const entry of await readdir(windows, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (!entry.isFile() || !texts.includes(extname(entry.name))) continue;
    await writeFile(file, (await readFile(file, "utf8")).replaceAll("\n", "\r\n"));
  }
});

test("check accepts CRLF line endings", async () => {
  const { code, out } = await runProgram(["check", windows, "--json"]);
  assert.deepEqual([code, JSON.parse(out)], [0, { catalog: [], findings: [] }]);
});

/** Removes text that differs between servers and between visitors. */
const withoutVariables = (text: string): string =>
  text
    .replaceAll("\r\n", "\n")
    .replaceAll(/v1\.[\w.-]{40,}/g, "TOKEN")
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, "ORIGIN")
    .replaceAll(/\?v=[\w-]+/g, "?v=VERSION");

test("pages, suggestions and search rules are equal with CRLF and LF", async () => {
  const clients: Client[] = [];
  for (const storeDir of [unix, windows]) {
    const app = await createApp({
      storeDir,
      secret: testSecret,
      logLevel: "silent",
      config: { server: { threads: 1 } },
    });
    after(() => app.close());
    clients.push(createClient(await app.listen("127.0.0.1", 0)));
  }
  for (const path of [
    ...["/", "/fr", "/ja/search?q=boots", "/collections/rainwear", "/products/raincoat", "/cart", "/nothing-here"],
    ...["/search?q=lantern", "/search/suggest?q=lant&section_id=predictive-search", "/search/suggest.json?q=wellies"],
    ...["/pages/about", "/robots.txt", "/products/raincoat.js"],
  ]) {
    const [there, here] = await Promise.all(clients.map((client) => client.get(path)));
    assert.ok(there !== undefined && here !== undefined);
    assert.equal(here.status, there.status, path);
    assert.equal(withoutVariables(here.text), withoutVariables(there.text), path);
  }
});

test("a git checkout has the same line endings on every system", async () => {
  assert.match(await readFile(join(root, ".gitattributes"), "utf8"), /^\* text=auto eol=lf$/m);
});
