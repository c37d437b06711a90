import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { vitrine } from "./server-process.ts";
import { makeStore, startShop } from "./shop.ts";

const scratch = await mkdtemp(join(tmpdir(), "vitrine-cli-"));
after(() => rm(scratch, { recursive: true, force: true }));

for (const name of ["init", "serve", "import", "export", "search", "check"]) {
  test(`vitrine ${name} --help answers on stdout and ends with 0; wrong usage ends with 2`, async () => {
    const help = await vitrine([name, "--help"]).finished;
    assert.deepEqual([help.code, help.stderr], [0, ""]);
    assert.match(help.stdout, new RegExp(`vitrine ${name}`));
    const wrong = await vitrine([name, "--no-such-flag"]).finished;
    assert.equal(wrong.code, 2);
    assert.ok(wrong.stderr.includes("--no-such-flag") && wrong.stdout === "", wrong.stderr);
  });
}

test("an unknown command ends with 2 and says what there is", async () => {
  const { code, stderr } = await vitrine(["sell"]).finished;
  assert.equal(code, 2);
  assert.match(stderr, /sell/);
});

test("vitrine init makes a store that passes check and can be served", async () => {
  const dir = join(scratch, "new-store");
  const made = await vitrine(["init", dir]).finished;
  assert.equal(made.code, 0, made.stderr);
  const names = await readdir(dir);
  for (const name of ["vitrine.config.ts", "catalog"]) assert.ok(names.includes(name), name);
  assert.equal((await vitrine(["check", dir]).finished).code, 0);
  const again = await vitrine(["init", dir]).finished;
  assert.equal(again.code, 1, "a folder that is not empty is left alone");
});

test("what vitrine export writes, vitrine import takes back unchanged", async () => {
  const shop = await startShop();
  const { storeDir } = shop;
  try {
    const first = join(scratch, "export-1");
    const second = join(scratch, "export-2");
    const out = await vitrine(["export", "--store", storeDir, "--out", first]).finished;
    assert.equal(out.code, 0, out.stderr);
    const files = (await readdir(first)).sort();
    assert.ok(files.includes("products.jsonl") && files.includes("bundles.jsonl"), files.join(" "));
    const back = await vitrine(["import", "--store", storeDir, "--prune", ...files.map((file) => join(first, file))])
      .finished;
    assert.equal(back.code, 0, back.stderr);
    assert.equal((await vitrine(["export", "--store", storeDir, "--out", second]).finished).code, 0);
    for (const file of files) {
      assert.equal(readFileSync(join(second, file), "utf8"), readFileSync(join(first, file), "utf8"), file);
    }
    const found = await vitrine(["search", "--store", storeDir, "--json", "raincoat"]).finished;
    assert.equal(found.code, 0, found.stderr);
    assert.ok(JSON.parse(found.stdout) && found.stdout.includes("Harbour Raincoat"));
    const explained = await vitrine(["search", "--store", storeDir, "raincoat", "--explain"]).finished;
    assert.ok(explained.stdout.includes("Harbour Raincoat"), explained.stderr);
  } finally {
    await shop.close();
  }
});

test("a dry run changes nothing", async () => {
  const storeDir = await makeStore({ rows: [] });
  const file = join(scratch, "pages.jsonl");
  await writeFile(file, '{"handle":"about","title":"About"}\n');
  try {
    assert.equal((await vitrine(["import", "--store", storeDir, "--dry-run", file]).finished).code, 0);
    const { stdout } = await vitrine(["search", "--store", storeDir, "--json", "about"]).finished;
    assert.ok(!stdout.includes('"About"'));
  } finally {
    await rm(storeDir, { recursive: true, force: true });
  }
});

const settings: readonly (readonly [string, string])[] = [
  ["currency", '{ currency: "EURO" }'],
  ["locales", '{ locales: { default: "en", others: ["not a locale"] } }'],
  ["maxLines", "{ cart: { maxLines: 0 } }"],
  ["colour", '{ colour: "blue" }'],
  ["origin", '{ origin: "shop.example" }'],
];
for (const [name, text] of settings) {
  test(`an unknown or wrong setting stops the start with a message that names it: ${name}`, async () => {
    const storeDir = await makeStore({ rows: [] });
    const code = `import { defineStore } from "vitrine";\nexport default defineStore(${text} as object);\n`;
    await writeFile(join(storeDir, "vitrine.config.ts"), code);
    const served = await vitrine(["serve", storeDir, "--port", "0"]).finished;
    assert.equal(served.code, 1);
    assert.ok(served.stderr.includes(name) && !/^\s+at /m.test(served.stderr), served.stderr);
    assert.equal((await vitrine(["check", storeDir]).finished).code, 1);
    await rm(storeDir, { recursive: true, force: true });
  });
}
