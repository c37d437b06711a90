import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";
import { production, read, root } from "./sources.ts";

/**
 * Folders that each folder may import, from the table "Imports between modules". "type" before a name allows only
 * types.
 */
const mayImport = readImportTable(read("ARCHITECTURE.md"));
const everywhere = ["runtime", "problem.ts", "setup-error.ts", "not-found.ts", "deadlines.ts"];

/** The table omits folders that may import everything. */
function readImportTable(document: string): ReadonlyMap<string, readonly string[]> {
  const [, section = ""] = /\n## Imports between modules\n([\s\S]*?)\n## /.exec(document) ?? [];
  const rows = [...section.matchAll(/^\| (.+?) \| (.+?) \|$/gm)].slice(1);
  const listOf = (text: string): readonly string[] => text.replaceAll("`", "").split(/, | and /);
  return new Map(
    rows
      .filter(([, , allowed]) => allowed !== "everything" && allowed !== "---")
      .flatMap(([, folders = "", allowed = ""]) => {
        const targets = allowed.split("; ").flatMap((group) => {
          const isOfTypes = group.startsWith("types of ");
          return listOf(group.replace("types of ", "")).map((name) => (isOfTypes ? `type ${name}` : name));
        });
        return listOf(folders).map((folder) => [folder.replace(/^packages\//, "@vitrine/"), targets] as const);
      }),
  );
}

interface Import {
  readonly file: string;
  /** Path of the imported file from the root of the repository. */
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

/**
 * Returns the module of a file: "src/cart/totals.ts" is in "cart", "src/shop.ts" in "shop.ts", and
 * "packages/search/src/searcher.ts" in "@vitrine/search".
 */
function partOf(file: string): string {
  if (file.startsWith("@")) return file.split("/", 2).join("/");
  if (file.startsWith("packages/")) return `@vitrine/${file.split("/")[1]}`;
  return relative("src", file).split("/")[0] ?? "";
}

test("a folder imports only what the architecture allows", () => {
  const violations = production.flatMap(importsOf).filter(({ from, to, isType }) => {
    const allowed = mayImport.get(from);
    if (allowed === undefined || from === to || (everywhere.includes(to) && !from.startsWith("@"))) return false;
    return !(allowed.includes(to) || (isType && allowed.includes(`type ${to}`)));
  });
  assert.deepEqual(
    violations.map(({ file, to }) => `${file} imports ${to}`),
    [],
  );
});

test("a package imports only itself and Node", () => {
  const violations = production
    .filter((file) => file.startsWith("packages/") && !file.includes("/kernel/"))
    .flatMap((file) =>
      importedNames(file)
        .filter(({ name }) => !name.startsWith("node:"))
        .filter(({ name }) => !name.startsWith(".") || partOf(join(dirname(file), name)) !== partOf(file))
        .map(({ name }) => `${file} imports ${name}`),
    );
  assert.deepEqual(violations, []);
});

test("the storefront imports packages by name", () => {
  const violations = production
    .filter((file) => file.startsWith("src/"))
    .flatMap(importsOf)
    .filter(({ target }) => target.startsWith("packages/"));
  assert.deepEqual(
    violations.map(({ file, target }) => `${file} imports ${target}`),
    [],
  );
});

test("the table lists every folder of src", () => {
  const free = "app.ts main.ts index.ts client.ts threads".split(" ");
  const knownFolders = new Set([...mayImport.keys(), ...everywhere, ...free]);
  const parts = new Set(production.map(partOf));
  assert.deepEqual([...knownFolders.symmetricDifference(parts)], []);
});

test("imports have no cycles, types included", () => {
  assert.equal(findCycle(new Map(production.map((file) => [file, importsOf(file).map(({ target }) => target)]))), "");
});

test("the tree of ARCHITECTURE.md has every module of src and its entry file", () => {
  const rooms = roomsOfTree(read("ARCHITECTURE.md"));
  const folders = new Set(production.map((file) => `${dirname(file)}/`).filter((dir) => dir !== "src/"));
  assert.deepEqual([...folders].filter((folder) => !rooms.has(folder) && !folder.includes("/kernel/")).sort(), []);
  const missing = [...rooms].flatMap(([path, entry]) =>
    [path, path + entry].filter((one) => !existsSync(join(root, one))),
  );
  assert.deepEqual(missing, []);
  assert.deepEqual([...folders].filter((folder) => rooms.get(folder) === "").sort(), []);
});

test("every path in ARCHITECTURE.md exists", () => {
  const mentionedPaths = read("ARCHITECTURE.md").matchAll(/`([\w.-]+(?:\/[\w.-]+)+(?:\/|\.ts))`|\]\(([\w./-]+)\)/g);
  const paths = [...mentionedPaths].map(([, inText, linked]) => inText ?? linked ?? "");
  const isThere = (path: string): boolean => ["", "src"].some((dir) => existsSync(join(root, dir, path)));
  assert.deepEqual(
    paths.filter((path) => !isThere(path)),
    [],
  );
});

/**
 * Returns the first file to read of each folder in the tree, or "" if the tree names none. A line of the tree is
 * `  cart/   cart.ts   What is in the cart?`.
 */
function roomsOfTree(document: string): ReadonlyMap<string, string> {
  const [, tree = ""] = /```text\n(src\/\n[\s\S]*?)```/.exec(document) ?? [];
  const rooms = new Map<string, string>();
  const path: string[] = [];
  for (const [, indent = "", name = "", text = ""] of tree.matchAll(
    /^( {0,8})([\w.-]+(?:\/[\w.-]+)*\/?)(?: {1,2}(.*))?$/gm,
  )) {
    path.splice(indent.length / 2, path.length, name);
    rooms.set(path.join(""), /^ *([\w.-]+\.ts) {2}/.exec(text)?.[1] ?? "");
  }
  return rooms;
}

/**
 * Finds a cycle of imports.
 * @param graph imported files by importing file
 * @returns "a.ts -> b.ts -> a.ts", or "" if there is no cycle
 */
function findCycle(graph: ReadonlyMap<string, readonly string[]>): string {
  const done = new Set<string>();
  const openPath: string[] = [];
  const look = (file: string): string => {
    if (done.has(file)) return "";
    const at = openPath.indexOf(file);
    if (at >= 0) return [...openPath.slice(at), file].join(" -> ");
    openPath.push(file);
    for (const target of graph.get(file) ?? []) {
      const cycle = look(target);
      if (cycle !== "") return cycle;
    }
    openPath.pop();
    done.add(file);
    return "";
  };
  return [...graph.keys()].map(look).find((cycle) => cycle !== "") ?? "";
}
