import assert from "node:assert/strict";
import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { setTimeout } from "node:timers/promises";
import { Problem } from "../../problem.ts";
import { type OpenTheme, openTheme } from "../example-shop.fixture.ts";

/** Changes the theme's files and waits until the theme detects the change. */
async function changeFiles({ theme }: OpenTheme, write: () => void): Promise<void> {
  const previousRevision = theme.revision();
  write();
  while (theme.revision() === previousRevision) await setTimeout(10);
}

test("changed files apply at the next render, and are counted", async (t) => {
  const theme = await openTheme(t, {
    "sections/a.liquid": "one",
    "snippets/p.liquid": "x",
    "sections/b.liquid": "{% render 'p' %}",
  });
  assert.equal(await theme.section("a"), "one");
  assert.equal(await theme.section("b"), "x");
  const revision = theme.theme.revision();
  await changeFiles(theme, () => {
    theme.write("sections/a.liquid", "two!");
    theme.write("snippets/p.liquid", "why");
    theme.write("sections/new.liquid", "new");
    theme.write("assets/new.css", "new");
  });
  assert.equal(await theme.section("a"), "two!");
  assert.equal(await theme.section("b"), "why");
  assert.equal(await theme.section("new"), "new");
  assert.ok(theme.theme.assetFile("new.css"));
  assert.ok(theme.theme.revision() > revision);
});

test("a broken section fails alone, a broken snippet where it is rendered, with file and line; a broken JSON template keeps its last valid version", async (t) => {
  const indexTemplate = '{"sections":{"main":{"type":"b"}},"order":["main"]}';
  const theme = await openTheme(t, {
    "sections/a.liquid": "one\n{% if x %}\n{{ x }}",
    "sections/b.liquid": "B",
    "sections/c.liquid":
      "c{% render 'bad' %}{% render 'bad' %}{% for i in (1..3) %}{% include 'bad' %}{{ i }}{% endfor %}",
    "sections/d.liquid": "D{% schema %}{ nope }{% endschema %}",
    "snippets/bad.liquid": "\n\n{% for %}{% endfor %}",
    "templates/index.json": indexTemplate,
    "templates/cart.json": "{",
    "layout/theme.liquid": "{{ content_for_layout }}",
  });
  await assert.rejects(theme.section("a"), /sections\/a\.liquid, line:2/);
  assert.equal(await theme.section("c"), "c123");
  assert.match(String(theme.reports.at(-1)), /snippets\/bad\.liquid, line:3/);
  assert.equal(theme.reports.length, 2);
  await assert.rejects(theme.section("d"), /sections\/d\.liquid: /);
  await assert.rejects(theme.page("/cart"), /templates\/cart\.json: /);
  assert.equal(await theme.section("b", { target: "/cart" }), "B");
  await changeFiles(theme, () => theme.write("templates/index.json", `${indexTemplate},,`));
  assert.equal(await theme.page("/"), '<div id="store-section-main">B</div>');
  assert.match(String(theme.reports.at(-1)), /templates\/index\.json.* stays as it was/);
});

test("a partly saved file keeps its last valid version until it is complete", async (t) => {
  const allFiles = {
    "sections/a.liquid": '{% if true %}A{% endif %}{% render "s" %}{% schema %}{"class":"x"}{% endschema %}',
    "snippets/s.liquid": "{{ settings.word }}{{ 'k' | t }}{% for i in (1..2) %}{{ i }}{% endfor %}",
    "config/settings_data.json": '{"current":{"word":"W"}}',
    "locales/en.default.json": '{"k":"K"}',
  };
  const theme = await openTheme(t, { ...allFiles, "sections/b.liquid": "B" });
  assert.equal(await theme.section("a"), "AWK12");
  for (const [file, text] of Object.entries(allFiles)) {
    for (const part of [text.slice(0, text.length - 9), text.slice(0, 12)]) {
      await changeFiles(theme, () => {
        theme.write(file, part);
        theme.write("sections/b.liquid", `b of ${part.length}`);
      });
      assert.equal(await theme.section("a"), "AWK12", `${file}: ${part}`);
      assert.match(String(theme.reports.at(-1)), new RegExp(`${file}.* stays as it was`), file);
      assert.equal(await theme.section("b"), `b of ${part.length}`);
    }
    theme.write(file, text);
  }
  await changeFiles(theme, () => {
    theme.write("sections/a.liquid", allFiles["sections/a.liquid"].replace("A", "Z"));
    theme.write("config/settings_data.json", '{"current":{"word":"V"}}');
  });
  assert.equal(await theme.section("a"), "ZVK12");
});

