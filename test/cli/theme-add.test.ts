import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { after, test } from "node:test";
import { strToU8, zipSync } from "fflate";
import { loadConfig } from "../../src/config/load-config.ts";
import { type CommandResult, runCommand } from "../support/command.ts";

const scratch = await mkdtemp(join(tmpdir(), "vitrine-theme-add-"));
after(() => rm(scratch, { recursive: true, force: true }));

type Files = Readonly<Record<string, string>>;

const themeFiles: Files = {
  "layout/theme.liquid": "{{ content_for_header }}{{ content_for_layout }}",
  "templates/index.json": '{ "sections": { "a": { "type": "main" } }, "order": ["a"] }',
  "templates/customers/login.liquid": "Log in",
  "sections/main.liquid":
    'A {% schema %}{ "name": "A", "settings": [{ "type": "link_list", "id": "m", "label": "M", "default": "side" }] }{% endschema %}',
  "assets/theme.css": "#shopify-section-a { color: red }",
};

function writeFiles(dir: string, files: Files): string {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, file)), { recursive: true });
    writeFileSync(join(dir, file), text);
  }
  return dir;
}

let folderCount = 0;
const nextFolder = (): string => join(scratch, String(++folderCount));

const settings = 'export default {\n  name: "Shop",\n};\n';

const createStore = (files: Files = {}): string =>
  writeFiles(nextFolder(), { "vitrine.config.js": settings, ...files });
const createTheme = (files: Files = {}): string => writeFiles(nextFolder(), { ...themeFiles, ...files });

function addTheme(storeDir: string, ...args: readonly string[]): Promise<CommandResult> {
  return runCommand({ storeDir, env: {} }, "theme", "add", ...args);
}

const filesOf = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1))
    .sort();

test("a folder is added: its theme files are copied, compat is on, and what does not work is listed", async () => {
  const theme = createTheme({
    "README.md": "",
    "src/theme.js": "",
    "assets/deep/a.css": "",
    "sections/.hidden": "",
    "sections/cart.liquid": "{{ cart.no_such_field }}{{ 1 | no_such_filter }}",
  });
  const store = createStore();
  const { code, out } = await addTheme(store, theme);
  assert.equal(code, 0);
  assert.deepEqual(filesOf(join(store, "theme")), [...Object.keys(themeFiles), "sections/cart.liquid"].sort());
  assert.equal(statSync(join(store, "theme")).mode & 0o777, 0o755);
  assert.equal((await loadConfig(store)).compat.sectionClass, "shopify-section");
  assert.match(out, /theme\/sections\/main\.liquid:1:\d+: warning: no menu "side"/);
  assert.match(out, /theme\/sections\/cart\.liquid:1:\d+: error: unknown filter "no_such_filter"/);
  assert.match(out, /no_such_field/);
  assert.doesNotMatch(out, /wrapper-id/);
  assert.match(out, /vitrine dev /);
});

test("an existing theme is only replaced with --replace, which moves it", async () => {
  const store = createStore({ "theme/layout/theme.liquid": "old" });
  await assert.rejects(addTheme(store, createTheme()), /theme: exists\. Add --replace/);
  assert.equal(readFileSync(join(store, "theme/layout/theme.liquid"), "utf8"), "old");
  await addTheme(store, createTheme(), "--replace");
  assert.equal(readFileSync(join(store, "theme/layout/theme.liquid"), "utf8"), themeFiles["layout/theme.liquid"]);
  const oldName = readdirSync(store).find((name) => /^theme-\d{8}-\d{6}$/.test(name)) ?? "";
  assert.equal(readFileSync(join(store, oldName, "layout/theme.liquid"), "utf8"), "old");
});

test("--dry-run reports the same and changes nothing", async () => {
  const store = createStore();
  const { out } = await addTheme(store, createTheme({ "assets/a.scss": "$a: 1px;" }), "--dry-run");
  assert.match(out, /Nothing was changed[\s\S]*6 files[\s\S]*a\.scss: would be compiled[\s\S]*no menu "side"/);
  assert.deepEqual(filesOf(store), ["vitrine.config.js"]);
  assert.equal(readFileSync(join(store, "vitrine.config.js"), "utf8"), settings);
});

