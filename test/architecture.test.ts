import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), "utf8");
const all = ["src", "test", "bench", "scripts"].flatMap((dir) => globSync(`${dir}/**/*.{ts,js}`, { cwd: root }));
/** What a shop runs: no tests, and nothing that only tests use. */
const production = all.filter((file) => file.startsWith("src/") && !isForTests(file));

/** Folder -> what it may import; with "type" before it: its types alone. Everybody may import themselves, refusals and set-up errors. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  liquid: [],
  pricing: [],
  messages: [],
  client: [],
  search: [],
  security: [],
  observability: [],
  runtime: [],
  "priority.ts": [],
  "system.ts": [],
  config: ["pricing"],
  catalog: ["pricing"],
  cart: ["catalog", "messages", "pricing"],
  import: ["catalog", "pricing", "storage", "priority.ts", "system.ts", "type observability"],
  snapshot: "catalog messages predictive-search search storage priority.ts"
    .split(" ")
    .concat("type config", "type observability"),
  checkout: ["cart", "catalog", "pricing"],
  hooks: ["config", "type checkout", "type observability", "type pricing"],
  "predictive-search": ["catalog", "search"],
  console: ["catalog", "predictive-search", "type checkout", "type security", "type snapshot"],
  theme: ["liquid", "catalog", "messages", "pricing", "cart", "predictive-search", "type search", "type config"],
  storage: "catalog pricing cart checkout config console shop.ts".split(" ").map((name) => `type ${name}`),
  events: "catalog checkout liquid messages pricing security storage"
    .split(" ")
    .concat("type config", "type observability"),
  dev: ["theme", "type catalog", "type config", "type shop.ts"],
  http: [
    ..."messages pricing search security observability catalog cart checkout hooks predictive-search theme console".split(
      " ",
    ),
    "type shop.ts",
    "type config",
    "type snapshot",
  ],
  cli: "app.ts catalog checkout config dev events hooks import observability pricing predictive-search search security snapshot storage theme priority.ts system.ts".split(
    " ",
  ),
  "shop.ts": "cart catalog checkout config console hooks observability predictive-search security snapshot theme"
    .split(" ")
    .map((name) => `type ${name}`),
};
const everywhere = ["runtime", "problem.ts", "setup-error.ts", "absence.ts", "deadlines.ts"];

interface Import {
  readonly file: string;
  /** The file that is imported, from the root. */
  readonly target: string;
  readonly from: string;
  readonly to: string;
  readonly isType: boolean;
}