test("a broken file stays an error while other files are saved, until it is fixed", async (t) => {
  const theme = await openTheme(t, { "sections/a.liquid": "A", "sections/b.liquid": "B", "snippets/s.liquid": "S" });
  await changeFiles(theme, () => theme.write("sections/a.liquid", "{% if"));
  for (const word of ["b1", "b2"]) {
    await changeFiles(theme, () => theme.write("sections/b.liquid", word));
    assert.equal(await theme.section("b"), word);
    assert.equal(await theme.section("a"), "A");
    assert.match(theme.errorMessages().join("\n"), /sections\/a\.liquid.* stays as it was/);
  }
  await changeFiles(theme, () => theme.write("sections/a.liquid", "A2"));
  assert.equal(await theme.section("a"), "A2");
  assert.deepEqual(theme.errorMessages(), []);
});

test("an emptied layout or template, or a layout without its content, keeps its last valid version", async (t) => {
  const layout = "<body>{{ content_for_layout }}</body>";
  const theme = await openTheme(t, {
    "layout/theme.liquid": layout,
    "layout/plain.liquid": "plain",
    "templates/index.liquid": "home",
  });
  assert.equal(await theme.page("/"), "<body>home</body>");
  for (const brokenLayout of ["", " \n", "<body>"]) {
    await changeFiles(theme, () => theme.write("layout/theme.liquid", brokenLayout));
    assert.equal(await theme.page("/"), "<body>home</body>", brokenLayout);
    assert.match(theme.errorMessages().join("\n"), /layout\/theme\.liquid.* stays as it was/, brokenLayout);
  }
  await changeFiles(theme, () => theme.write("layout/theme.liquid", `<i>${layout}</i>`));
  assert.equal(await theme.page("/"), `<i>${layout}</i>`.replace("{{ content_for_layout }}", "home"));
  await changeFiles(theme, () => theme.write("templates/index.liquid", ""));
  assert.match(await theme.page("/"), /home/);
  assert.match(theme.errorMessages().join("\n"), /templates\/index\.liquid.* stays as it was/);
});

test("a market overlay of a template is neither a template nor an error", async (t) => {
  const theme = await openTheme(t, {
    "templates/index.json": '{"sections":{"a":{"type":"a"}},"order":["a"]}',
    "templates/index.context.france.json":
      '{"parent":"index","context":{"market":"france"},"sections":{"b":{"settings":{"x":1}}}}',
    "sections/a.liquid": "A",
    "layout/theme.liquid": "{{ content_for_layout }}",
  });
  assert.deepEqual(theme.reports, []);
  assert.equal(await theme.page("/?view=context.france"), '<div id="store-section-a">A</div>');
});

test("symbolic links out of the theme's folder are not followed", async (t) => {
  const outsidePath = join(process.cwd(), "package.json");
  const theme = await openTheme(t, { "sections/a.liquid": "A", "assets/a.css": "a" });
  await changeFiles(theme, () => {
    symlinkSync(outsidePath, join(theme.dir, "assets/leak.json"));
    symlinkSync(outsidePath, join(theme.dir, "sections/leak.liquid"));
    symlinkSync(join(theme.dir, "sections/a.liquid"), join(theme.dir, "sections/inside.liquid"));
  });
  assert.equal(theme.theme.assetFile("leak.json"), undefined);
  await assert.rejects(theme.section("leak"), Problem);
  assert.equal(await theme.section("inside"), "A");
});

test("assets are found only by their flat names", async (t) => {
  const { theme, dir } = await openTheme(t, { "assets/a.css": "a", "sections/a.liquid": "A" });
  const { version, ...place } = theme.assetFile("a.css") ?? { version: "" };
  assert.equal(version.length, 12);
  assert.deepEqual(place, { path: join(dir, "assets/a.css") });
  for (const name of ["../sections/a.liquid", "a", "__proto__", "toString", "", "."])
    assert.equal(theme.assetFile(name), undefined);
});

test("a theme whose folder disappears keeps its last version", async (t) => {
  const theme = await openTheme(t, { "sections/a.liquid": "A" });
  rmSync(theme.dir, { recursive: true });
  await setTimeout(150);
  assert.equal(await theme.section("a"), "A");
});

test("a file above the size limit fails its section; the schema does not count", async (t) => {
  const schema = `{% schema %}${JSON.stringify({ name: "x".repeat(262_145) })}{% endschema %}`;
  const theme = await openTheme(t, { "sections/a.liquid": `A${schema}` });
  await changeFiles(theme, () => writeFileSync(join(theme.dir, "sections/big.liquid"), "x".repeat(262_145)));
  await assert.rejects(theme.section("big"), Problem);
  assert.equal(await theme.section("a"), "A");
});
