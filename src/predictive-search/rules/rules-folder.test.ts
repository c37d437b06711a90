import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { until } from "../../../test/support/until.ts";
import { emptyRuleTexts } from "./rule-texts.ts";
import { checkRulesFolder, describeRuleError, openRulesFolder, renameRulesFolder } from "./rules-folder.ts";

const storeDir = await mkdtemp(join(tmpdir(), "vitrine-rules-"));
after(() => rm(storeDir, { recursive: true, force: true }));
const today = "2026-11-26";
const context = {
  storeDir,
  locales: { default: "en", others: [] },
  getToday: () => today,
  log: { recurring: (_: unknown, message: string) => assert.fail(message) },
};
const writeRulesFile = async (name: string, text: string | Uint8Array): Promise<void> => {
  await mkdir(join(storeDir, "search"), { recursive: true });
  await writeFile(join(storeDir, "search", name), text);
};

test("rules follow their files: created, changed, invalid, fixed, moved in, deleted", async () => {
  const errors: string[] = [];
  const folder = await openRulesFolder({ ...context, report: (error) => errors.push(describeRuleError(error)) });
  const pins = () => folder.currentRules().getRulesForQuery("rain", "en").pins.join();
  assert.equal(pins(), "");
  await writeRulesFile("pins.txt", "rain: smock");
  await folder.refresh();
  assert.equal(pins(), "smock");
  const { revision } = folder.currentRules();
  await folder.refresh();
  assert.equal(folder.currentRules().revision, revision, "nothing changed");

  await writeRulesFile("pins.txt", "rain: cape\nrain cape");
  await folder.refresh();
  assert.equal(pins(), "smock", "an invalid file keeps the previous rules in force");
  assert.match(errors.join(), /^search\/pins\.txt:2: "rain cape" has no ":"/);

  await writeRulesFile("hides.txt", "*: smock");
  await folder.refresh();
  assert.equal(pins(), "", "a valid file applies despite an invalid one");
  await writeRulesFile("pins.new", "rain: cape");
  await rename(join(storeDir, "search/pins.new"), join(storeDir, "search/pins.txt"));
  await folder.refresh();
  assert.equal(pins(), "cape");
  await rm(join(storeDir, "search"), { recursive: true });
  await folder.refresh();
  assert.equal(pins(), "");
  assert.ok(folder.currentRules().revision > revision);
  await folder.close();
});

test("a change is detected by polling", async () => {
  const folder = await openRulesFolder({ ...context, report: () => {} });
  await writeRulesFile("redirects.txt", "returns -> /pages/returns");
  await until(() => folder.currentRules().getRulesForQuery("returns", "en").redirect, "the folder reads the file");
  await folder.close();
  await rm(join(storeDir, "search"), { recursive: true });
});

test("the rules of the database apply only while the folder has no rules", async () => {
  const storedTexts = { ...emptyRuleTexts, pins: "rain: stored", hides: "*: hidden" };
  const folder = await openRulesFolder({ ...context, storedTexts, report: () => {} });
  const rules = () => {
    const { pins, hides } = folder.currentRules().getRulesForQuery("rain", "en");
    return [...pins, ...hides].join();
  };
  assert.deepEqual([rules(), folder.fileTexts()], ["stored,hidden", undefined]);
  await writeRulesFile("readme.md", "no rules");
  await writeRulesFile("pins.txt", "no rule");
  await folder.refresh();
  assert.equal(rules(), "stored,hidden", "a first file with an error does not apply");
  await writeRulesFile("pins.txt", "\ufeff# first\r\n rain: file # second\n\n[en]\nsnow: file");
  await folder.refresh();
  assert.deepEqual([rules(), folder.fileTexts()?.pins], ["file", "rain: file\n[en]\nsnow: file"]);
  const { revision } = folder.currentRules();
  folder.setStoredRules({ ...emptyRuleTexts, pins: "rain: newer" });
  assert.deepEqual([rules(), folder.currentRules().revision], ["file", revision]);
  assert.deepEqual(folder.preview({ ...emptyRuleTexts, pins: "rain: other" }).getRulesForQuery("rain", "en").pins, [
    "other",
  ]);
  assert.equal(await renameRulesFolder(storeDir, Date.UTC(2026, 10, 26, 9)), true);
  assert.equal(await renameRulesFolder(storeDir, Date.UTC(2026, 10, 26, 9)), false, "there is no folder");
  await folder.refresh();
  assert.deepEqual([rules(), folder.fileTexts()], ["newer", undefined]);
  assert.match(await readFile(join(storeDir, "search-taken-over-20261126090000/pins.txt"), "utf8"), /# first/);
  await folder.close();
});

test("at the start, the valid lines of an invalid file apply", async () => {
  await writeRulesFile("pins.txt", "rain cape\nrain: cape");
  const errors: number[] = [];
  const folder = await openRulesFolder({ ...context, report: ({ line }) => errors.push(line) });
  assert.deepEqual(folder.currentRules().getRulesForQuery("rain", "en").pins, ["cape"]);
  assert.deepEqual(errors, [1]);
  await folder.close();
});

test("a check reports every error: in lines, encodings, and file names", async () => {
  await writeRulesFile("hides.txt", new Uint8Array([0xff, 0xfe, 0x41]));
  await writeRulesFile("pin.txt", "rain: smock");
  await writeRulesFile("synonyms.txt", "x".repeat(1_000_001));
  await mkdir(join(storeDir, "search/redirects.txt"));
  assert.deepEqual(
    (await checkRulesFolder(storeDir, context.locales)).map((error) => error.slice(0, 44)),
    [
      "search/synonyms.txt: is larger than 1 MB. Re",
      'search/pins.txt:1: "rain cape" has no ":". W',
      "search/hides.txt: is not UTF-8 text. Save it",
      "search/redirects.txt: cannot be read (EISDIR",
      "search/pin.txt: is not a rules file. Use one",
    ],
  );
});
