import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { after, test } from "node:test";
import { runCommand } from "../support/command.ts";
import { loadUntil, openPage, type ReportedDiagnostic } from "../support/page-events.ts";
import { develop } from "../support/server-process.ts";
import { makeStore } from "../support/shop.ts";

const layout = `<!doctype html><html><head>{{ 'site.css' | asset_url | stylesheet_tag }}{{ content_for_header }}</head>
<body>{% sections 'header-group' %}<main>{{ content_for_layout }}</main></body></html>`;
const main = `<h1>{{ section.settings.title }}</h1>
{% render 'card', product: all_products['tote'] %}
{% schema %}{ "name": "Main", "settings": [
  { "type": "text", "id": "title", "default": "Hello" },
  { "type": "select", "id": "size", "default": "m", "options": [{ "value": "s", "label": "S" }, { "value": "m", "label": "M" }] }],
  "blocks": [{ "type": "line", "name": "Line" }] }
{% endschema %}`;
const index = `{ "sections": {
  "main": { "type": "main", "settings": { "title": "Welcome" } } },
  "order": ["main"] }`;
const texts = '{ "general": { "greeting": "Good day" } }';
const others = "product collection list-collections page blog article bundle search cart checkout order 404".split(" ");
const theme: Readonly<Record<string, string>> = {
  "layout/theme.liquid": layout,
  "templates/index.json": index,
  ...Object.fromEntries(others.map((name) => [`templates/${name}.liquid`, `<p>${name}</p>`])),
  "sections/main.liquid": main,
  "sections/header.liquid": "<b class='{{ settings.accent }}'>{{ 'general.greeting' | t }}{% render 'card.liquid' %}",
  "sections/header-group.json": '{ "type": "header", "sections": { "top": { "type": "header" } }, "order": ["top"] }',
  "snippets/card.liquid": "<p>{{ product.title }}</p>",
  "assets/site.css": "p { margin: 0 }",
  "config/settings_schema.json": '[{ "name": "Looks", "settings": [{ "type": "color", "id": "accent" }] }]',
  "config/settings_data.json": '{ "current": { "accent": "#00ff00" } }',
  ...Object.fromEntries(["en.default", "fr", "ja"].map((name) => [`locales/${name}.json`, texts])),
};

const storeDir = await makeStore({ hasTheme: false, themeFiles: theme });
const server = await develop(storeDir);
const page = await openPage(server.origin, "/");

after(async () => {
  page.close();
  server.child.kill("SIGTERM");
  await server.finished;
  await rm(storeDir, { recursive: true, force: true });
});

/** Replaces a file of the store atomically, so that no reader sees a part of it. */
async function write(file: string, text: string | Uint8Array): Promise<void> {
  const aside = join(storeDir, "being-written");
  await writeFile(aside, text);
  await rename(aside, join(storeDir, file));
}

/** Restores a file of the theme, or deletes an added one. */
async function restore(file: string): Promise<void> {
  const text = theme[file];
  if (text === undefined) await rm(join(storeDir, "theme", file));
  else await write(join("theme", file), text);
}

interface Mistake {
  /** Texts that the author writes, by path in the theme. */
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  /** File and line of the reported error, such as "sections/main.liquid:2". */
  readonly at: string;
  readonly says: RegExp;
  /** Text in the page while the error exists. */
  readonly shows?: RegExp;
}

