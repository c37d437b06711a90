import assert from "node:assert/strict";
import { chmod, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { createApp } from "../../src/app.ts";
import { add } from "../support/assertions.ts";
import { variant } from "../support/catalog.ts";
import { createClient } from "../support/client.ts";
import { makeStore } from "../support/shop.ts";

test("files of a store are readable by the owner only, also after a start that left them open", async () => {
  const storeDir = await makeStore({});
  const data = join(storeDir, "data");
  const modes = async (): Promise<readonly string[]> => {
    const entries = (await readdir(data, { withFileTypes: true })).filter((entry) => entry.isFile());
    const paths = [data, ...entries.map(({ name }) => join(data, name))];
    return Promise.all(paths.map(async (path) => `${((await stat(path)).mode & 0o777).toString(8)} ${path}`));
  };
  for (const start of ["the first start", "a start after that"]) {
    const app = await createApp({ storeDir, logLevel: "silent" });
    after(() => app.close());
    await add(createClient(await app.listen("127.0.0.1", 0)), variant.unlimited);
    const [folder = "", ...files] = await modes();
    assert.match(folder, /^700 /, start);
    assert.ok(files.some((file) => file.endsWith("vitrine.db-wal")) && files.some((file) => file.endsWith("secret")));
    for (const file of files) if (/vitrine\.db|secret/.test(file)) assert.match(file, /^600 /, start);
    await app.close();
    await chmod(data, 0o755);
    for (const { name } of await readdir(data, { withFileTypes: true })) await chmod(join(data, name), 0o755);
  }
  await rm(storeDir, { recursive: true });
});
