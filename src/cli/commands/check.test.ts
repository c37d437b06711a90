import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Writable } from "node:stream";
import test, { type TestContext } from "node:test";
import { pageTypes } from "../../theme/render/page-types.ts";
import { run } from "./check.ts";
import { run as importFile } from "./import.ts";

/** Runs the command in a temporary folder with these files. */
async function check(
  t: TestContext,
  files: Readonly<Record<string, string>>,
  ...args: string[]
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string; readonly cwd: string }> {
  const cwd = mkdtempSync(join(tmpdir(), "vitrine-check-"));
  t.after(() => rmSync(cwd, { recursive: true, force: true }));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, file)), { recursive: true });
    writeFileSync(join(cwd, file), text);
  }
  const [stdoutStream, stderrStream] = [new CollectedOutput(), new CollectedOutput()];
  const code = await run(args, { cwd, stdout: stdoutStream, stderr: stderrStream, env: {}, program: "vitrine" });
  return { code, stdout: stdoutStream.text, stderr: stderrStream.text, cwd };
}

class CollectedOutput extends Writable {
  text = "";

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

/** Files of a store whose theme contains every required template, all empty. */
const layout = {
  "vitrine.config.ts":
    'export default { shipping: { rates: [{ name: "Standard", price: 500 }] }, invoices: { issue: false } };',
  "theme/layout/theme.liquid": "{{ content_for_layout }}",
  ...Object.fromEntries(pageTypes.map((name) => [`theme/templates/${name}.liquid`, ""])),
};

test("check prints each error once with its locations, and exits with 1", async (t) => {
  const { code, stdout, stderr } = await check(t, {
    ...layout,
    "theme/sections/a.liquid": "{{ 1 | nosuch }}\n{{ 2 | nosuch }}",
    "theme/sections/b.liquid": "{{ product.titel }}",
  });
  assert.equal(code, 1);
  assert.equal(
    stdout,
    [
      'theme/sections/a.liquid:1:8: error: unknown filter "nosuch" (unknown-filter)',
      "    2 times; also theme/sections/a.liquid:2:8",
      'theme/sections/b.liquid:1:12: warning: unknown property "titel" of product, which is always empty: did you mean "title"? (unknown-property)',
      "",
    ].join("\n"),
  );
  assert.match(stderr, /: 1 error, 1 warning\.\n$/);
});

test("a store without shipping rates gets a warning with the countries that have free shipping", async (t) => {
  const config = 'export default { currency: "EUR", locales: { default: "de" } };';
  const { code, stdout } = await check(t, { ...layout, "vitrine.config.ts": config });
  assert.equal(code, 0);
  assert.match(
    stdout,
    /vitrine\.config\.ts: warning: .*orders to DE, FR, IT,.* ship for free\. Add rates.*\(no-shipping-rates\)/,
  );
  const settings = 'export default { checkout: { handoffUrl: "https://pay.example/{id}" } };';
  assert.equal((await check(t, { ...layout, "vitrine.config.ts": settings })).stdout, "");
});

test("a store that offers orders by invoice gets a warning about missing data of invoices", async (t) => {
  const warningsOf = async (settings: string): Promise<readonly string[]> => {
    const { stdout } = await check(t, {
      ...layout,
      "vitrine.config.ts": `export default { hooks: "hooks.ts", ${settings} };`,
    });
    return stdout.match(/warning: .*(?= \(incomplete-invoices\))/g) ?? [];
  };
  assert.match(String(await warningsOf("")), /^warning: .*no invoices are issued\. Set invoices\.issue to true/);
  assert.deepEqual(await warningsOf("checkout: { invoice: false }"), []);
  assert.deepEqual(await warningsOf("invoices: { issue: false }"), []);
  assert.deepEqual(await warningsOf("checkout: { invoice: false, bankTransfer: true }"), [
    "warning: the checkout cannot offer bank transfers without a bank account. Set invoices.iban",
  ]);
  const name = 'name: "Kai GmbH", taxNumber: "27/123"';
  assert.deepEqual(await warningsOf(`invoices: { issue: true, ${name} }, contact: { address: { city: "Kiel" } }`), [
    "warning: invoices are incomplete. Set contact.address.address1, contact.address.country, invoices.iban",
  ]);
  const contact = 'contact: { address: { address1: "Kai 3", city: "Kiel", country: "DE" } }';
  assert.deepEqual(
    await warningsOf(`invoices: { issue: true, ${name}, iban: "DE89370400440532013000" }, ${contact}`),
    [],
  );
});

test("warnings do not fail the check", async (t) => {
  const { code, stdout } = await check(t, { ...layout, "theme/sections/b.liquid": "{{ product.titel }}" });
  assert.equal(code, 0);
  assert.match(stdout, /^theme\/sections\/b\.liquid:1:12: warning: /);
});

test("entries that a theme names are looked up in the catalog files, then in the store's database", async (t) => {
  const product = (handle: string) =>
    JSON.stringify({ kind: "product", handle, title: handle, variants: [{ price: 1 }] });
  const links = ["tote", "mug", "none"].map((handle) => `<a href="/products/${handle}">x</a>`).join("\n");
  const files = { ...layout, "theme/sections/b.liquid": links, "more.jsonl": product("mug") };
  const missingProducts = (stdout: string) =>
    [...stdout.matchAll(/the product "(\w+)", which/g)].map(([, handle]) => handle);
  assert.deepEqual(
    missingProducts((await check(t, files)).stdout),
    [],
    "a store without a catalog has no known entries",
  );
  const storeResult = await check(t, { ...files, "catalog/shop.jsonl": product("tote") });
  assert.deepEqual(missingProducts(storeResult.stdout), ["mug", "none"]);
  const silent = { stdout: new CollectedOutput(), stderr: new CollectedOutput(), env: {}, program: "vitrine" };
  assert.equal(await importFile(["more.jsonl"], { ...silent, cwd: storeResult.cwd }), 0);
  const secondOutput = new CollectedOutput();
  await run([], { ...silent, stdout: secondOutput, cwd: storeResult.cwd });
  assert.deepEqual(missingProducts(secondOutput.text), ["none"]);
});

test("check --json prints one object with every location", async (t) => {
  const { code, stdout } = await check(t, { ...layout, "theme/sections/a.liquid": "\n{{ 1 | nosuch }}" }, "--json");
  assert.equal(code, 1);
  assert.deepEqual(JSON.parse(stdout), {
    catalog: [],
    findings: [
      {
        rule: "unknown-filter",
        severity: "error",
        message: 'unknown filter "nosuch"',
        places: [{ file: "theme/sections/a.liquid", line: 2, column: 8 }],
      },
    ],
  });
});

test("check accepts a theme without a store, and rejects other folders", async (t) => {
  const { code, stdout } = await check(t, { "a/layout/theme.liquid": "{{ 1 | nosuch }}" }, "a");
  assert.equal(code, 1);
  assert.match(stdout, /^a\/layout\/theme\.liquid:1:8: error: /);
  await assert.rejects(check(t, { "a/b.txt": "" }, "a"), /is neither a store .* nor a theme/);
});

test("check reports languages that the theme or the server lacks", async (t) => {
  const settings = (locales: object): string =>
    `export default { locales: ${JSON.stringify(locales)}, shipping: { rates: [{ name: "Standard", price: 500 }] }, invoices: { issue: false } };`;
  const others = ["ar-EG", "de-AT", "fr-CA", "no", "pt", "pt-AO"];
  assert.equal((await check(t, { "vitrine.config.ts": settings({ default: "fr", others }) })).stdout, "");
  const { code, stdout } = await check(t, { "vitrine.config.ts": settings({ default: "he" }) });
  assert.equal(code, 0);
  assert.match(
    stdout,
    /^vitrine\.config\.ts: warning: the theme has no texts in Hebrew \(he\) and shows English \(en\): add locales\/he\.json to it; emails and messages of the cart are not translated to Hebrew \(he\) and are in English \(en\): .* \(missing-language\)\n$/,
  );
});

test("check reports menus of the default theme if the store has no theme", async (t) => {
  const { code, stdout } = await check(t, {
    "vitrine.config.ts":
      'export default { menus: { main: [], footer: [] }, shipping: { rates: [{ name: "Standard", price: 500 }] }, invoices: { issue: false } };',
  });
  assert.equal(code, 0);
  assert.match(stdout, /^vitrine\.config\.ts: warning: no menu "main-menu": "menus" .* \(unknown-menu\)\n$/);
});

test("check warns about products that a combined listing leaves out", async (t) => {
  const shirt = (handle: string, combined_listing: readonly string[], options = ["Color"]): string =>
    JSON.stringify({ handle, title: handle, options, combined_listing, variants: [{ price: 1, options: [handle] }] });
  const rows = [
    shirt("red", ["red", "blue", "green", "gone"]),
    shirt("blue", ["red", "blue"]),
    shirt("green", ["red"], ["Tone"]),
    shirt("gray", ["red"]),
  ];
  const { code, stdout } = await check(t, { ...layout, "catalog/products.jsonl": rows.join("\n") });
  assert.equal(code, 0);
  const messages = stdout.split("\n").filter((line) => line.endsWith("(combined-listing)"));
  const start = "catalog: warning: the combined listing of the product";
  assert.deepEqual(messages, [
    `${start} "red" names "green", which has other options: name the same options in the same order (combined-listing)`,
    `${start} "red" names "gone", which does not exist (combined-listing)`,
    `${start} "green" names "red", which has other options: name the same options in the same order (combined-listing)`,
    `${start} "gray" names "red", which does not name "gray" in its combined listing (combined-listing)`,
  ]);
});

test("check reports a hooks module and a live theme that do not exist", async (t) => {
  const { code, stdout } = await check(t, {
    ...layout,
    "vitrine.config.ts": 'export default { invoices: { issue: false }, hooks: "hooks.ts" };',
    "themes/live": "summer",
  });
  assert.equal(code, 1);
  assert.match(
    stdout,
    /^vitrine\.config\.ts: error: hooks names hooks\.ts, which does not exist.* \(missing-hooks\)$/m,
  );
  assert.match(stdout, /^themes\/live: error: names the theme "summer", which does not exist.*\(missing-theme\)$/m);
});

test("check reports email templates with invalid Liquid, and those that no email uses", async (t) => {
  const { code, stdout } = await check(t, {
    ...layout,
    "notifications/order-created.fr.txt.liquid": "Subject: {{ order.name }}\n\n{% if order.transfer %}",
    "notifications/order-canceled.txt.liquid": "Subject: Canceled",
    "notifications/order-shipped.html.liquid": "<p>{{ order.name }}</p>",
    "notifications/order-shipped.liquid": "<p>{{ order.name }}</p>",
  });
  assert.equal(code, 1);
  assert.equal(
    stdout.replace(/emails are .*, and/, "emails are …, and"),
    [
      'notifications/order-canceled.txt.liquid: warning: no email has this name: did you mean "order-cancelled"? (email-template)',
      "notifications/order-created.fr.txt.liquid:3:1: error: 'if' tag was never closed (email-template)",
      "notifications/order-shipped.liquid: warning: no email has this name: emails are …, and files end in .txt.liquid or .html.liquid (email-template)",
      "",
    ].join("\n"),
  );
});
