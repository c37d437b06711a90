import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { send } from "../support/client.ts";
import { serve, vitrine } from "../support/server-process.ts";

const data = process.env.VITRINE_DATA;
/** Number of products. The import reads and writes rows, and builds the index, in many batches of this catalog. */
const PRODUCTS = 6_000;

test("a catalog of 6,000 real products is imported, served and searched", {
  skip: data === undefined && "VITRINE_DATA names no folder",
}, async () => {
  const storeDir = await mkdtemp(join(tmpdir(), "vitrine-real-"));
  try {
    await writeFile(join(storeDir, "vitrine.config.ts"), 'export default { name: "Electronics", currency: "USD" };\n');
    const file = join(storeDir, "products.jsonl");
    const convert = fileURLToPath(new URL("../../bench/convert/icecat-19k.ts", import.meta.url));
    execFileSync(process.execPath, [convert, file], { stdio: "ignore" });
    const lines = (await readFile(file, "utf8")).split("\n");
    await writeFile(file, lines.slice(0, PRODUCTS).join("\n"));
    const { code, stderr } = await vitrine(["import", "--store", storeDir, file]).finished;
    assert.equal(code, 0, stderr);
    const server = await serve(storeDir);
    const find = async (q: string): Promise<readonly string[]> => {
      const reply = await send(server.origin, "GET", `/search/suggest.json?type=product&q=${encodeURIComponent(q)}`);
      assert.equal(reply.status, 200, reply.text);
      const { resources } = reply.json<{ resources: { results: { products: { title: string }[] } } }>();
      return resources.results.products.map(({ title }) => title);
    };
    // The queries are a part number, a prefix, a transposition, and an EAN.
    assert.match((await find("006R90321"))[0] ?? "", /006R90321/);
    for (const title of await find("xerox ton")) assert.match(title, /xerox/i);
    assert.ok((await find("tonre cartridge")).some((title) => /toner cartridge/i.test(title)));
    assert.match((await find("0095205603217"))[0] ?? "", /006R90321/);
    server.child.kill("SIGTERM");
    assert.equal((await server.finished).code, 0);
  } finally {
    await rm(storeDir, { recursive: true, force: true });
  }
});
