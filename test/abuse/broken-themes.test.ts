import assert from "node:assert/strict";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { serve, vitrine } from "../support/server-process.ts";
import { makeStore } from "../support/shop.ts";
import { until } from "../support/until.ts";
import { brokenThemes } from "./broken-themes.ts";

const names = Object.keys(brokenThemes);

/** Returns a home page with the given sections between two valid ones. */
function page(others: readonly string[]): string {
  const order = ["before", ...others, "after"];
  const typeOf = (id: string): string => (others.includes(id) ? id : "good");
  return JSON.stringify({ sections: Object.fromEntries(order.map((id) => [id, { type: typeOf(id) }])), order });
}

const storeDir = await makeStore({
  themeFiles: {
    "sections/good.liquid": "good",
    "templates/index.all.json": page(names),
    "templates/index.no-json.json": '{"sections":\n {"a": }}',
    "templates/index.no-end.liquid": "a\n{% for x in collections %}",
    "templates/index.no-layout.liquid": "{% layout 'gone' %}a page without a layout",
    ...Object.fromEntries(names.map((name) => [`templates/index.${name}.json`, page([name])])),
    ...Object.assign({}, ...Object.values(brokenThemes).map(({ files }) => files)),
  },
});
after(() => rm(storeDir, { recursive: true, force: true }));
const { origin, log } = await serve(storeDir, "", { LOG_LEVEL: "warn" });

const get = (path: string): Promise<Response> => fetch(`${origin}${path}`);

/** Waits for a log line. */
async function logged(pattern: RegExp): Promise<void> {
  await until(() => assert.match(log(), pattern) === undefined, `${pattern} in the log`);
}

for (const [name, { logged: logPattern, shown: expectedOutput }] of Object.entries(brokenThemes)) {
  test(`a theme broken by ${name} renders its other parts, and the log has the location`, async () => {
    const [shown, alive] = await Promise.all([get(`/?view=${name}`), get("/healthz")]);
    assert.equal(alive.status, 200);
    assert.equal(shown.status, 200);
    const html = await shown.text();
    assert.ok(html.includes('<div id="store-section-before">good</div>'), html);
    assert.ok(html.includes(`<div id="store-section-${name}">${expectedOutput ?? ""}</div>`), html);
    assert.ok(html.includes('<div id="store-section-after">good</div>'), html);
    await logged(logPattern);
  });

  const outcome =
    expectedOutput === undefined ? "is null among others, and alone an error that tells nothing" : "shows the rest";
  test(`a section broken by ${name} ${outcome} (spec 4.8)`, async () => {
    const bundled = await get(`/cart.js?sections=${name},good`);
    assert.equal(bundled.status, 200);
    const { sections } = (await bundled.json()) as { sections: unknown };
    const html = expectedOutput === undefined ? null : `<div id="store-section-${name}">${expectedOutput}</div>`;
    assert.deepEqual(sections, { [name]: html, good: '<div id="store-section-good">good</div>' });
    const alone = await get(`/?section_id=${name}`);
    assert.equal(alone.status, expectedOutput === undefined ? 500 : 200);
    if (expectedOutput === undefined) assert.doesNotMatch(await alone.text(), /liquid|file|line/);
    else assert.equal(await alone.text(), html);
  });
}

test("a page of broken sections is answered, and other requests meanwhile", async () => {
  const [shown, alive] = await Promise.all([get("/?view=all"), get("/healthz")]);
  assert.equal(alive.status, 200);
  assert.equal(shown.status, 200);
  assert.ok((await shown.text()).includes('<div id="store-section-after">good</div>'));
});

for (const [view, expected, logPattern] of [
  ["no-json", 'id="store-section-context"', /templates\/index\.no-json\.json: .*line 2/],
  ["no-end", 'id="store-section-context"', /never closed.*templates\/index\.no-end\.liquid, line:2/],
  ["no-layout", "a page without a layout", /layout\/gone\.liquid/],
] as const) {
  test(`a page with a broken template or layout (${view}) uses the default one`, async () => {
    const shown = await get(`/?view=${view}`);
    assert.equal(shown.status, 200);
    const html = await shown.text();
    assert.ok(html.includes(expected), html);
    assert.match(html, /<\/html>/);
    await logged(logPattern);
  });
}

test("each error is logged once", async () => {
  for (let times = 0; times < 3; times += 1) await get("/?view=missing-file");
  assert.equal(
    log().match(/"error":"[^"]*nowhere\.liquid[^"]*sections\/missing-file\.liquid, line:2, col:1\b/g)?.length,
    1,
  );
});

interface FindingJson {
  readonly severity: string;
  readonly message: string;
  readonly places: readonly { readonly file: string; readonly line?: number; readonly column?: number }[];
}

test("vitrine check reports each error with its location", async () => {
  const { code, stdout } = await vitrine(["check", storeDir, "--json"]).finished;
  assert.equal(code, 1);
  const { findings } = JSON.parse(stdout) as { findings: readonly FindingJson[] };
  const findingLines = findings.flatMap(({ severity, message, places }) =>
    places.map(({ file, line = "", column = "" }) => `${file}:${line}:${column} ${severity}: ${message}`),
  );
  const expected = [
    ...Object.values(brokenThemes).map(({ checked }) => checked),
    /templates\/index\.no-json\.json:2:8 error: invalid JSON/,
    /templates\/index\.no-end\.liquid:2:1 error: .*never closed/,
    /templates\/index\.no-layout\.liquid:1:1 error: no file layout\/gone\.liquid/,
  ];
  for (const pattern of expected)
    assert.ok(
      findingLines.some((one) => pattern.test(one)),
      `${pattern} in\n${findingLines.join("\n")}`,
    );
});

test("without the folder of the theme, its last version is shown, and the log says how to continue", async () => {
  await rename(join(storeDir, "theme"), join(storeDir, "moved"));
  await until(async () => {
    await get("/?view=all");
    return log().includes("the folder of the theme is missing");
  }, "the missing folder in the log");
  assert.match(await (await get("/?view=all")).text(), /good/);
  const line = log()
    .split("\n")
    .find((text) => text.includes("the folder of the theme is missing"));
  assert.match(
    JSON.parse(line ?? "{}").error,
    /^SetupError: .*theme: the folder of the theme is missing\. Restore it, or publish another theme with "vitrine theme publish"\.$/,
  );
});
