import assert from "node:assert/strict";
import test from "node:test";
import { exampleCatalog, exampleProduct, openTheme } from "../example-shop.fixture.ts";

/** Each would run for ever, or take all memory, if nothing stopped it. */
const hostile: Readonly<Record<string, string>> = {
  "an endless loop": "{% for a in (1..100000) %}{% for b in (1..100000) %}x{% endfor %}{% endfor %}",
  "an endless loop without a body": "{% for a in (1..100000) %}{% for b in (1..100000) %}{% endfor %}{% endfor %}",
  "a range past all memory": "{% for a in (1..9999999999) %}{{ a }}{% endfor %}",
  "a range with a huge text as its end": "{% assign n = '99999999999' %}{% for a in (1..n) %}{{ a }}{% endfor %}",
  "a snippet that renders itself": "{% render 'self' %}",
  "a snippet that includes itself": "{% include 'self-include' %}",
  "two snippets that render each other": "{% render 'ping' %}",
  "a snippet rendered for every item, in itself": "{% render 'spread' %}",
  "output without end":
    "{% for a in (1..100000) %}{{ 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' }}{% endfor %}",
  "a text that doubles": "{% assign s = 'x' %}{% for a in (1..60) %}{% assign s = s | append: s %}{% endfor %}{{ s }}",
  "a text that doubles by capture":
    "{% assign s = 'x' %}{% for a in (1..60) %}{% capture s %}{{ s }}{{ s }}{% endcapture %}{% endfor %}{{ s }}",
  "a text that grows by replace":
    "{% assign s = 'aa' %}{% for a in (1..60) %}{% assign s = s | replace: 'a', 'aaaa' %}{% endfor %}",
  "a list that doubles":
    "{% assign l = 'a,b' | split: ',' %}{% for a in (1..60) %}{% assign l = l | concat: l %}{% endfor %}",
  "sort of a big list": "{% assign l = (1..900000) | sort %}{{ l | size }}",
  "where on a big list": "{% assign l = (1..900000) | where: 'x', 1 %}",
  "sort by a field whose name is long":
    "{% assign l = (1..10000) %}{{ l | sort_natural: l }}{% assign s = l | join: '.' %}{% for a in (1..1000) %}{{ l | map: s }}{% endfor %}",
  "map of a big list": "{% assign l = (1..900000) | map: 'x' %}",
  "sort again and again":
    "{% assign l = (1..10000) %}{% for a in (1..100000) %}{% assign l = l | reverse | sort %}{% endfor %}",
  "a chain of sorts in one expression": `{% assign l = (1..10000) %}{{ l ${"| reverse | sort_natural ".repeat(300)} }}`,
  "join of long texts":
    "{% assign s = 'x' %}{% for a in (1..19) %}{% assign s = s | append: s %}{% endfor %}{% assign l = 's' | split: '' %}{% for a in (1..12) %}{% assign m = s | split: '~' %}{% assign l = l | concat: m | concat: l %}{% endfor %}{{ l | join: s }}",
  "printing a list of long texts":
    "{% assign s = 'x' %}{% for a in (1..19) %}{% assign s = s | append: s %}{% endfor %}{% assign m = s | split: '~' %}{% for a in (1..10) %}{% assign m = m | concat: m %}{% endfor %}{{ m }}",
  "json of a deep and wide tangle":
    "{% assign l = 'a,b' | split: ',' %}{% for a in (1..12) %}{% assign l = l | concat: l %}{% endfor %}{{ l | json }}{% for a in (1..100000) %}{{ l | json }}{% endfor %}",
  "a date padded to a gigabyte": "{{ 'now' | date: '%1000000000Y' }}",
  "an endless cycle of split and join":
    "{% assign s = 'x' %}{% for a in (1..18) %}{% assign s = s | append: s %}{% endfor %}{% for a in (1..100000) %}{% assign t = s | split: '' | join: '' %}{% endfor %}",
  "a table row without end":
    "{% tablerow a in (1..900000) cols: 2 %}{% for b in (1..900000) %}{% endfor %}{% endtablerow %}",
  "every product again and again":
    "{% for a in (1..100000) %}{% for p in collections.all.products %}{{ p.title }}{{ p | json }}{% endfor %}{% endfor %}",
  "deep nesting": `${"{% if true %}".repeat(4_000)}x${"{% endif %}".repeat(4_000)}`,
};

