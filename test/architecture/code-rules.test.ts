import assert from "node:assert/strict";
import { basename } from "node:path";
import { test } from "node:test";
import { all, entryPoints, isForTests, production, read } from "./sources.ts";

test("Shop has 13 members", () => {
  const [, members = ""] = /^export interface Shop \{\n([\s\S]*?)^\}/m.exec(read("src/shop.ts")) ?? [];
  assert.equal(members.match(/^ {2}readonly /gm)?.length, 13);
});

test("no file has more than 300 lines", () => {
  assert.deepEqual(
    all.filter((file) => read(file).trimEnd().split("\n").length > 300),
    [],
  );
});

test("no two exported types of the server, or of one package, share a name", () => {
  const declarations = production.flatMap((file) => {
    const [root = ""] = /^(?:packages\/\w+\/)?\w+/.exec(file) ?? [];
    const names = read(file).matchAll(/^export (?:interface|type|(?:abstract )?class) (\w+)/gm);
    return Array.from(names, ([, name]) => ({ file, name: `${root} ${name}` }));
  });
  const shared = [...Map.groupBy(declarations, ({ name }) => name)].filter(([, { length }]) => length > 1);
  assert.deepEqual(
    shared.map(([name, { length }]) => `${name}: ${length} declarations`),
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

test("only runtime/cache.ts creates caches", () => {
  assert.deepEqual(
    production.filter((file) => /from "lru-cache"/.test(read(file))),
    ["src/runtime/cache.ts"],
  );
});

test("no import statement loads node:http and thus undici", () => {
  assert.deepEqual(
    production.filter((file) => /^import (?!type )[^;]*from "node:http"/m.test(read(file))),
    [],
  );
});

test("only config files have default exports", () => {
  assert.deepEqual(
    all.filter((file) => /^export default|\bas default\b/m.test(withoutText(read(file)))),
    [],
  );
});

/**
 * Files that may read the clock and random numbers. Elsewhere they are arguments. In packages, a clock is the default of
 * such an argument.
 */
const sources = new Set([
  "src/threads/open-store.ts",
  "src/main.ts",
  "src/system.ts",
  "packages/client/src/client.ts",
  "packages/liquid/src/filters/date.ts",
]);

test("only entry points read clock and randomness", () => {
  const pattern = /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\brandomBytes\b|\brandomUUID\b|\bgetRandomValues\b/;
  const violations = production.filter((file) => !sources.has(file) && !file.startsWith("src/cli/"));
  assert.deepEqual(
    violations.filter((file) =>
      pattern.test(withoutText(read(file).replaceAll(/^import .*$/gm, "")).replaceAll(/randomBytes: /g, "")),
    ),
    [],
  );
});

test("the search package has no mutable state at module level", () => {
  const files = production.filter((file) => file.startsWith("packages/search/src/") && !file.includes("/kernel/"));
  const violations = files.flatMap((file) =>
    [...read(file).matchAll(/^(?:export )?(let|var|const) (\w+)(?:: ([^=]+?))? =\s*([\s\S]*?;)$/gm)]
      .filter(([, keyword, , type = "", value = ""]) => {
        if (keyword !== "const") return true;
        const isReadonly = /^(?:Readonly(?:Map|Set|Array)?<|ArrayLike<|readonly |Language$)/.test(type);
        return !isReadonly && !/as const(?: satisfies [^;]*)?;$/.test(value) && makesState.test(value);
      })
      .map(([, , name]) => `${file}: ${name}`),
  );
  assert.deepEqual(violations, []);
});

/** Matches initializers of mutable values. */
const makesState = /^(?:new |\[|\{|create\w*\(|\w*Array\.(?:from|of)\()/;

test("the status of a Problem is in http/error-responses.ts; that of malformed HTTP in http/wire, and of a server that is not ready in health.ts", () => {
  const violations = production.filter(
    (file) => !/^src\/(cli\/|storage\/|http\/(wire\/|error-responses\.ts|routes\/files\/health\.ts))/.test(file),
  );
  assert.deepEqual(
    violations.filter((file) =>
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
    "src/storage/cart-cache.ts",
    "src/storage/cart-databases/distributed-carts.ts",
    "src/storage/cart-databases/ordered-carts.ts",
    "src/storage/cart-store.ts",
    "src/threads/open-carts.ts",
  ]);
  const openers = production.filter((file) => /\b(?:createCartStore|withCartCache)\(/.test(withoutText(read(file))));
  assert.deepEqual(
    openers.filter((file) => !file.startsWith("src/storage/")),
    ["src/threads/open-carts.ts"],
  );
});

test("only catalog.apply writes the catalog", () => {
  const callers = (pattern: RegExp): readonly string[] =>
    production.filter((file) => pattern.test(withoutText(read(file)).replaceAll(/^export .*$/gm, "")));
  assert.deepEqual(callers(/\bbeginStaging\(/), ["src/import/write-rows.ts"]);
  assert.deepEqual(callers(/\bwriteRows\(/), ["src/import/catalog.ts"]);
  const writes = /\b(?:INSERT INTO|UPDATE) (?:catalog_rows|catalog_variants|catalog_state)\b/;
  const inSql = production.filter((file) => writes.test(read(file)) && !file.includes("/migrations/"));
  assert.deepEqual(
    inSql.filter((file) => !file.startsWith("src/storage/catalog/")),
    [],
  );
});

test("every file has a user", () => {
  const entrances = new Set(["src/main.ts", "src/client.ts", ...entryPoints]);
  const users = Map.groupBy(
    all
      .filter((file) => !isForTests(file))
      .flatMap((file) => [...read(file).matchAll(/\/([^/"]+)"/g)].map(([, name = ""]) => ({ name, file }))),
    ({ name }) => name,
  );
  const unused = production.filter((file) => {
    if (entrances.has(file)) return false;
    // AssemblyScript imports files without their extension.
    const names = file.includes("/kernel/") ? [basename(file), basename(file, ".ts")] : [basename(file)];
    return !names.some((name) => users.get(name)?.some((user) => user.file !== file));
  });
  assert.deepEqual(unused, []);
});

test("no folder holds leftovers, and only packages have barrel files", () => {
  assert.deepEqual(
    production.filter((file) => /\/(utils?|common|helpers?|services?|misc)(\/|\.ts$)/.test(file)),
    [],
  );
  assert.deepEqual(
    production.filter((file) => basename(file) === "index.ts").sort(),
    entryPoints.filter((file) => basename(file) === "index.ts").sort(),
  );
});

/** Removes comments, strings and templates. */
function withoutText(code: string): string {
  return code.replaceAll(/\/\*[\s\S]*?\*\/|(?<![:"'`])\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g, '""');
}