function importsOf(file: string): readonly Import[] {
  const pattern = /^(?:import|export)( type)?\b[^;"]*?"(\.[^"]+)"|\bimport\("(\.[^"]+)"\)/gm;
  return [...read(file).matchAll(pattern)].map((match) => {
    const target = join(dirname(file), match[2] ?? match[3] ?? "");
    return { file, target, from: partOf(file), to: partOf(target), isType: match[1] !== undefined };
  });
}

/** "src/cart/totals.ts" belongs to "cart", "src/shop.ts" to "shop.ts". */
function partOf(file: string): string {
  return relative("src", file).split("/")[0] ?? "";
}

test("a folder imports what the architecture lets it import, and nothing else", () => {
  const wrong = production.flatMap(importsOf).filter(({ from, to, isType }) => {
    const allowed = mayImport[from];
    if (allowed === undefined || from === to || everywhere.includes(to)) return false;
    return !(allowed.includes(to) || (isType && allowed.includes(`type ${to}`)));
  });
  assert.deepEqual(
    wrong.map(({ file, to }) => `${file} imports ${to}`),
    [],
  );
});

test("every folder of src stands in the table", () => {
  const free = "app.ts main.ts index.ts threads".split(" ");
  const known = new Set([...Object.keys(mayImport), ...everywhere, ...free]);
  const parts = new Set(production.map(partOf));
  assert.deepEqual([...known.symmetricDifference(parts)], []);
});

test("no file imports itself by way of others, types included", () => {
  assert.equal(findCycle(new Map(production.map((file) => [file, importsOf(file).map(({ target }) => target)]))), "");
});

test("the tree of ARCHITECTURE.md has every room of src, and the file that each begins at", () => {
  const rooms = roomsOfTree(read("ARCHITECTURE.md"));
  const folders = new Set(production.map((file) => `${dirname(file)}/`).filter((dir) => dir !== "src/"));
  assert.deepEqual([...folders].filter((folder) => !rooms.has(folder) && !folder.includes("/kernel/")).sort(), []);
  const missing = [...rooms].flatMap(([path, entry]) =>
    [path, path + entry].filter((one) => !existsSync(join(root, one))),
  );
  assert.deepEqual(missing, []);
  assert.deepEqual([...folders].filter((folder) => rooms.get(folder) === "").sort(), []);
});

test("every path that ARCHITECTURE.md names is there", () => {
  const named = read("ARCHITECTURE.md").matchAll(/`([\w.-]+(?:\/[\w.-]+)+(?:\/|\.ts))`|\]\(([\w./-]+)\)/g);
  const paths = [...named].map(([, inText, linked]) => inText ?? linked ?? "");
  const isThere = (path: string): boolean => ["", "src"].some((dir) => existsSync(join(root, dir, path)));
  assert.deepEqual(
    paths.filter((path) => !isThere(path)),
    [],
  );
});

/** Paths from the root -> the file of that room to read first, "" where none is named: `  cart/   What is in the basket?  begin at cart.ts`. */
function roomsOfTree(document: string): ReadonlyMap<string, string> {
  const [, tree = ""] = /```\n(src\/\n[\s\S]*?)```/.exec(document) ?? [];
  const rooms = new Map<string, string>();
  const path: string[] = [];
  for (const [, indent = "", name = "", text = ""] of tree.matchAll(
    /^( {0,8})([\w.-]+(?:\/[\w.-]+)*\/?)(?: {1,2}(.*))?$/gm,
  )) {
    path.splice(indent.length / 2, path.length, name);
    rooms.set(path.join(""), /\bbegin at ([\w.-]+\.ts)\b/.exec(text)?.[1] ?? "");
  }
  return rooms;
}

/** @param graph file -> those it imports  @returns "a.ts -> b.ts -> a.ts", "" where there is no such ring */
function findCycle(graph: ReadonlyMap<string, readonly string[]>): string {
  const done = new Set<string>();
  const open: string[] = [];
  const look = (file: string): string => {
    if (done.has(file)) return "";
    const at = open.indexOf(file);
    if (at >= 0) return [...open.slice(at), file].join(" -> ");
    open.push(file);
    for (const target of graph.get(file) ?? []) {
      const cycle = look(target);
      if (cycle !== "") return cycle;
    }
    open.pop();
    done.add(file);
    return "";
  };
  return [...graph.keys()].map(look).find((cycle) => cycle !== "") ?? "";
}

test("no file has more than 300 lines", () => {
  assert.deepEqual(
    all.filter((file) => read(file).trimEnd().split("\n").length > 300),
    [],
  );
});

test("no any", () => {
  assert.deepEqual(
    all.filter(
      (file) => file.endsWith(".ts") && /(?:: |<|\bas |\| )any\b(?=[\s;,>)\]|[])/.test(withoutText(read(file))),
    ),
    [],
  );
});

test("no default exports but in config files", () => {
  assert.deepEqual(
    all.filter((file) => /^export default|\bas default\b/m.test(withoutText(read(file)))),
    [],
  );
});

/** Where the clock and chance come in. Everywhere else they are arguments. */
const sources = new Set(["src/threads/open-store.ts", "src/main.ts", "src/system.ts", "src/client/client.ts"]);

test("clock and randomness are arguments, given by threads/, main.ts, the command line, the thread that takes edits and the client for Node", () => {
  const pattern = /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\brandomBytes\b|\brandomUUID\b|\bgetRandomValues\b/;
  const wrong = production.filter((file) => !sources.has(file) && !file.startsWith("src/cli/"));
  assert.deepEqual(
    wrong.filter((file) =>
      pattern.test(withoutText(read(file).replaceAll(/^import .*$/gm, "")).replaceAll(/randomBytes: /g, "")),
    ),
    [],
  );
});