const withMain = (liquid: string): Mistake["files"] => ({ "sections/main.liquid": `<h1>first</h1>\n${liquid}\n` });
const lastGood = /<h1>Welcome<\/h1>/;
/** The 20 most frequent mistakes of theme authors, and others. */
const mistakes: Readonly<Record<string, Mistake>> = {
  "an unclosed tag": {
    files: withMain("{% if product %}x"),
    at: "sections/main.liquid:2",
    says: /'if' tag was never closed/,
    shows: lastGood,
  },
  "an unclosed output": {
    files: withMain("{{ product.title"),
    at: "sections/main.liquid:2",
    says: /not properly terminated|never closed/,
    shows: lastGood,
  },
  "a misspelt tag": {
    files: withMain("{% asign x = 1 %}"),
    at: "sections/main.liquid:2",
    says: /unknown tag "asign": did you mean "assign"/,
    shows: lastGood,
  },
  "an unknown filter": {
    files: withMain("{{ 1 | mony }}"),
    at: "sections/main.liquid:2",
    says: /unknown filter "mony": did you mean "money"/,
  },
  "an unknown object": {
    files: withMain("{{ prodct.title }}"),
    at: "sections/main.liquid:2",
    says: /unknown variable "prodct".*did you mean "product"/,
  },
  "a misspelt variable of an assign": {
    files: withMain("{% assign total = 1 %}{{ totl }}"),
    at: "sections/main.liquid:2",
    says: /unknown variable "totl".*did you mean "total"/,
  },
  "a missing snippet": {
    files: withMain("{% render 'crad' %}"),
    at: "sections/main.liquid:2",
    says: /no file snippets\/crad\.liquid: did you mean "card"/,
  },
  "a name in other letters": {
    files: withMain("{% render 'Card' %}"),
    at: "sections/main.liquid:2",
    says: /no file snippets\/Card\.liquid: did you mean "card"/,
  },
  "a schema that is no JSON": {
    files: withMain('{% schema %}\n{ "name": "Main",\n "settings": [ }\n{% endschema %}'),
    at: "sections/main.liquid:4",
    says: /invalid JSON/,
    shows: lastGood,
  },
  "a block of an unknown type": {
    files: {
      "templates/index.json": index.replace('"Welcome" }', '"Welcome" },\n "blocks": { "a": { "type": "lin" } }'),
    },
    at: "templates/index.json:3",
    says: /no block of type "lin": did you mean "line"/,
  },
  "a value that a select does not take": {
    files: { "templates/index.json": index.replace('"Welcome"', '"Welcome",\n "size": "xl"') },
    at: "templates/index.json:3",
    says: /"size" takes "s", "m", not "xl"/,
  },
  "settings for a section without a schema": {
    files: { "sections/main.liquid": "<h1>Welcome</h1>" },
    at: "templates/index.json:2",
    says: /sections\/main\.liquid, which has no \{% schema %\}, has no setting "title"/,
  },
  "a template that places a section which is not there": {
    files: { "templates/index.json": index.replace('"type": "main"', '"type": "mian"') },
    at: "templates/index.json:2",
    says: /no file sections\/mian\.liquid: did you mean "main"/,
  },
  "a missing text": {
    files: withMain("{{ 'general.greting' | t }}"),
    at: "sections/main.liquid:2",
    says: /no text "general\.greting".*did you mean "general\.greeting"/,
  },
  "a snippet that renders itself": {
    files: { "snippets/card.liquid": "x\n{% render 'card' %}" },
    at: "snippets/card.liquid:2",
    says: /renders itself recursively/,
  },
  "a loop without end": {
    files: withMain("{% for i in (1..9000) %}{% for j in (1..9000) %}{{ i }}{% endfor %}{% endfor %}"),
    at: "sections/main.liquid:2",
    says: /takes more than 500000 steps/,
    shows: /<div id="store-section-main"><vitrine-error><p><strong>theme\/sections\/main\.liquid:2/,
  },
  "too much of it": {
    files: withMain(`{% for i in (1..5000) %}${"0123456789".repeat(100)}{% endfor %}`),
    at: "sections/main.liquid:2",
    says: /the output is too long/,
    shows: /<vitrine-error>/,
  },
  "a wrong asset": {
    files: { "layout/theme.liquid": layout.replace("site.css", "stie.css") },
    at: "layout/theme.liquid:1",
    says: /no file assets\/stie\.css: did you mean "site\.css"/,
  },
  "settings that are no JSON": {
    files: { "config/settings_data.json": '{ "current": {\n "accent": } }' },
    at: "config/settings_data.json:2",
    says: /invalid JSON/,
    shows: lastGood,
  },
  "an argument that means nothing": {
    files: withMain("{{ 5 | divided_by: 0 }}"),
    at: "sections/main.liquid:2",
    says: /divided by 0/,
  },
  "an unclosed text": { files: withMain("{{ 'abc }}"), at: "sections/main.liquid:2", says: /is malformed/ },
  "letters that are no UTF-8": {
    files: { "sections/main.liquid": Buffer.from("<h1>a</h1>\ncaf\xe9", "latin1") },
    at: "sections/main.liquid:2",
    says: /not valid UTF-8/,
  },
  "a byte order mark": {
    files: { "sections/main.liquid": `\uFEFF${main}` },
    at: "sections/main.liquid:1",
    says: /byte order mark/,
    shows: /<div id="store-section-main"><h1>/,
  },
  "a text file that is cut off": {
    files: { "locales/en.default.json": '{ "general": {\n' },
    at: "locales/en.default.json:",
    says: /invalid JSON/,
    shows: /Good day/,
  },
  "a template that is cut off": {
    files: { "templates/index.json": "{" },
    at: "templates/index.json:1",
    says: /invalid JSON/,
    shows: lastGood,
  },
};

const isAt =
  ({ at, says }: Mistake) =>
  ({ file, line, message }: ReportedDiagnostic): boolean =>
    `${file}:${line}`.startsWith(`theme/${at}`) && says.test(message);

