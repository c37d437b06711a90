import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { readFlat } from "../../flat-documents.ts";
import { serverCore } from "../../http/run-load.ts";
import { onCore, stopServer } from "../../store.ts";
import { awaitPort, type SearchServer, type ServerPeer, sendChange, start } from "../search-server.ts";

const port = 10_042;
const origin = `http://127.0.0.1:${port}`;
const products = `${origin}/indexes/products`;
/** Fields in the order of their columns, which is also that of their weights. */
const fieldNames = ["title", "vendor", "type", "author", "tags", "sku", "barcode", "options", "body"];
const pollMs = 20;
/** Maximum bytes of the request that adds all products. */
const maxBytes = "4GB";

const searchParameters = { limit: "10", attributesToRetrieve: "key,title,vendor", matchingStrategy: "frequency" };

/**
 * Meilisearch with its default ranking rules and typo tolerance. Attributes are in order of their weight. The last word
 * is a prefix. If too few products have all words, the most frequent words are optional.
 */
export const meilisearchServer: ServerPeer = {
  title: "Meilisearch 1.50",
  explainMissing: () =>
    spawnSync("meilisearch", ["--version"]).status === 0
      ? undefined
      : "no meilisearch in PATH: see bench/peers/README.md",
  async open(documents, folder): Promise<SearchServer> {
    const isNew = readdirSync(folder).length === 0;
    const paths = ["--db-path", join(folder, "data"), "--dump-dir", join(folder, "dumps")];
    const limits = ["--max-indexing-threads", "1", "--http-payload-size-limit", maxBytes];
    const flags = ["--http-addr", `127.0.0.1:${port}`, "--no-analytics", "--log-level", "ERROR", ...paths, ...limits];
    const child = start(onCore(serverCore, ["meilisearch", ...flags]));
    child.stdout?.resume();
    await awaitPort(child, port);
    if (isNew) await build(documents);
    return {
      port,
      pid: child.pid ?? 0,
      path: (q) => `/indexes/products/search?${new URLSearchParams({ q, ...searchParameters })}`,
      idsOf: (body) => (JSON.parse(body) as { hits: readonly { readonly key: string }[] }).hits.map(({ key }) => key),
      changeTitle: ({ number }, title) => sendJson("PUT", "/documents", [{ number, title }]),
      close: () => stopServer(child),
    };
  },
};

async function build(documents: string): Promise<void> {
  await sendJson("PATCH", "/settings", { searchableAttributes: fieldNames });
  const lines: string[] = [];
  for (const { number, key, values } of readFlat(documents)) {
    const fields = fieldNames.map((name, at) => [name, values[at] ?? []]);
    lines.push(JSON.stringify({ number, key, ...Object.fromEntries(fields) }));
  }
  const headers = { "content-type": "application/x-ndjson" };
  await sendChange(`${products}/documents?primaryKey=number`, { method: "POST", headers, body: lines.join("\n") });
  while ((await countTasks("enqueued,processing")) > 0) await wait(pollMs);
  if ((await countTasks("failed")) > 0) throw new Error("Meilisearch rejected the products");
}

async function countTasks(statuses: string): Promise<number> {
  const response = await fetch(`${origin}/tasks?statuses=${statuses}`);
  return ((await response.json()) as { readonly total: number }).total;
}

function sendJson(method: string, path: string, value: unknown): Promise<void> {
  const headers = { "content-type": "application/json" };
  return sendChange(`${products}${path}`, { method, headers, body: JSON.stringify(value) });
}
