import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { until } from "../../test/support/until.ts";
import type { RunningSettings } from "../config/live-settings.ts";
import { loadConfig } from "../config/load-config.ts";
import type { Log } from "../observability/log.ts";
import { watchSettings } from "./watch-settings.ts";

const storeDir = await mkdtemp(join(tmpdir(), "vitrine-settings-"));
after(() => rm(storeDir, { recursive: true, force: true }));
const write = (file: string, text: string) => writeFile(join(storeDir, file), text);
const settings = (text: string) => write("vitrine.config.ts", `export default { ${text} };\n`);

test("changed settings apply, and changes that need a restart are reported by name: settings, errors in them, the hooks module, missing files", async () => {
  const initialSettings = 'name: "A", hooks: "hooks.ts", cart: { maxLines: 10 }';
  await settings(initialSettings);
  await write("hooks.ts", "export default {};\n");
  const messages: string[] = [];
  const warn: Log["warn"] = (_, message) => messages.push(message);
  const log: Pick<Log, "info" | "warn" | "recurring"> = { info: () => {}, warn, recurring: warn };
  const config = await loadConfig(storeDir);
  const appliedSettings: RunningSettings[] = [];
  const onChange = (changedSettings: RunningSettings) => appliedSettings.push(changedSettings);
  const watcher = watchSettings({ storeDir, overrides: undefined, config, onChange }, log as Log, 20);
  after(watcher.close);
  const nextMessages = async (count: number): Promise<string> => {
    await until(() => messages.length >= count, `${count} log lines`);
    return String(messages.at(-1));
  };
  // The first poll records the settings in use.
  await setTimeout(60);
  await settings('name: "Harbour", hooks: "hooks.ts", cart: { maxLines: 1000 }, tax: { rates: { DE: 19 } }');
  assert.equal(await nextMessages(1), "settings have changed; restart the server to apply them: cart.maxLines");
  const applied = appliedSettings.at(-1)?.config;
  assert.deepEqual(
    [applied?.name, applied?.tax.rates, applied?.cart.maxLines],
    ["Harbour", { DE: 19 }, config.cart.maxLines],
  );
  await settings('name: "Harbour", colour: "blue"');
  assert.match(
    await nextMessages(2),
    /^settings have changed, and a restart would fail: .*vitrine\.config\.ts:1: colour /,
  );
  await settings(initialSettings);
  assert.equal(await nextMessages(3), "settings match the running server again: no restart is needed");
  assert.equal(appliedSettings.at(-1)?.config.name, "A");
  await write("hooks.ts", "export default { };\n");
  assert.equal(await nextMessages(4), "hooks.ts has changed: restart the server to apply it");
  await rm(join(storeDir, "hooks.ts"));
  assert.equal(await nextMessages(5), "hooks.ts is missing, and a restart would fail: restore it");
  await rm(join(storeDir, "vitrine.config.ts"));
  assert.equal(await nextMessages(6), "the settings file is missing, and a restart would fail: restore it");
  assert.equal(appliedSettings.at(-1)?.config.name, "A");
  await settings(initialSettings);
  assert.equal(await nextMessages(7), "settings match the running server again: no restart is needed");
});

test("a program that has written the file applies it without waiting for a second poll", async () => {
  await settings('name: "A"');
  const names: string[] = [];
  const log = { info: () => {}, warn: () => {}, recurring: () => {} };
  const config = await loadConfig(storeDir);
  const onChange = (changed: RunningSettings) => names.push(changed.config.name);
  const watcher = watchSettings({ storeDir, overrides: undefined, config, onChange }, log as unknown as Log, 600_000);
  after(watcher.close);
  await watcher.readNow();
  await settings('name: "B", currency: "EUR"');
  await watcher.readNow();
  assert.deepEqual(names, ["B"]);
});
