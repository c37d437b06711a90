import { createHash, randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type FlatDocument, readFlat, titleOf } from "../../flat-documents.ts";
import { serverCore } from "../../http/run-load.ts";
import { onCore, stopServer } from "../../store.ts";
import { explainMissingPeer, peers } from "../peers.ts";
import { awaitPort, type SearchServer, type ServerPeer, start } from "../search-server.ts";

const port = 10_043;
const origin = `http://127.0.0.1:${port}/api/v1`;
const index = `${origin}/index/0`;
/** Key of the first tenant, which the server sets to zeros if asked for a demo. */
const headers = { apikey: Buffer.alloc(32).toString("base64"), "content-type": "application/json" };
/** Weights of the fields, in the order of their columns. */
const weights = { title: 5, vendor: 3, type: 3, author: 3, tags: 2, sku: 2, barcode: 2, options: 2, body: 1 };
const fieldNames = Object.keys(weights);
/** Fields whose words complete a query. All fields correct it. */
const completionFields = ["title", "vendor", "type", "author", "tags"];
const storedFields = ["title", "vendor"];
/** Number of letters from which a word may have one mistake, and two. */
const mistakeLengths = [4, 8];
/** Number of occurrences from which a word of the products corrects others. */
const minOccurrences = 5;
const documentsPerRequest = 10_000;
const maxCount = 1_000_000_000;
/** Characters that exclude or require a word, or quote a phrase. */
const operators = /"|(?<!\S)[+-]+/g;
const pollMs = 20;

interface Results {
  readonly results: readonly { readonly _id: number; readonly key: string }[];
}

/**
 * SeekStorm with BM25F. It searches for the best completion of a typed text, or for the correction of a text without a
 * completion. Any word suffices.
 */
export const seekstormServer: ServerPeer = {
  title: peers.seekstorm.title,
  explainMissing: () => explainMissingPeer("seekstorm"),
  async open(documents, folder): Promise<SearchServer> {
    const isNew = readdirSync(folder).length === 0;
    const secret = randomUUID();
    const options = ["local_ip=127.0.0.1", `local_port=${port}`, `index_path=${join(folder, "index")}`];
    const command = [peers.seekstorm.installedFile, ...options, "force_shard_number=1"];
    const child = start(onCore(serverCore, command), { MASTER_KEY_SECRET: secret });
    child.stdout?.resume();
    await awaitPort(child, port);
    if (isNew) await build(documents, secret);
    return {
      port,
      pid: child.pid ?? 0,
      headers,
      path: () => "/api/v1/index/0/query",
      body: searchBody,
      idsOf: (body) => (JSON.parse(body) as Results).results.map(({ key }) => key),
      async changeTitle(document, title) {
        // A document has another number after each change. All words together do not find some titles with "#".
        const query = titleOf(document).replaceAll(operators, " ");
        const search = { query, query_type_default: "Union", realtime: true, fields: ["key"], length: 1_000 };
        const { results } = JSON.parse(await send("POST", `${index}/query`, search)) as Results;
        const number = results.find(({ key }) => key === document.key)?._id;
        await send("PATCH", `${index}/doc`, [number, { ...fieldsOf(document), title }]);
      },
      // It saves the index when it is interrupted, but not when it is terminated.
      close: () => stopServer(child, "SIGINT"),
    };
  },
};

function searchBody(text: string, kind: "typed" | "whole"): string {
  const rewriting = {
    distance: 1,
    term_length_threshold: mistakeLengths,
    correct: 2,
    complete: kind === "typed" ? 2 : null,
    length: 1,
  };
  return JSON.stringify({
    query: text.replaceAll(operators, " "),
    realtime: true,
    length: 10,
    fields: ["key", "title", "vendor"],
    result_type: "Topk",
    query_type_default: "Union",
    query_rewriting: { SearchRewrite: rewriting },
  });
}

async function build(documents: string, secret: string): Promise<void> {
  const masterKey = createHash("sha256").update(secret).digest("base64");
  const quota = { indices_max: 1, indices_size_max: maxCount, documents_max: maxCount, operations_max: maxCount };
  await send("POST", `${origin}/apikey`, { ...quota, demo: true }, masterKey);
  await send("POST", `${origin}/index`, {
    index_name: "products",
    schema: schema(),
    similarity: "Bm25fProximity",
    tokenizer: "UnicodeAlphanumericFolded",
    stemmer: "English",
    spelling_correction: {
      max_dictionary_edit_distance: 1,
      term_length_threshold: mistakeLengths,
      count_threshold: minOccurrences,
      max_dictionary_entries: maxCount,
    },
    query_completion: { max_completion_entries: maxCount },
  });
  const batch: object[] = [];
  let count = 0;
  for (const document of readFlat(documents)) {
    batch.push(fieldsOf(document));
    count += 1;
    if (batch.length === documentsPerRequest) await send("POST", `${index}/doc`, batch.splice(0));
  }
  if (batch.length > 0) await send("POST", `${index}/doc`, batch);
  while (JSON.parse(await send("GET", index)).indexed_doc_count < count) await wait(pollMs);
  await send("PATCH", index);
}

function schema(): readonly object[] {
  const fields = Object.entries(weights).map(([field, boost]) => ({
    field,
    field_type: "Text",
    store: storedFields.includes(field),
    index_lexical: true,
    boost,
    longest: field === "body",
    dictionary_source: true,
    completion_source: completionFields.includes(field),
  }));
  return [{ field: "key", field_type: "Text", store: true, index_lexical: false }, ...fields];
}

function fieldsOf({ key, values }: FlatDocument): Readonly<Record<string, string>> {
  return { key, ...Object.fromEntries(fieldNames.map((name, at) => [name, values[at]?.join(" ") ?? ""])) };
}

async function send(method: string, url: string, value?: unknown, apikey = headers.apikey): Promise<string> {
  const body = value === undefined ? null : JSON.stringify(value);
  const response = await fetch(url, { method, headers: { ...headers, apikey }, body });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text}`);
  return text;
}
