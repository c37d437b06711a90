import assert from "node:assert/strict";
import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { setTimeout } from "node:timers/promises";
import { Problem } from "../problem.ts";
import { openTheme } from "./example-shop.fixture.ts";

test("changed files are seen at a next render, and counted", async (t) => {
  const theme = await openTheme(t, {
    "sections/a.liquid": "one",
    "snippets/p.liquid": "x",
    "sections/b.liquid": "{% render 'p' %}",
  });
  assert.equal(await theme.section("a"), "one");
  assert.equal(await theme.section("b"), "x");
  const revision = theme.theme.revision();
  theme.write("sections/a.liquid", "two!");
  theme.write("snippets/p.liquid", "why");
  theme.write("sections/new.liquid", "new");
  theme.write("assets/new.css", "new");
  await setTimeout(150);
  assert.equal(await theme.section("a"), "two!");
  assert.equal(await theme.section("b"), "why");
  assert.equal(await theme.section("new"), "new");
  assert.ok(theme.theme.assetFile("new.css"));
  assert.ok(theme.theme.revision() > revision);
});

test("a broken file fails its own sections, by file and line; a broken JSON template keeps what it was", async (t) => {
  const index = '{"sections":{"main":{"type":"b"}},"order":["main"]}';
  const theme = await openTheme(t, {
    "sections/a.liquid": "one\n{% if %}\n{{ x | nosuch }}",
    "sections/b.liquid": "B",
    "sections/c.liquid": "{% render 'bad' %}",
    "sections/d.liquid": "D{% schema %}{ nope }{% endschema %}",
    "snippets/bad.liquid": "\n\n{% for %}{% endfor %}",
    "templates/index.json": index,
    "templates/cart.json": "{",
    "layout/theme.liquid": "{{ content_for_layout }}",
  });
  await assert.rejects(theme.section("a"), /sections\/a\.liquid, line:2/);
  await assert.rejects(theme.section("c"), /snippets\/bad\.liquid, line:3/);
  await assert.rejects(theme.section("d"), /sections\/d\.liquid: /);
  await assert.rejects(theme.page("/cart"), /templates\/cart\.json: /);
  assert.equal(await theme.section("b", { target: "/cart" }), "B");
  theme.write("templates/index.json", `${index},,`);
  await setTimeout(150);
  assert.equal(await theme.page("/"), '<div id="store-section-main">B</div>');
  assert.match(String(theme.reports.at(-1)), /templates\/index\.json/);
});

test("an unknown filter is an error with file and line", async (t) => {
  const theme = await openTheme(t, { "sections/a.liquid": "\n{{ 1 | nosuch }}" });
  await assert.rejects(theme.section("a"), /undefined filter: nosuch, file:sections\/a\.liquid, line:2/);
});

test("links out of the theme's folder are not followed", async (t) => {
  const outside = join(process.cwd(), "package.json");
  const theme = await openTheme(t, { "sections/a.liquid": "A", "assets/a.css": "a" });
  symlinkSync(outside, join(theme.dir, "assets/leak.json"));
  symlinkSync(outside, join(theme.dir, "sections/leak.liquid"));
  symlinkSync(join(theme.dir, "sections/a.liquid"), join(theme.dir, "sections/inside.liquid"));
  await setTimeout(150);
  assert.equal(theme.theme.assetFile("leak.json"), undefined);
  await assert.rejects(theme.section("leak"), Problem);
  assert.equal(await theme.section("inside"), "A");
});

test("assets are found by their flat names alone", async (t) => {
  const { theme, dir } = await openTheme(t, { "assets/a.css": "a", "sections/a.liquid": "A" });
  const { version, ...place } = theme.assetFile("a.css") ?? { version: "" };
  assert.equal(version.length, 12);
  assert.deepEqual(place, { path: join(dir, "assets/a.css") });
  for (const name of ["../sections/a.liquid", "a", "__proto__", "toString", "", "."])
    assert.equal(theme.assetFile(name), undefined);
});

test("a theme whose folder goes away is shown as it last was", async (t) => {
  const theme = await openTheme(t, { "sections/a.liquid": "A" });
  rmSync(theme.dir, { recursive: true });
  await setTimeout(150);
  assert.equal(await theme.section("a"), "A");
});

test("a file past the size limit fails its section", async (t) => {
  const theme = await openTheme(t, { "sections/a.liquid": "A" });
  writeFileSync(join(theme.dir, "sections/big.liquid"), "x".repeat(300_000));
  await setTimeout(150);
  await assert.rejects(theme.section("big"), Problem);
  assert.equal(await theme.section("a"), "A");
});
