import assert from "node:assert/strict";
import test from "node:test";
import { buildCatalog, buildProduct, openTheme } from "../example-shop.fixture.ts";
import { hostileSnippets, hostileTemplates } from "./hostile-templates.fixture.ts";

/** Lower than the default limits, which makes the tests ten times faster. */
const limits = { sectionSteps: 50_000, pageSteps: 200_000, sectionTime: 10_000, pageTime: 20_000 };

for (const [name, template] of Object.entries(hostileTemplates)) {
  test(`the step limit stops ${name} before the time limit`, async (t) => {
    const files = {
      ...hostileSnippets,
      "sections/hostile.liquid": template,
      "sections/good.liquid": "fine {{ all_products.tote.title }}",
    };
    const theme = await openTheme(t, files, { rendering: limits });
    const products = Array.from({ length: 300 }, (_, index) => buildProduct({ handle: `p${index}` }));
    const catalog = buildCatalog([buildProduct(), ...products]);
    const start = process.threadCpuUsage();
    await assert.rejects(
      theme.section("hostile", { catalog }),
      /more than \d+ (?:steps|characters|items|levels)|output is too long/,
    );
    const cpuUsage = process.threadCpuUsage(start);
    const cpuTimeMs = (cpuUsage.user + cpuUsage.system) / 1_000;
    assert.ok(cpuTimeMs < 1_000, `it took ${Math.round(cpuTimeMs)} ms`);
    assert.equal(await theme.section("good"), "fine Tote");
  });
}

test("a section that contains itself or has deeply nested brackets does not affect other sections", async (t) => {
  const theme = await openTheme(t, {
    "sections/self.liquid": "{% section 'good' %}{% section 'self' %}x",
    "sections/deep.liquid": `{{ ${"a[".repeat(20_000)}1${"]".repeat(20_000)} }}x`,
    "sections/good.liquid": "fine",
  });
  assert.equal(await theme.section("self"), "x");
  assert.equal(await theme.section("deep"), "x");
});

test("the time limit stops a slow section", async (t) => {
  const files = { "sections/a.liquid": "{% for a in (1..100000) %}{% for b in (1..100000) %}{% endfor %}{% endfor %}" };
  const timeLimits = { sectionSteps: 1_000_000_000, pageSteps: 1_000_000_000, sectionTime: 20, pageTime: 20 };
  const theme = await openTheme(t, files, { rendering: timeLimits });
  await assert.rejects(theme.section("a"), /takes longer than 20 ms/);
});

test("a section with fifty expensive cards stays below the limits", async (t) => {
  const card =
    "{% for i in (1..1000) %}{% assign shown = 'now' | date: '%A %d %B %Y' | upcase %}{% endfor %}{{ card }} ";
  const files = { "sections/cards.liquid": `{% for card in (1..50) %}${card}{% endfor %}` };
  const theme = await openTheme(t, files);
  const start = process.threadCpuUsage();
  assert.match(await theme.section("cards"), /^1 2 .* 50 $/);
  const { user, system } = process.threadCpuUsage(start);
  assert.ok(user + system > 50_000, "the work is worth the test");
});

test("all sections of a page share one limit of steps", async (t) => {
  const order = Array.from({ length: 10 }, (_, index) => `s${index}`);
  const files = {
    "sections/a.liquid": "{% for a in (1..9000) %}{% endfor %}done",
    "layout/theme.liquid": "{{ content_for_layout }}",
    "templates/index.json": JSON.stringify({
      sections: Object.fromEntries(order.map((id) => [id, { type: "a" }])),
      order,
    }),
  };
  const theme = await openTheme(t, files, { rendering: { ...limits, pageSteps: 50_000 } });
  assert.equal((await theme.page("/")).match(/done/g)?.length, 5);
});

test("a cart that never loads ends the render within 5 seconds", async (t) => {
  const theme = await openTheme(t, { "sections/a.liquid": "{{ cart.item_count }}", "sections/b.liquid": "B" });
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { promise: cartRequestPromise, resolve: signalRequest } = Promise.withResolvers<void>();
  const cart = (): Promise<never> => {
    signalRequest();
    return new Promise(() => {});
  };
  const renderPromise = assert.rejects(theme.section("a", { cart }), { code: "cart_service_unavailable" });
  await cartRequestPromise;
  t.mock.timers.tick(5_000);
  await renderPromise;
  assert.equal(await theme.section("b"), "B");
});

test("a section that exceeds a limit is empty, and the page shows all other sections", async (t) => {
  const theme = await openTheme(t, {
    "sections/bad.liquid": "{% for a in (1..100000) %}{% for b in (1..100000) %}x{% endfor %}{% endfor %}",
    "sections/good.liquid": "good",
    "layout/theme.liquid": "<main>{{ content_for_layout }}</main>",
    "templates/index.json": JSON.stringify({
      sections: { a: { type: "bad" }, b: { type: "good" } },
      order: ["a", "b"],
    }),
  });
  assert.equal(
    await theme.page("/"),
    '<main><div id="store-section-a"></div>\n<div id="store-section-b">good</div></main>',
  );
  assert.equal(theme.reports.length, 1);
});