test("the search keeps no mutable state at module level: its tables are read-only by their types", () => {
  const files = production.filter((file) => file.startsWith("src/search/") && !file.includes("/kernel/"));
  const wrong = files.flatMap((file) =>
    [...read(file).matchAll(/^(?:export )?(let|var|const) (\w+)(?:: ([^=]+?))? =\s*([\s\S]*?;)$/gm)]
      .filter(([, keyword, , type = "", value = ""]) => {
        if (keyword !== "const") return true;
        const isReadonly = /^(?:Readonly(?:Map|Set|Array)?<|ArrayLike<|readonly |Language$)/.test(type);
        return !isReadonly && !/as const(?: satisfies [^;]*)?;$/.test(value) && makesState.test(value);
      })
      .map(([, , name]) => `${file}: ${name}`),
  );
  assert.deepEqual(wrong, []);
});

/** What begins so may be written to later. */
const makesState = /^(?:new |\[|\{|create\w*\(|\w*Array\.(?:from|of)\()/;

test("the status of a refusal stands in http/refusals.ts; that of broken HTTP in http/wire, and that a server is not ready in health.ts", () => {
  const wrong = production.filter(
    (file) => !/^src\/(cli\/|storage\/|http\/(wire\/|refusals\.ts|routes\/files\/health\.ts))/.test(file),
  );
  assert.deepEqual(
    wrong.filter((file) =>
      /(?:\bstatus(?:Code)?: |\b(?:json|text|html|page|refusal)\()[45]\d\d\b/.test(
        withoutText(read(file)).replaceAll(/status: 200 \| 404/g, ""),
      ),
    ),
    [],
  );
});

test("only the cart writer writes carts, through the one store that has their SQL", () => {
  const writes = /\b(?:INSERT INTO|UPDATE|DELETE FROM) (?:carts|first_carts)\b|\btable: "(?:carts|first_carts)"/;
  const inSql = production.filter((file) => writes.test(read(file)) && !file.endsWith("storage/migrations/schema.ts"));
  assert.deepEqual(inSql, ["src/storage/cart-store.ts"]);
  // `Carts` only reads; these types also write.
  const stores = production.filter((file) => /\b(?:CartStore|StoredCarts)\b/.test(withoutText(read(file))));
  assert.deepEqual(stores.sort(), [
    "src/cart/cart-store.ts",
    "src/cart/writer/cart-writer.ts",
    "src/storage/cart-store.ts",
    "src/storage/checkouts/complete-checkout.ts",
    "src/storage/remembered-carts.ts",
  ]);
  const openers = production.filter((file) => /\b(?:createCartStore|rememberCarts)\(/.test(withoutText(read(file))));
  assert.deepEqual(
    openers.filter((file) => !file.startsWith("src/storage/")),
    ["src/threads/open-loop.ts"],
  );
});

test("no file is without a user", () => {
  const entrances = new Set(["src/main.ts", "src/index.ts", "src/client/client.ts"]);
  const texts = new Map(all.map((file) => [file, read(file)]));
  const unused = production.filter((file) => {
    if (entrances.has(file)) return false;
    // AssemblyScript names the files it imports without their ending.
    const names = file.includes("/kernel/") ? [basename(file), basename(file, ".ts")] : [basename(file)];
    const isNamedIn = (text: string) => names.some((name) => text.includes(`/${name}"`));
    return ![...texts].some(([other, text]) => other !== file && !isForTests(other) && isNamedIn(text));
  });
  assert.deepEqual(unused, []);
});

test("no folder of leftovers, no barrel but the package's own", () => {
  assert.deepEqual(
    production.filter((file) => /\/(utils?|common|helpers?|services?|misc)(\/|\.ts$)/.test(file)),
    [],
  );
  assert.deepEqual(
    production.filter((file) => basename(file) === "index.ts"),
    ["src/index.ts"],
  );
});

function isForTests(file: string): boolean {
  return /^test\/|\.(test|fixture)\.ts$/.test(file);
}

/** The code without comments, strings and templates, which may say what code may not. */
function withoutText(code: string): string {
  return code.replaceAll(/\/\*[\s\S]*?\*\/|(?<![:"'`])\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g, '""');
}
