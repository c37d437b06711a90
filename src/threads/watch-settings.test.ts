import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { until } from "../../test/support/until.ts";
import { loadConfig } from "../config/load-config.ts";
import type { Log } from "../observability/log.ts";
import { watchSettings } from "./watch-settings.ts";

const storeDir = await mkdtemp(join(tmpdir(), "vitrine-settings-"));
after(() => rm(storeDir, { recursive: true, force: true }));
const write = (file: string, text: string) => writeFile(join(storeDir, file), text);
const settings = (text: string) => write("vitrine.config.ts", `export default { ${text} };\n`);

test("changes that need a restart are reported by name: settings, errors in them, the hooks module", async () => {
  const served = 'name: "A", hooks: "hooks.ts", cart: { maxLines: 10 }';
  await settings(served);
  await write("hooks.ts", "export default {};\n");
  const told: string[] = [];
  const warn: Log["warn"] = (_, message) => told.push(message);
  const log: Pick<Log, "warn" | "recurring"> = { warn, recurring: warn };
  const config = await loadConfig(storeDir);
  after(watchSettings({ storeDir, overrides: undefined, config }, log as Log, 20).close);
  const next = async (count: number): Promise<string> => {
    await until(() => told.length >= count, `${count} log lines`);
    return String(told.at(-1));
  };
  // The first poll records the settings in use.
  await setTimeout(60);
  await settings('name: "Harbour", hooks: "hooks.ts", cart: { maxLines: 1000 }, tax: { rates: { DE: 19 } }');
  assert.equal(
    await next(1),
    "settings have changed; restart the server to apply them: name, cart.maxLines, tax.rates.DE",
  );
  await settings('name: "Harbour", colour: "blue"');
  assert.match(await next(2), /^settings have changed, and a restart would fail: .*vitrine\.config\.ts:1: colour /);
  await settings(served);
  assert.equal(await next(3), "settings match the running server again: no restart is needed");
  await write("hooks.ts", "export default { };\n");
  assert.equal(await next(4), "hooks.ts has changed: restart the server to apply it");
});