test("each theme error is shown in the page with file, line and remedy until it is fixed", async (t) => {
  assert.deepEqual(page.diagnostics, []);
  for (const [name, mistake] of Object.entries(mistakes))
    await t.test(name, async () => {
      for (const [file, text] of Object.entries(mistake.files)) await write(join("theme", file), text);
      await page.change();
      // Some errors are detected only when the page is rendered.
      const html = await (await fetch(server.origin)).text();
      if (mistake.shows !== undefined) assert.match(html, mistake.shows);
      const diagnostics = await page.reportsUntil((told) => told.some(isAt(mistake)));
      const told = diagnostics.find(isAt(mistake));
      assert.equal(told?.excerpt?.find(({ isMarked }) => isMarked)?.number, told?.line);
      for (const file of Object.keys(mistake.files)) await restore(file);
      await page.change();
      await page.reportsUntil((now) => now.length === 0);
    });
});

/**
 * Path in the theme, replaced text, its replacement, and the updated parts of the page: section ids, "styles" for a
 * style sheet, or "page" for the entire page.
 */
const changes: readonly (readonly [file: string, from: string, to: string, effect: readonly string[]])[] = [
  ["sections/main.liquid", "<h1>", "<h1 class='x'>", ["main"]],
  ["snippets/card.liquid", "<p>", "<p class='x'>", ["main", "top"]],
  ["templates/index.json", "Welcome", "Hello", ["main"]],
  ["locales/en.default.json", "Good day", "Good evening", ["page"]],
  ["config/settings_data.json", "#00ff00", "#0000ff", ["page"]],
  ["config/settings_schema.json", "Looks", "Look", []],
  ["templates/page.liquid", "page", "another page", []],
  ["assets/site.css", "0", "1px", ["styles"]],
  ["templates/index.json", '"order": ["main"]', '"order": []', ["page"]],
  ["sections/header-group.json", '"order": ["top"]', '"order": []', ["page"]],
  ["layout/theme.liquid", "<main>", "<main id='main'>", ["page"]],
];

test("each change updates the affected parts of a page only", async () => {
  for (const [file, from, to, effect] of changes) {
    const text = theme[file] ?? "";
    assert.ok(text.includes(from), file);
    await write(join("theme", file), text.replace(from, to));
    const { isReload, sections, styles } = await page.change();
    const parts = [...(isReload ? ["page"] : []), ...sections, ...("site.css" in styles ? ["styles"] : [])];
    assert.deepEqual(parts, effect, file);
    await restore(file);
    await page.change();
  }
});

test("catalog and settings reload on change, their errors are shown in the page, and the server restarts itself", async () => {
  const catalogue = await readFile(join(storeDir, "catalog/shop.jsonl"), "utf8");
  const settings = await readFile(join(storeDir, "vitrine.config.ts"), "utf8");
  await write("catalog/shop.jsonl", catalogue.replace('"kind":"product"', '"kind":"prodct"'));
  const [told] = await page.reportsUntil((all) => all.some(({ file }) => file === "catalog/shop.jsonl"));
  assert.deepEqual([told?.line, told?.severity], [1, "error"]);
  await write("catalog/shop.jsonl", catalogue.replace('"title":"', '"title":"New '));
  assert.equal((await page.change()).isReload, true);
  await page.reportsUntil((all) => all.length === 0);

  await write("vitrine.config.ts", settings.replace('"currency":"USD"', '"currency":"DOLLARS"'));
  const [fault] = await page.reportsUntil((all) => all.some(({ file }) => file === "vitrine.config.ts"));
  assert.match(fault?.message ?? "", /currency/);
  assert.equal((await fetch(server.origin)).status, 200);
  assert.equal((await fetch(`${server.origin}/admin/login`)).status, 200, "the console is on");
  await write("theme/layout/theme.liquid", layout.replace("<main>", "<main>{{ shop.name }}: "));
  await write("vitrine.config.ts", settings.replace("Test Harbour", "New Harbour"));
  await page.ended;
  await loadUntil(server.origin, /<main>New Harbour: /);
  const next = await openPage(server.origin, "/");
  assert.deepEqual(next.diagnostics, []);
  next.close();
});

test("development endpoints reject other host names, public interfaces, and production mode", async () => {
  const { hostname, port } = new URL(server.origin);
  const [answer] = await once(request({ hostname, port, headers: { host: "shop.example" } }).end(), "response");
  assert.equal((answer as IncomingMessage).statusCode, 403);
  const run = (env: Readonly<Record<string, string>>, ...args: readonly string[]) =>
    runCommand({ storeDir, env }, "dev", ...args);
  await assert.rejects(run({}, "--host", "0.0.0.0"), /0\.0\.0\.0 is not a loopback address.*--network/);
  await assert.rejects(run({ NODE_ENV: "production" }), /NODE_ENV is "production".*vitrine serve/);
});