const snippets = {
  "snippets/self.liquid": "{% render 'self' %}{% render 'self' %}",
  "snippets/self-include.liquid": "{% include 'self-include' %}",
  "snippets/ping.liquid": "{% render 'pong' %}",
  "snippets/pong.liquid": "{% render 'ping' %}",
  "snippets/spread.liquid": "{% assign l = (1..1000) %}{% render 'spread' for l as x %}",
};

/** Few steps, so that the tests are quick: with the usual ones it takes ten times as long. */
const rendering = { sectionSteps: 50_000, pageSteps: 200_000, sectionTime: 10_000, pageTime: 20_000 };

for (const [name, template] of Object.entries(hostile)) {
  test(`a limit of work, not of time, ends ${name}`, async (t) => {
    const files = {
      ...snippets,
      "sections/hostile.liquid": template,
      "sections/good.liquid": "fine {{ all_products.tote.title }}",
    };
    const theme = await openTheme(t, files, { rendering });
    const products = Array.from({ length: 300 }, (_, index) => exampleProduct({ handle: `p${index}` }));
    const catalog = exampleCatalog([exampleProduct(), ...products]);
    const start = process.threadCpuUsage();
    await assert.rejects(
      theme.section("hostile", { catalog }),
      /more than \d+ (?:steps|characters|items|deep)|more output/,
    );
    const used = process.threadCpuUsage(start);
    const time = (used.user + used.system) / 1_000;
    assert.ok(time < 1_000, `it took ${Math.round(time)} ms`);
    assert.equal(await theme.section("good"), "fine Tote");
  });
}

test("what asks for no work is left out alone: a section in itself, brackets without end", async (t) => {
  const theme = await openTheme(t, {
    "sections/self.liquid": "{% section 'good' %}{% section 'self' %}x",
    "sections/deep.liquid": `{{ ${"a[".repeat(20_000)}1${"]".repeat(20_000)} }}x`,
    "sections/good.liquid": "fine",
  });
  assert.equal(await theme.section("self"), "x");
  assert.equal(await theme.section("deep"), "x");
});

test("steps that are slow ones end by the time that is set", async (t) => {
  const files = { "sections/a.liquid": "{% for a in (1..100000) %}{% for b in (1..100000) %}{% endfor %}{% endfor %}" };
  const slow = { sectionSteps: 1_000_000_000, pageSteps: 1_000_000_000, sectionTime: 20, pageTime: 20 };
  const theme = await openTheme(t, files, { rendering: slow });
  await assert.rejects(theme.section("a"), /takes longer than 20 ms/);
});

test("a section of fifty cards with much work in each is shown whole, on slow machines too", async (t) => {
  const card =
    "{% for i in (1..1000) %}{% assign shown = 'now' | date: '%A %d %B %Y' | upcase %}{% endfor %}{{ card }} ";
  const files = { "sections/cards.liquid": `{% for card in (1..50) %}${card}{% endfor %}` };
  const theme = await openTheme(t, files);
  const start = process.threadCpuUsage();
  assert.match(await theme.section("cards"), /^1 2 .* 50 $/);
  const { user, system } = process.threadCpuUsage(start);
  assert.ok(user + system > 50_000, "the work is worth the test");
});

test("all sections of a page have one sum of steps", async (t) => {
  const order = Array.from({ length: 10 }, (_, index) => `s${index}`);
  const files = {
    "sections/a.liquid": "{% for a in (1..9000) %}{% endfor %}done",
    "layout/theme.liquid": "{{ content_for_layout }}",
    "templates/index.json": JSON.stringify({
      sections: Object.fromEntries(order.map((id) => [id, { type: "a" }])),
      order,
    }),
  };
  const theme = await openTheme(t, files, { rendering: { ...rendering, pageSteps: 50_000 } });
  assert.equal((await theme.page("/")).match(/done/g)?.length, 5);
});

test("a cart that never comes ends the render within 5 seconds", async (t) => {
  const theme = await openTheme(t, { "sections/a.liquid": "{{ cart.item_count }}", "sections/b.liquid": "B" });
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  const cart = (): Promise<never> => {
    ask();
    return new Promise(() => {});
  };
  const rendering = assert.rejects(theme.section("a", { cart }), { code: "cart_service_unavailable" });
  await asked;
  t.mock.timers.tick(5_000);
  await rendering;
  assert.equal(await theme.section("b"), "B");
});

test("a hostile section is shown empty in its page, and the others as they are", async (t) => {
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
