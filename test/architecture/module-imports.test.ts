import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";
import { production, read, root } from "./sources.ts";

/** Folder -> what it may import; with "type" before it: its types alone. Everybody may import themselves, refusals and set-up errors. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  pricing: [],
  messages: [],
  "@vitrine/client": [],
  "@vitrine/liquid": [],
  "@vitrine/search": [],
  security: [],
  observability: [],
  runtime: [],
  "priority.ts": [],
  "system.ts": [],
  config: ["pricing"],
  catalog: ["pricing"],
  cart: ["catalog", "messages", "pricing"],
  inbox: ["type catalog"],
  import: ["catalog", "pricing", "storage", "priority.ts", "system.ts", "type observability"],
  snapshot: "catalog messages predictive-search @vitrine/search signals storage priority.ts"
    .split(" ")
    .concat("type config", "type observability"),
  checkout: ["cart", "catalog", "pricing"],
  hooks: ["config", "type checkout", "type observability", "type pricing"],
  "predictive-search": ["catalog", "@vitrine/search"],
  signals: ["catalog", "predictive-search", "@vitrine/search"],
  console: ["catalog", "predictive-search", "type checkout", "type signals", "type snapshot"],
  theme: "@vitrine/liquid catalog messages pricing cart predictive-search"
    .split(" ")
    .concat("type @vitrine/search", "type config"),
  storage: [
    "signals",
    ..."catalog pricing cart checkout config console inbox security".split(" ").map((name) => `type ${name}`),
  ],
  events: "@vitrine/liquid catalog checkout messages pricing security storage"
    .split(" ")
    .concat("type config", "type observability"),
  dev: ["theme", "type catalog", "type config", "type shop.ts"],
  http: [
    ..."@vitrine/search messages pricing security observability catalog cart checkout hooks predictive-search theme console".split(
      " ",
    ),
    "type shop.ts",
    "type config",
    "type inbox",
    "type signals",
    "type snapshot",
  ],
  cli: "app.ts catalog checkout config dev events hooks import observability pricing predictive-search @vitrine/search security signals snapshot storage theme priority.ts system.ts".split(
    " ",
  ),
  "shop.ts":
    "cart catalog checkout config console hooks inbox observability predictive-search security signals snapshot theme"
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
  return importedNames(file)
    .filter(({ name }) => /^\.|^@vitrine\//.test(name))
    .map(({ name, isType }) => {
      const target = name.startsWith(".") ? join(dirname(file), name) : name;
      return { file, target, from: partOf(file), to: partOf(target), isType };
    });
}

function importedNames(file: string): readonly { readonly name: string; readonly isType: boolean }[] {
  const pattern = /^(?:import|export)( type)? [^;"]*?\bfrom "([^"]+)"|(?:^import |\bimport\()"([^"]+)"/gm;
  return Array.from(read(file).matchAll(pattern), ([, type, from, whole]) => ({
    name: from ?? whole ?? "",
    isType: type !== undefined,
  }));
}

/** "src/cart/totals.ts" belongs to "cart", "src/shop.ts" to "shop.ts", "packages/search/src/searcher.ts" to "@vitrine/search". */
function partOf(file: string): string {
  if (file.startsWith("@")) return file.split("/", 2).join("/");
  if (file.startsWith("packages/")) return `@vitrine/${file.split("/")[1]}`;
  return relative("src", file).split("/")[0] ?? "";
}

test("a folder imports what the architecture lets it import, and nothing else", () => {
  const wrong = production.flatMap(importsOf).filter(({ from, to, isType }) => {
    const allowed = mayImport[from];
    if (allowed === undefined || from === to || (everywhere.includes(to) && !from.startsWith("@"))) return false;
    return !(allowed.includes(to) || (isType && allowed.includes(`type ${to}`)));
  });
  assert.deepEqual(
    wrong.map(({ file, to }) => `${file} imports ${to}`),
    [],
  );
});

test("a package imports only itself and Node", () => {
  const wrong = production
    .filter((file) => file.startsWith("packages/") && !file.includes("/kernel/"))
    .flatMap((file) =>
      importedNames(file)
        .filter(({ name }) => !name.startsWith("node:"))
        .filter(({ name }) => !name.startsWith(".") || partOf(join(dirname(file), name)) !== partOf(file))
        .map(({ name }) => `${file} imports ${name}`),
    );
  assert.deepEqual(wrong, []);
});

test("the storefront imports packages by their names", () => {
  const wrong = production
    .filter((file) => file.startsWith("src/"))
    .flatMap(importsOf)
    .filter(({ target }) => target.startsWith("packages/"));
  assert.deepEqual(
    wrong.map(({ file, target }) => `${file} imports ${target}`),
    [],
  );
});

test("every folder of src stands in the table", () => {
  const free = "app.ts main.ts index.ts client.ts threads".split(" ");
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
  const [, tree = ""] = /```text\n(src\/\n[\s\S]*?)```/.exec(document) ?? [];
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
