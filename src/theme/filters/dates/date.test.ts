import assert from "node:assert/strict";
import { test } from "node:test";
import { openTheme } from "../../example-shop.fixture.ts";

const normalizeSpaces = (text: string): string => text.replace(/[\u00a0\u202f\u200e\u200f\u061c]/g, " ").trim();

test("dates do not depend on the machine's time zone: dates without a zone are in the shop's", async (t) => {
  const originalTimeZone = process.env.TZ;
  t.after(() => {
    if (originalTimeZone === undefined) delete process.env.TZ;
    else process.env.TZ = originalTimeZone;
  });
  const dateFilter = "date: '%Y-%m-%d %H:%M:%S %z %Z %s'";
  const dates = [
    "2026-03-05T10:00:00Z",
    "2026-03-05",
    "2026-07-05 10:00",
    "March 5, 2026 22:15",
    "2026-03-29T02:30:00",
  ];
  const files = { "sections/a.liquid": dates.map((date) => `{{ '${date}' | ${dateFilter} }}`).join("\n") };
  const expectedDates = {
    UTC: ["2026-03-05 10:00:00 +0000 UTC 1772704800", "2026-03-05 00:00:00 +0000 UTC 1772668800"],
    "America/New_York": ["2026-03-05 05:00:00 -0500 EST 1772704800", "2026-03-05 00:00:00 -0500 EST 1772686800"],
    "Asia/Kathmandu": [
      "2026-03-05 15:45:00 +0545 GMT+5:45 1772704800",
      "2026-03-05 00:00:00 +0545 GMT+5:45 1772648100",
    ],
  };
  for (const [timezone, [firstDate, secondDate]] of Object.entries(expectedDates)) {
    const theme = await openTheme(t, files, { timezone });
    const outputs = new Set<string>();
    for (const zone of ["Europe/Berlin", "America/New_York", "Asia/Tokyo", "UTC"]) {
      process.env.TZ = zone;
      outputs.add(await theme.section("a"));
    }
    assert.equal(outputs.size, 1, [...outputs].join("\n\n"));
    const lines = [...outputs][0]?.split("\n") ?? [];
    assert.deepEqual(lines.slice(0, 2), [firstDate, secondDate]);
    assert.match(lines[2] ?? "", /^2026-07-05 10:00:00 /);
    assert.match(lines[3] ?? "", /^2026-03-05 22:15:00 /);
    assert.match(lines[4] ?? "", /^2026-03-29 02:30:00 /);
  }
});

test("dates use the Gregorian calendar in every language", async (t) => {
  const template = "{{ '2026-03-05' | date: '%d %B %Y' }}|{{ '2026-03-05' | date: format: 'date' }}";
  const theme = await openTheme(t, { "sections/a.liquid": template });
  for (const [locale, expectedText] of [
    ["en", "05 March 2026|March 5, 2026"],
    ["fa", "05 مارس 2026|۵ مارس ۲۰۲۶"],
    ["th", "05 มีนาคม 2026|5 มีนาคม ค.ศ. 2026"],
    ["ar-SA", "05 مارس 2026|٥ مارس ٢٠٢٦"],
  ] as const)
    assert.equal(normalizeSpaces(await theme.section("a", { locale })).replace(/ م$/, ""), expectedText, locale);
});

test("in a theme made for Shopify, a pattern of the date filter prints English names, which templates compare", async (t) => {
  const files = {
    "sections/a.liquid":
      "{{ '2026-03-07' | date: '%a %B' }}|{{ '2026-03-07' | date: format: 'name' }}|{{ '2026-03-07' | time_tag: '%B' | strip_html }}",
    "locales/en.default.json": '{ "date_formats": { "name": "%a %B" } }',
  };
  const shopifyTheme = await openTheme(t, files, { compat: { forms: true, script: true } });
  assert.equal(await shopifyTheme.section("a", { locale: "fr" }), "Sat March|sam. mars|mars");
  const theme = await openTheme(t, files);
  assert.equal(await theme.section("a", { locale: "fr" }), "sam. mars|sam. mars|mars");
});

test("patterns equal those of Ruby's strftime", async (t) => {
  const patterns: readonly (readonly [string, string])[] = [
    ["%a %A %b %B %h", "Mon Monday Jan January Jan"],
    ["%d %e %-d %_d %3d %-m %_m", "05  5 5  5 005 1  1"],
    ["%H %k %I %l %M %S %p %P", "15 15 03  3 04 09 PM pm"],
    ["%y %Y %C %j %U %W %V %G %g %u %w", "26 2026 20 005 01 01 02 2026 26 1 1"],
    ["%F %T %R %D %r", "2026-01-05 15:04:09 15:04 01/05/26 03:04:09 PM"],
    ["%^b %^A %#p %10A|%-10A", "JAN MONDAY pm     Monday|Monday"],
    ["%L %N %3N %s", "120 120000000 120 1767625449"],
    ["%z %:z %Z %q %% %Q", "+0000 +00:00 UTC th % %Q"],
  ];
  const template = patterns.map(([pattern]) => `{{ '2026-01-05T15:04:09.120Z' | date: '${pattern}' }}`).join("\n");
  const theme = await openTheme(t, { "sections/a.liquid": template });
  assert.deepEqual(
    (await theme.section("a")).split("\n"),
    patterns.map(([, expectedText]) => expectedText),
  );
  const days = await openTheme(t, {
    "sections/a.liquid":
      "{{ '2024-12-31' | date: '%j %G-%V' }} {{ '2025-12-31' | date: '%j %G-%V' }} {{ '2023-01-01' | date: '%j %U %W %G-%V' }}",
  });
  assert.equal(await days.section("a"), "366 2025-01 365 2026-01 001 01 00 2022-52");
});

test("the date filter finds a date after other words, as in Ruby, which older themes apply to translated texts", async (t) => {
  const theme = await openTheme(t, {
    "sections/a.liquid":
      "{{ 'placed' | t: date: '2026-01-05T15:04:09.120Z' | date: '%B %d, %Y' }}|{{ 'Placed on 2026-01-05' | date: '%B %d' }}",
    "locales/en.default.json": '{ "placed": "Placed on {{ date }}" }',
  });
  assert.equal(await theme.section("a"), "January 05, 2026|January 05");
});

test("a value that is not a date is printed unchanged, in every zone", async (t) => {
  const template =
    "{% assign far = 8640000000000 %}{{ 'no date' | date: '%Y' }}|{{ '' | date: '%Y' }}|{{ 999999999999999 | date: '%Y' }}|{{ far | date: '%Y' }}";
  for (const timezone of ["UTC", "Asia/Tokyo"]) {
    const theme = await openTheme(t, { "sections/a.liquid": template }, { timezone });
    assert.equal(await theme.section("a"), "no date||999999999999999|8640000000000");
  }
});
