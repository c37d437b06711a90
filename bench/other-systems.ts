// Measures how writes of other systems affect shoppers, and how soon the writes are visible, with 100,000 products.
// Keystrokes are measured in blocks with and without 10,000 stock changes per second. The delay of a catalog change is
// the time from `POST /admin/catalog` until search finds the product by its new title.
//   VITRINE_DATA=… node bench/other-systems.ts [--rate 10000] [--blocks 6] [--seconds 5] [--edits 20] [--record]
import { spawn } from "node:child_process";
import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { json as readJson } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { catalogueFile } from "./catalogs.ts";
import { typedTexts } from "./http/queries.ts";
import { recordRows, today } from "./results.ts";
import { cpuMs, percentile, runCommand, runForText, startServer, stopServer } from "./store.ts";

const { values: options } = parseArgs({
  options: {
    rate: { type: "string", default: "10000" },
    blocks: { type: "string", default: "6" },
    seconds: { type: "string", default: "5" },
    edits: { type: "string", default: "20" },
    record: { type: "boolean", default: false },
  },
});
const heading = "## other-systems.ts: keystrokes during stock changes";
const products = 100_000;
/** Milliseconds between two keystrokes of the shopper. */
const keystrokePauseMs = 4;

const dir = join(tmpdir(), "vitrine-bench", "store-with-stock");
await makeStore();
const token = (await runForText(["token", "create", "--store", dir, "--scopes", "stock:write,catalog:write"])).trim();
const server = await startServer(dir);
const pid = server.child.pid ?? 0;
const agent = new Agent({ keepAlive: true, maxSockets: 4 });
const typingAgent = new Agent({ keepAlive: true, maxSockets: 1 });
try {
  const texts = (await typedTexts()).measuredTexts;
  let nextText = 0;
  const typeFor = async (ms: number): Promise<readonly number[]> => {
    const times: number[] = [];
    for (const end = performance.now() + ms; performance.now() < end; ) {
      const text = texts[nextText % texts.length] ?? "";
      nextText += 1;
      const start = performance.now();
      await send(typingAgent, "GET", `/search/suggest.json?q=${encodeURIComponent(text)}`);
      times.push(performance.now() - start);
      await sleep(keystrokePauseMs);
    }
    return times;
  };
  await typeFor(3_000);
  const quietTimes: number[] = [];
  const busyTimes: number[] = [];
  const ratios: number[] = [];
  let changedLines = 0;
  let changeMs = 0;
  let changeCpu = 0;
  for (let block = 0; block < Number(options.blocks); block += 1) {
    const ms = Number(options.seconds) * 1_000;
    const quietBlock = await typeFor(ms);
    const cpuBefore = await cpuMs(pid);
    const changes = changeStock(Number(options.rate));
    const busyBlock = await typeFor(ms);
    const changeResult = await changes.stop();
    changedLines += changeResult.lines;
    changeMs += changeResult.ms;
    changeCpu += (await cpuMs(pid)) - cpuBefore;
    quietTimes.push(...quietBlock);
    busyTimes.push(...busyBlock);
    ratios.push(percentile(busyBlock, 0.99) / percentile(quietBlock, 0.99));
  }
  const editTimes: number[] = [];
  for (let edit = 0; edit < Number(options.edits); edit += 1) editTimes.push(await editAndFind(edit));
  const formatTimes = (times: readonly number[]): string =>
    `${percentile(times, 0.5).toFixed(2)} / ${percentile(times, 0.99).toFixed(2)} ms`;
  const row = [
    ...today(),
    `${Math.round((changedLines * 1_000) / changeMs)}`,
    formatTimes(quietTimes),
    formatTimes(busyTimes),
    percentile(ratios, 0.5).toFixed(2),
    `${Math.round((changeCpu * 100) / changeMs)} %`,
    `${percentile(editTimes, 0.5).toFixed(0)} / ${Math.max(...editTimes).toFixed(0)} ms`,
  ];
  process.stdout.write(`| ${row.join(" | ")} |\n`);
  if (options.record) recordRows(heading, [row]);
} finally {
  agent.destroy();
  typingAgent.destroy();
  await stopServer(server.child);
}

/** Changes stock at a constant rate until stopped, from a separate process. */
function changeStock(rate: number): { stop(): Promise<{ readonly lines: number; readonly ms: number }> } {
  const file = fileURLToPath(new URL("./http/stock-load.ts", import.meta.url));
  const child = spawn(process.execPath, [file, server.origin, token, `${rate}`, `${products}`], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const result = readJson(child.stdout);
  return {
    async stop() {
      child.stdin.end();
      return (await result) as { readonly lines: number; readonly ms: number };
    },
  };
}

/** Changes the title of a product.  @returns milliseconds until search finds the product by its new title */
async function editAndFind(edit: number): Promise<number> {
  const word = `zqx${Date.now().toString(36)}${edit}`;
  const start = performance.now();
  const line = { patch: { kind: "product", id: `p${1 + edit * 97}`, title: `Edited ${word}` } };
  await send(agent, "POST", "/admin/catalog", JSON.stringify(line));
  for (;;) {
    const text = await send(
      typingAgent,
      "GET",
      `/search/suggest.json?resources[type]=product&q=${word}&n=${performance.now()}`,
    );
    if (text.includes(word) && text.includes('"handle"')) return performance.now() - start;
    await sleep(5);
  }
}

function send(requestAgent: Agent, method: string, path: string, body = ""): Promise<string> {
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "application/x-ndjson",
    "content-length": String(Buffer.byteLength(body)),
  };
  return new Promise((changeResult, fail) => {
    const outgoingRequest = request(`${server.origin}${path}`, { method, agent: requestAgent, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      response.on("end", () => {
        if (response.statusCode === 200) changeResult(text);
        else fail(new Error(`${path} was answered ${response.statusCode}: ${text.slice(0, 300)}`));
      });
    });
    outgoingRequest.on("error", fail).end(body);
  });
}

/** Creates a store of 100,000 products with ids, SKUs and stock. Later runs reuse it. */
async function makeStore(): Promise<void> {
  if (existsSync(join(dir, "data"))) return;
  await mkdir(join(dir, "catalog"), { recursive: true });
  await writeFile(join(dir, "vitrine.config.ts"), 'export default { name: "Bench", currency: "USD" };\n');
  const file = join(tmpdir(), "vitrine-bench", "products-with-stock.jsonl");
  const output = createWriteStream(file);
  let number = 0;
  for await (const line of createInterface({ input: createReadStream(catalogueFile("products-100k")) })) {
    number += 1;
    const row = JSON.parse(line) as { variants: readonly object[] };
    const [variant] = row.variants;
    const stockedVariant = { ...variant, id: `v${number}`, sku: `SKU-${number}`, inventory_quantity: 50 };
    output.write(`${JSON.stringify({ ...row, id: `p${number}`, variants: [stockedVariant] })}\n`);
  }
  await new Promise((changeResult) => output.end(changeResult));
  await runCommand(["import", "--store", dir, file]);
}
