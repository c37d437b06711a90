import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { after, test } from "node:test";
import { strToU8, zipSync } from "fflate";
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

/** Files of the added theme. */
const addedFiles = [...Object.keys(themeFiles), "config/vitrine.json"].sort();

let folderCount = 0;
const nextFolder = (): string => join(scratch, String(++folderCount));

const settings = 'export default {\n  name: "Shop",\n};\n';

const createStore = (files: Files = {}): string =>
  writeFiles(nextFolder(), { "vitrine.config.js": settings, ...files });
const createTheme = (files: Files = {}): string => writeFiles(nextFolder(), { ...themeFiles, ...files });

function addTheme(storeDir: string, ...args: readonly string[]): Promise<CommandResult> {
  return runCommand({ storeDir, env: {} }, "theme", "add", "--name", "summer", ...args);
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
    "sections/cart.liquid":
      "{{ cart.no_such_field }}{{ 1 | no_such_filter }}{{ linklists['legal-notes'].title }}{{ linklists.footer }}",
  });
  const store = createStore();
  const { code, out } = await addTheme(store, theme);
  assert.equal(code, 0);
  assert.deepEqual(filesOf(join(store, "themes/summer")), [...addedFiles, "sections/cart.liquid"].sort());
  assert.equal(statSync(join(store, "themes/summer")).mode & 0o777, 0o755);
  const settingsOfTheme = JSON.parse(readFileSync(join(store, "themes/summer/config/vitrine.json"), "utf8"));
  assert.equal(settingsOfTheme.compat, true);
  assert.deepEqual(Object.keys(settingsOfTheme.menus), ["legal-notes", "side"]);
  assert.equal(readFileSync(join(store, "vitrine.config.js"), "utf8"), settings);
  assert.match(out, /Created menus there, whose links you can edit: legal-notes, side\./);
  assert.match(out, /themes\/summer\/sections\/cart\.liquid:1:\d+: error: unknown filter "no_such_filter"/);
  assert.match(out, /no_such_field/);
  assert.doesNotMatch(out, /wrapper-id/);
  assert.match(
    out,
    /Preview: http:\/\/127\.0\.0\.1:3000\/\?preview_theme=v1\.\S+\nPublish: vitrine theme publish summer/,
  );
  const { out: findings } = await runCommand({ storeDir: store, env: {} }, "check", "--theme", "summer");
  assert.doesNotMatch(findings, /no menu/);
});

test("a menu whose existence the templates test is not created, so that they show their alternative", async () => {
  const theme = createTheme({
    "sections/list.liquid":
      "{% assign hasMenu = false %}{% if linklists['all-collections'] and linklists['all-collections'].links.size > 0 %}{{ linklists['all-collections'].title }}{% endif %}",
    "sections/gift.liquid":
      "{%- unless linklists.gift-wrapping.links == blank -%}{{ linklists.gift-wrapping.title }}{% endunless %}",
    "sections/nav.liquid":
      "{% liquid\n  if settings.nav and linklists['extra'] != empty\n    echo linklists['extra'].title\n  endif\n%}",
    "sections/plain.liquid": "{% if section.settings.shown %}{{ linklists.shown.title }}{% endif %}",
  });
  const store = createStore();
  await addTheme(store, theme);
  const { menus } = JSON.parse(readFileSync(join(store, "themes/summer/config/vitrine.json"), "utf8"));
  assert.deepEqual(Object.keys(menus), ["shown", "side"]);
});

test("an existing theme is only replaced with --replace, which moves it", async () => {
  const store = createStore({ "themes/summer/layout/theme.liquid": "old" });
  await assert.rejects(addTheme(store, createTheme()), /summer: exists\. Choose another --name, or add --replace/);
  assert.equal(readFileSync(join(store, "themes/summer/layout/theme.liquid"), "utf8"), "old");
  await addTheme(store, createTheme(), "--replace");
  assert.equal(
    readFileSync(join(store, "themes/summer/layout/theme.liquid"), "utf8"),
    themeFiles["layout/theme.liquid"],
  );
  const oldName = readdirSync(join(store, "themes")).find((name) => /^summer-\d{8}-\d{6}$/.test(name)) ?? "";
  assert.equal(readFileSync(join(store, "themes", oldName, "layout/theme.liquid"), "utf8"), "old");
  // Twice within a second, as scripts do.
  for (let count = 0; count < 2; count += 1) await addTheme(store, createTheme(), "--replace");
  assert.equal(readdirSync(join(store, "themes")).filter((name) => name.startsWith("summer-")).length, 3);
});

