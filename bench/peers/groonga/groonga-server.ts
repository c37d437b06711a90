import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readFlat } from "../../flat-documents.ts";
import { serverCore } from "../../http/run-load.ts";
import { onCore, stopServer } from "../../store.ts";
import { awaitPort, type SearchServer, type ServerPeer, sendChange, start } from "../search-server.ts";

const port = 10_041;
/** Weights of the columns, which Groonga multiplies with the frequencies of words. */
const columns = { title: 5, vendor: 3, type: 3, author: 3, tags: 2, sku: 2, barcode: 2, options: 2, body: 1 };
const columnNames = Object.keys(columns);
const matchColumns = Object.entries(columns)
  .map(([name, weight]) => `${name} * ${weight}`)
  .join(" || ");
/** Minimum number of letters in a word that may be misspelled. */
const minFuzzy = 4;

/**
 * Groonga behind groonga-httpd, which keeps connections open. Every word must occur, or a word of the title within one
 * edit. The last word may be a prefix.
 */
export const groongaServer: ServerPeer = {
  title: "Groonga 13",
  explainMissing() {
    const isInstalled = ["groonga", "groonga-httpd"].every((name) => spawnSync("which", [name]).status === 0);
    return isInstalled ? undefined : "no Groonga here: install groonga-bin and groonga-httpd of Debian";
  },
  async open(documents, folder): Promise<SearchServer> {
    const database = join(folder, "db");
    if (readdirSync(folder).length === 0) build(documents, folder, database);
    const settings = join(folder, "httpd.conf");
    writeFileSync(settings, configuration(folder, database));
    const child = start(onCore(serverCore, ["groonga-httpd", "-p", "/etc/groonga/httpd/", "-c", settings]));
    await awaitPort(child, port);
    return {
      port,
      pid: child.pid ?? 0,
      path: (text, kind) => `/d/select?${new URLSearchParams(selectParameters(text, kind === "typed"))}`,
      idsOf(body) {
        const [, [[, , ...records]]] = JSON.parse(body) as [unknown, [readonly (readonly unknown[])[]]];
        return records.map(([id]) => String(id));
      },
      changeTitle({ number }, title) {
        const values = JSON.stringify([{ _id: number + 1, title }]);
        return sendChange(`http://127.0.0.1:${port}/d/load?${new URLSearchParams({ table: "Products", values })}`, {});
      },
      close: () => stopServer(child),
    };
  },
};

function selectParameters(text: string, isTyped: boolean): Record<string, string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const filter = words
    .map((word, at) => {
      const isPrefix = isTyped && at === words.length - 1;
      const exact = `query("${matchColumns}", "${word}${isPrefix ? "*" : ""}")`;
      if (isPrefix || word.length < minFuzzy || !/^\p{L}+$/u.test(word)) return exact;
      const fuzzy = `fuzzy_search(title, "${word}", {"max_distance": 1, "prefix_length": 1, "with_transposition": true})`;
      return `(${exact} || ${fuzzy})`;
    })
    .join(" && ");
  return {
    table: "Products",
    filter: filter === "" ? "false" : filter,
    sort_keys: "-_score",
    limit: "10",
    output_columns: "key,title,vendor",
  };
}

function build(documents: string, folder: string, database: string): void {
  const flags = "--default_tokenizer TokenBigram --normalizer NormalizerAuto";
  const schema = [
    "table_create Products TABLE_NO_KEY",
    "column_create Products key COLUMN_SCALAR ShortText",
    ...columnNames.map((name) => `column_create Products ${name} COLUMN_SCALAR Text`),
    `table_create Terms TABLE_PAT_KEY ShortText ${flags}`,
  ];
  const indexes = columnNames.map(
    (name) => `column_create Terms ${name}_index COLUMN_INDEX|WITH_POSITION Products ${name}`,
  );
  const rows: string[] = [];
  for (const { key, values } of readFlat(documents)) {
    const fields = columnNames.map((name, at) => [name, values[at]?.join(" ") ?? ""]);
    rows.push(JSON.stringify({ key, ...Object.fromEntries(fields) }));
  }
  const script = join(folder, "build.grn");
  writeFileSync(script, [...schema, "load --table Products", `[${rows.join(",\n")}]`, ...indexes, ""].join("\n"));
  const [program, ...args] = onCore(serverCore, ["groonga", "-n", "--file", script, database]);
  execFileSync(program, args, { stdio: ["ignore", "ignore", "inherit"] });
  rmSync(script);
}

function configuration(folder: string, database: string): string {
  const logs = join(folder, "logs");
  mkdirSync(logs, { recursive: true });
  return `daemon off;
master_process off;
error_log "${logs}/error.log";
pid "${logs}/httpd.pid";
events { worker_connections 1024; }
http {
  access_log off;
  keepalive_timeout 65;
  keepalive_requests 1000000000;
  groonga_database "${database}";
  groonga_log_path off;
  server {
    listen ${port};
    location /d/ { groonga on; }
  }
}
`;
}
