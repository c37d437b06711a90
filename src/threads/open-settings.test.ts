import assert from "node:assert/strict";
import fs from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, type TestContext, test } from "node:test";
import type { SettingsEditor } from "../config/settings-editor.ts";
import { openSettings, type SettingsResources } from "./open-settings.ts";

const storeDir = await fs.mkdtemp(join(tmpdir(), "vitrine-open-settings-"));
after(() => fs.rm(storeDir, { recursive: true, force: true }));
await fs.mkdir(join(storeDir, "data"));
const file = join(storeDir, "vitrine.config.ts");
const by = { source: "api", token: { id: "1", name: "office" } } as const;

async function openFile(settings: string, onLogEntry = (): void => {}): Promise<SettingsEditor> {
  await fs.writeFile(file, `export default { name: "Harbour", currency: "EUR", ${settings} };\n`);
  const parts = {
    storeDir,
    source: { file: "catalog.db" },
    database: { write: async () => onLogEntry() },
    newId: () => "id",
    development: {},
  };
  return openSettings(parts as unknown as SettingsResources);
}

test("settings that are sent back as they were read keep the password of the mail server", async () => {
  const editor = await openFile('mail: { smtp: "smtps://u:secret@mail.example:2465", from: "a@b.example" }');
  const { settings } = await editor.read();
  assert.equal(settings.mail?.smtp, "smtps://u@mail.example:2465");
  await editor.change({ ...settings, name: "Kontor" }, { by, now: 0 });
  assert.match(await fs.readFile(file, "utf8"), /name: "Kontor".*smtps:\/\/u:secret@mail\.example:2465/);
  await editor.change({ mail: { smtp: "smtps://v@mail.example:2465" } }, { by, now: 0 });
  assert.doesNotMatch(await fs.readFile(file, "utf8"), /secret/);
});

test("a file that cannot be replaced, such as a mounted one, is read-only, and no change is logged", async (t: TestContext) => {
  let logEntryCount = 0;
  const editor = await openFile("", () => logEntryCount++);
  const mock = t.mock.method(fs, "rename", async () => {
    throw Object.assign(new Error("EBUSY: resource busy or locked"), { code: "EBUSY" });
  });
  syncBuiltinESMExports();
  await assert.rejects(editor.change({ name: "Kontor" }, { by, now: 0 }), { code: "settings_read_only" });
  mock.mock.restore();
  syncBuiltinESMExports();
  assert.equal(logEntryCount, 0);
  await editor.change({ name: "Kontor" }, { by, now: 0 });
  assert.equal(logEntryCount, 1);
});

test("an invalid file is read-only, with the reason, until a change corrects it", async () => {
  for (const settings of ["shipping: { rates: {} }", "shipping: { rates: [null] }"]) {
    const editor = await openFile(settings);
    await assert.rejects(editor.read(), {
      code: "settings_read_only",
      message: /^vitrine\.config\.ts:1: shipping\.rates.* must be /,
    });
    const saved = await editor.change({ shipping: null }, { by, now: 0 });
    assert.equal(saved.settings.shipping, undefined);
  }
});
