import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { buildConfig, buildRequest, openTheme } from "./example-shop.fixture.ts";
import { loadTheme } from "./theme-loader.ts";

test("a store without a theme uses the default one", async (t) => {
  const { dir } = await openTheme(t, { "sections/a.liquid": "A" });
  const theme = loadTheme({ dir: join(dir, "none"), fallbackDir: dir, config: buildConfig() });
  assert.equal((await theme.renderSection("a", buildRequest())).html, '<div id="store-section-a">A</div>');
  assert.throws(() => loadTheme({ dir: join(dir, "none"), config: buildConfig() }));
});

test("a page whose template the theme lacks uses the default one; only an invalid template is an error", async (t) => {
  const defaultTheme = await openTheme(t, {
    "layout/foreign.liquid": "{{ content_for_layout }}",
    "templates/page.liquid": "page",
    "templates/cart.liquid": "cart",
  });
  const { dir } = await openTheme(t, {
    "layout/theme.liquid": "ours {{ content_for_layout }}",
    "templates/cart.liquid": "{% if %}",
  });
  const reports: unknown[] = [];
  const report = (error: unknown): void => void reports.push(error);
  const theme = loadTheme({ dir, fallbackDir: defaultTheme.dir, config: buildConfig(), report });
  const render = async (target: string) => (await theme.renderPage(buildRequest({ target }))).html;
  assert.equal(await render("/pages/about"), "ours page");
  assert.deepEqual(reports, []);
  assert.equal(await render("/cart"), "ours cart");
  assert.match(String(reports), /templates\/cart\.liquid/);
});
