import assert from "node:assert/strict";
import test from "node:test";
import { checkTheme } from "./check-theme.ts";
import { openTheme } from "./example-shop.fixture.ts";

test("a theme's faults are named with file and line", async (t) => {
  const { dir } = await openTheme(t, {
    "layout/theme.liquid": "{% section 'gone' %}{% sections 'gone-group' %}",
    "sections/a.liquid": "\n\n{{ x | nosuch }}{% render 'gone' %}",
    "sections/b.liquid": "{% schema %}[{% endschema %}",
    "templates/index.json": '{"sections":{"x":{"type":"gone"}},"order":["x"]}',
    "templates/cart.json": '{\n"sections":\n{"x":{}}, "order":["x"]}',
    "locales/en.default.json": "{\n,",
  });
  const faults = checkTheme(dir, "en").map(({ file, line, message }) => `${file}:${line ?? ""} ${message}`);
  const expected = [
    /^templates\/cart\.json: section "x" has no type$/,
    /^locales\/en\.default\.json:2 /,
    /^layout\/theme\.liquid: names sections\/gone\.liquid, which is not in the theme$/,
    /^layout\/theme\.liquid: names sections\/gone-group\.json, which is not in the theme$/,
    /^sections\/a\.liquid:3 undefined filter: nosuch$/,
    /^sections\/a\.liquid: names snippets\/gone\.liquid, which is not in the theme$/,
    /^sections\/b\.liquid:1? /,
    /^templates\/index\.json: section "x" needs sections\/gone\.liquid, which is not in the theme$/,
  ];
  for (const pattern of expected)
    assert.ok(
      faults.some((fault) => pattern.test(fault)),
      `${pattern} in\n${faults.join("\n")}`,
    );
  assert.equal(faults.length, expected.length, faults.join("\n"));
});

test("a theme without faults has none", async (t) => {
  const { dir } = await openTheme(t, { "layout/theme.liquid": "{{ content_for_layout }}" });
  assert.deepEqual(checkTheme(dir, "en"), []);
});