test("--dry-run reports the same and changes nothing", async () => {
  const store = createStore();
  const { out } = await addTheme(store, createTheme({ "assets/a.scss": "$a: 1px;" }), "--dry-run");
  assert.match(
    out,
    /Nothing was changed[\s\S]*6 files[\s\S]*menus[\s\S]*side[\s\S]*a\.scss: would be compiled[\s\S]*Check: /,
  );
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
  assert.deepEqual(filesOf(join(store, "themes/summer")), addedFiles);
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
  assert.deepEqual(filesOf(join(store, "themes/summer")), addedFiles);
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
  assert.ok(!existsSync(join(store, "themes/summer/sections/secret.liquid")));
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

test("a theme keeps the settings that it contains, and is named like its source", async () => {
  const theme = createTheme({
    "config/vitrine.json": '{ "compat": false, "menus": { "side": [{ "title": "A", "url": "/" }] } }',
  });
  const folder = join(dirname(theme), "My theme (2)");
  renameSync(theme, folder);
  const store = createStore();
  const { out } = await runCommand({ storeDir: store, env: { PORT: "80" } as never }, "theme", "add", folder);
  assert.match(out, /Preview: http:\/\/127\.0\.0\.1\/\?preview_theme=/);
  assert.deepEqual(JSON.parse(readFileSync(join(store, "themes/My-theme-2-/config/vitrine.json"), "utf8")), {
    compat: false,
    menus: { side: [{ title: "A", url: "/" }] },
  });
  await assert.rejects(addTheme(store, folder, "--name", "../x"), /"\.\.\/x" is not a name for a theme/);
});

test("the preset of the live theme does not apply to an added theme, which can name another one", async () => {
  const storeFiles = { "vitrine.config.js": settings.replace("};", '  themePreset: "Harbour",\n};') };
  const presets = { "config/settings_data.json": '{ "current": "Bold", "presets": { "Bold": {}, "Calm": {} } }' };
  for (const [themeSettings, hasError] of [
    [{}, false],
    [{ themePreset: "calm" }, false],
    [{ themePreset: "Harbour" }, true],
  ] as const) {
    const theme = createTheme({ ...presets, "config/vitrine.json": JSON.stringify(themeSettings) });
    const { code, out } = await addTheme(createStore(storeFiles), theme);
    assert.deepEqual([code, /unknown-preset/.test(out)], [0, hasError], out);
  }
});

test("Sass is compiled with npx, after its Liquid is rendered with the settings of the theme", async (t) => {
  const bin = join(nextFolder(), "bin");
  const error =
    "Error: From line 1, column 1 of -: \n    ╷\n1 │ %%a {\n    ╵\nYou may not @extend selectors across media queries.\n";
  writeFiles(bin, {
    npx: `#!/bin/sh\nsass=$(cat)\ncase "$sass" in *@media*) printf '${error}' >&2; exit 65;; esac\necho "$@" >&2\nprintf '/* css of */\\n%s' "$sass"\n`,
  });
  chmodSync(join(bin, "npx"), 0o755);
  const { PATH = "" } = process.env;
  process.env.PATH = `${bin}${delimiter}${PATH}`;
  t.after(() => {
    process.env.PATH = PATH;
  });
  // The preset of the live theme does not apply to an added theme.
  const store = createStore({ "vitrine.config.js": settings.replace("};", '  themePreset: "Harbour",\n};') });
  const theme = createTheme({
    "assets/a.scss.liquid": "$a: 1px;",
    "assets/b.scss.liquid": "$b: {{ settings.b }}; i { background: url({{ 'i.png' | asset_url }}) }",
    "assets/broken.scss.liquid": "{% if",
    "assets/rejected.scss": "@media print { b { @extend %a } }",
    "assets/extend.scss":
      "p { @extend .b.c; @extend ul.d; @extend %e, a.f.g !optional; @extend .h; @extend .i:hover; @extend #{$a}; @extend .#{$a}.b; }",
    "config/settings_data.json": '{ "current": { "b": "2px" }, "presets": { "Harbour": { "b": "9px" } } }',
    "assets/c.scss": "",
    "assets/c.scss.css": "c",
  });
  const { out } = await addTheme(store, theme);
  assert.equal(readFileSync(join(store, "themes/summer/assets/a.scss.css"), "utf8"), "/* css of */\n$a: 1px;");
  assert.equal(
    readFileSync(join(store, "themes/summer/assets/b.scss.css"), "utf8"),
    "/* css of */\n$b: 2px; i { background: url(/assets/i.png) }",
  );
  assert.match(out, /b\.scss\.liquid: compiled to assets\/b\.scss\.css, with the current settings of the theme/);
  assert.match(out, /broken\.scss\.liquid: not compiled: /);
  assert.match(
    out,
    /rejected\.scss: not compiled: Error: From line 1, column 1 of -: You may not @extend selectors across/,
  );
  assert.equal(
    readFileSync(join(store, "themes/summer/assets/extend.scss.css"), "utf8"),
    "/* css of */\np { @extend .b, .c !optional; @extend .d !optional; @extend %e, .f, .g !optional; @extend .h !optional; @extend .i:hover !optional; @extend #{$a}; @extend .#{$a}.b; }",
  );
  assert.equal(readFileSync(join(store, "themes/summer/assets/c.scss.css"), "utf8"), "c");
});

test("of an asset and its Liquid source, as in an exported theme, only the source is copied", async () => {
  const store = createStore();
  const files = { "assets/a.js": "rendered", "assets/a.js.liquid": "{{ shop.name }}" };
  const templates = { "templates/search.json": '{"sections":{},"order":[]}', "templates/search.json.liquid": "view" };
  await addTheme(store, createTheme({ ...files, ...templates }));
  const copiedFiles = filesOf(join(store, "themes/summer"));
  assert.deepEqual(
    copiedFiles.filter((file) => file.includes("a.js") || file.includes("search")),
    ["assets/a.js.liquid", ...Object.keys(templates)],
  );
});
