import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { after, test } from "node:test";
import { findCurrency, findTimezone } from "../../pricing/default-countries.ts";
import { readRows, runCommand, writeRows } from "./import.fixture.ts";
import { run as runImport } from "./import.ts";
import { run } from "./init.ts";

const scratch = await mkdtemp(join(tmpdir(), "vitrine-init-"));
after(() => rm(scratch, { recursive: true, force: true }));

test("vitrine init writes name, country, language, and an export into the new store, from flags or from answers on a terminal", async () => {
  const file = join(scratch, "rope.csv");
  await writeFile(file, "Handle,Title,Variant Price\nrope,Rope,9.00\n");
  const flags = ["--name", 'Käpt’n "Blau"', "--country", "germany", "--language", "de", "--import", file];
  const byFlags = await runCommand(run, scratch, ["by-flags", ...flags]);
  assert.equal(byFlags.code, 0, byFlags.stderr);
  assert.match(byFlags.stdout, /Imported 7 pages, 1 product/);
  const terminal = Object.assign(Readable.from(['Käpt’n "Blau"\n', "nowhere\n", "DE\n", "\n", "rope.csv\n"]), {
    isTTY: true,
  });
  const byAnswers = await runCommand(run, scratch, ["by-answers"], { stdin: terminal });
  assert.equal(byAnswers.code, 0, byAnswers.stderr);
  assert.match(
    byAnswers.stderr,
    /^Name of the shop \[By answers\]: Country .*: "nowhere" is not a country.*\nCountry .*: Language .* \[de\]: Product export .*: /,
  );
  const settings = await readFile(join(scratch, "by-flags", "vitrine.config.ts"), "utf8");
  assert.match(settings, /name: "Käpt’n \\"Blau\\"",\n {2}currency: "EUR",\n {2}locales: \{ default: "de"/);
  assert.match(settings, /contact: \{ address: \{ country: "DE" \} \}/);
  assert.equal(await readFile(join(scratch, "by-answers", "vitrine.config.ts"), "utf8"), settings);
  for (const [name, title] of [
    ["policies.jsonl", "Impressum"],
    ["pages.jsonl", "Über uns"],
  ] as const) {
    const pages = await readFile(join(scratch, "by-flags", "catalog", name), "utf8");
    assert.ok(pages.includes(`"title":"${title}"`), pages);
  }
  for (const [args, message] of [
    [["--country", "nowhere"], /--country: "nowhere" is not a country/],
    [["--language", "german!"], /--language: "german!" is not a language/],
    [["--import", "missing.csv"], /--import: .*missing\.csv does not exist/],
  ] as const) {
    await assert.rejects(runCommand(run, scratch, ["rejected", ...args]), { message });
  }
  for (const [country, currency] of [
    ["US", "USD"],
    ["PL", "PLN"],
    ["CH", "CHF"],
    ["AT", "EUR"],
    ["JP", "JPY"],
    ["CU", "CUP"],
  ] as const)
    assert.equal(findCurrency(country), currency);
});

test("vitrine init sets the time zone of the country, if it has one", async () => {
  for (const [country, line] of [
    ["FR", /timezone: "Europe\/Paris"/],
    ["DE", /timezone: "Europe\/Berlin"/],
    ["JP", /timezone: "Asia\/Tokyo"/],
  ] as const) {
    await runCommand(run, scratch, [`zone-${country}`, "--country", country]);
    assert.match(await readFile(join(scratch, `zone-${country}`, "vitrine.config.ts"), "utf8"), line);
  }
  assert.equal(findTimezone("US", "America/Denver"), "America/Denver", "the zone of the machine");
  assert.equal(findTimezone("US", "Europe/Berlin"), undefined, "more than one zone");
});

test("vitrine init with an export that it cannot read says how to import the corrected file", async () => {
  await writeFile(join(scratch, "other.csv"), "Name;Preis\nRope;9,00\n");
  const { code, stdout, stderr } = await runCommand(run, scratch, ["not-read", "--import", "other.csv"]);
  assert.equal(code, 1);
  assert.match(stderr, /other\.csv:1: is not in a known format/);
  assert.match(
    stdout,
    /Next: "\S+ import <file> --store not-read" with the corrected file, then "\S+ serve not-read"\.$/m,
  );
});

test("the first import into a new store adds its pages and policies, and no example products", async () => {
  const store = join(scratch, "rope-shop");
  await runCommand(run, scratch, ["rope-shop"]);
  await writeRows(store, "mine.jsonl", [
    { kind: "product", handle: "rope", title: "Rope", variants: [{ id: 1, price: 100 }] },
  ]);
  const { code, stdout } = await runCommand(runImport, store, ["mine.jsonl"]);
  assert.equal(code, 0);
  assert.match(
    stdout,
    /Imported 1 product[\s\S]*Imported \d+ pages of catalog\/\.\nThe example products of catalog\/products\.jsonl were/,
  );
  const rows = await readRows(store);
  const listHandles = (wantedKind: string): readonly string[] =>
    rows.flatMap(({ kind, json }) => (kind === wantedKind ? [(JSON.parse(json) as { handle: string }).handle] : []));
  assert.deepEqual(listHandles("product"), ["rope"]);
  const pages = listHandles("page");
  assert.ok(
    ["about", "privacy-policy", "refund-policy"].every((handle) => pages.includes(handle)),
    pages.join(),
  );
});

test("a new Git repository becomes a store, and a folder with files is rejected with the name of another", async () => {
  const repository = join(scratch, "repository");
  await mkdir(join(repository, ".git"), { recursive: true });
  assert.equal((await runCommand(run, repository, ["."])).code, 0);
  await assert.rejects(runCommand(run, repository, ["."]), /not empty .*vitrine init \.\.\/repository-2"/);
});