test("a zip file is added from the folder that contains the theme, without paths out of it", async () => {
  const entries = Object.entries({
    ...themeFiles,
    "../../escape.liquid": "",
    "sections/../../../escape.liquid": "",
    "sections/a\\escape.liquid": "",
  }).map(([path, text]) => [`shop-main/${path}`, strToU8(text)] as const);
  const file = join(scratch, "theme.zip");
  writeFileSync(file, zipSync(Object.fromEntries([...entries, ["/sections/a.liquid", strToU8("")]])));
  const store = createStore();
  const { out } = await addTheme(store, file);
  assert.deepEqual(filesOf(join(store, "theme")), Object.keys(themeFiles).sort());
  assert.match(out, /Skipped 1 /);
  assert.ok(!filesOf(scratch).some((path) => path.includes("escape")));
});

test("a Git repository is added by its URL", async () => {
  const theme = createTheme();
  const git = (...args: string[]) => execFileSync("git", ["-C", theme, ...args], { stdio: "pipe" });
  git("init", "--quiet");
  git("add", ".");
  git("-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "--quiet", "-m", "Add a theme");
  const store = createStore();
  await addTheme(store, `file://${theme}`);
  assert.deepEqual(filesOf(join(store, "theme")), Object.keys(themeFiles).sort());
  await assert.rejects(
    addTheme(createStore(), `file://${theme}-missing`),
    /git cannot clone it: fatal: .* Check the URL/,
  );
});

test("links are not followed", async () => {
  const theme = createTheme();
  writeFileSync(join(scratch, "secret.liquid"), "secret");
  symlinkSync(join(scratch, "secret.liquid"), join(theme, "sections/secret.liquid"));
  const store = createStore();
  const { out } = await addTheme(store, theme);
  assert.ok(!existsSync(join(store, "theme/sections/secret.liquid")));
  assert.match(out, /Skipped 1 .*sections\/secret\.liquid/);
});

test("a source that is no theme is rejected, and the store stays unchanged", async () => {
  const broken = join(scratch, "broken.zip");
  writeFileSync(broken, "no zip file");
  const two = writeFiles(nextFolder(), { "a/layout/theme.liquid": "", "b/layout/theme.liquid": "" });
  const store = createStore();
  const cases: readonly (readonly [string, RegExp])[] = [
    [join(scratch, "missing"), /no such file or folder\. Name a folder/],
    [writeFiles(nextFolder(), { "a.txt": "" }), /contains no theme: layout\/theme\.liquid is missing/],
    [two, /contains several themes: a\/, b\//],
    [broken, /cannot be read as a zip file/],
    ["https://shop.example/theme.zip", /Download the zip file and name it/],
  ];
  for (const [source, message] of cases) await assert.rejects(addTheme(store, source), message);
  assert.deepEqual(readdirSync(store), ["vitrine.config.js"]);
});

test("settings that the command does not recognize stay unchanged, and the line to add is printed", async () => {
  for (const text of [
    "const base = {};\nexport default { ...base };\n",
    "export default { compat: { forms: true } };\n",
    "const settings = {};\nexport default settings;\n",
  ]) {
    const store = createStore({ "vitrine.config.js": text });
    assert.match((await addTheme(store, createTheme())).out, /To do: set "compat: true," in vitrine\.config\.ts/);
    assert.equal(readFileSync(join(store, "vitrine.config.js"), "utf8"), text);
  }
});

test("plain Sass is compiled with npx, and Sass with Liquid is left to the live shop", async (t) => {
  const bin = join(nextFolder(), "bin");
  writeFiles(bin, { npx: '#!/bin/sh\necho "$@" >&2\necho "/* css of */"\ncat\n' });
  chmodSync(join(bin, "npx"), 0o755);
  const { PATH = "" } = process.env;
  process.env.PATH = `${bin}${delimiter}${PATH}`;
  t.after(() => {
    process.env.PATH = PATH;
  });
  const store = createStore();
  const theme = createTheme({
    "assets/a.scss.liquid": "$a: 1px;",
    "assets/b.scss.liquid": "$b: {{ settings.b }};",
    "assets/c.scss": "",
    "assets/c.scss.css": "c",
  });
  const { out } = await addTheme(store, theme);
  assert.equal(readFileSync(join(store, "theme/assets/a.scss.css"), "utf8"), "/* css of */\n$a: 1px;");
  assert.match(out, /b\.scss\.liquid: contains Liquid, so only the live shop can compile it\. Download/);
  assert.equal(readFileSync(join(store, "theme/assets/c.scss.css"), "utf8"), "c");
  assert.ok(!existsSync(join(store, "theme/assets/b.scss.css")));
});
