import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import type { SearchPageAnswer } from "@vitrine/client";
import { run as runTokenCommand } from "../../src/cli/commands/token.ts";
import { product, type RowJson } from "../support/catalog.ts";
import { startShop, type TestShop, testSecret } from "../support/shop.ts";

const offer = (id: number, price: number) => [{ id, price }];
const rows: readonly RowJson[] = [
  { ...product(1, "oak-chair", "Oak chair", offer(11, 5_000)), vendor: "Ansty", product_type: "Seats" },
  { ...product(2, "elm-chair", "Elm chair", offer(21, 7_000)), vendor: "Cobb", product_type: "Seats", popularity: 0.9 },
  { ...product(3, "steel-lamp", "Steel lamp", offer(31, 3_000)), vendor: "Ansty", product_type: "Lights" },
  { kind: "page", id: 9, handle: "chair-care", title: "Chair care", content: "" },
];
const frontEnd = "https://app.example";
const start = Date.now();
let now = start;
const shop = await startShop({ rows, config: { search: { origins: [frontEnd] } }, now: () => now });
const client = shop.client();

/** Creates a key with the command line. */
async function createKey({ storeDir }: TestShop, ...args: readonly string[]) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const output = Promise.all([text(stdout), text(stderr)]);
  const io = { cwd: storeDir, stdout, stderr, env: { VITRINE_SECRET: testSecret }, program: "vitrine" };
  const code = await runTokenCommand(["search-key", ...args], io).catch((error: Error) => {
    stderr.write(error.message);
    return 1;
  });
  stdout.end();
  stderr.end();
  const [key, errors] = await output;
  return { code, key: key.trim(), errors };
}

const { key } = await createKey(shop);
const anstyKey = (await createKey(shop, "--filters", "filter.p.vendor=Ansty", "--days", "2")).key;

async function search(query: string): Promise<SearchPageAnswer> {
  const reply = await client.get(`/search.json?${query}`);
  assert.equal(reply.status, 200, reply.text);
  return reply.json<SearchPageAnswer>();
}

const handlesOf = ({ results }: SearchPageAnswer): unknown[] => results.map(({ handle }) => handle);

test("* finds all products, best-selling first, and filters and sort orders apply", async () => {
  assert.deepEqual(handlesOf(await search("q=*&type=product")), ["elm-chair", "oak-chair", "steel-lamp"]);
  assert.deepEqual(handlesOf(await search("q=*&sort_by=price-ascending&filter.p.vendor=Ansty")), [
    "steel-lamp",
    "oak-chair",
  ]);
  assert.deepEqual(handlesOf(await search("q=*&type=page")), []);
});

test("several queries in one request return what each returns alone", async () => {
  const queries = ["q=chair&type=product&limit=1&page=2", "q=*&filter.p.vendor=Cobb", "q=chair+care&type=page"];
  const url = `/search.json?${new URLSearchParams(queries.map((query) => ["queries[]", query]))}`;
  const { results } = (await client.get(url)).json<{ results: SearchPageAnswer[] }>();
  assert.deepEqual(results, await Promise.all(queries.map(search)));
  assert.deepEqual(results.map(handlesOf), [["oak-chair"], ["elm-chair"], ["chair-care"]]);
});

test("a request with an invalid query or too many queries is rejected", async () => {
  for (const query of ["queries[]=", "queries[]=q%3Da&queries[]=q%3Da%26type%3Dlamp", "queries[]=q%3Da&".repeat(11)])
    assert.equal((await client.get(`/search.json?${query}`)).status, 422, query);
});

test("pages of a listed origin may read searches with a key, also from the cache", async () => {
  const allowed = async (path: string, origin: string): Promise<readonly unknown[]> => {
    const { status, headers } = await client.get(path, { origin });
    return [status, headers["access-control-allow-origin"], headers.vary?.split(", ").includes("Origin") ?? false];
  };
  for (const path of ["/search.json?q=chair", "/fr/search.json?q=chair", "/search/suggest.json?q=chair"]) {
    for (let round = 0; round < 3; round += 1) {
      assert.deepEqual(await allowed(`${path}&key=${key}`, frontEnd), [200, frontEnd, true]);
      assert.deepEqual(await allowed(`${path}&key=${key}`, "https://other.example"), [200, undefined, true]);
      assert.deepEqual(await allowed(path, frontEnd), [200, undefined, false]);
    }
  }
  assert.deepEqual(await allowed(`/search.json?q=chair&key=${key}x`, frontEnd), [401, frontEnd, true]);
  for (const path of [`/cart.js?key=${key}`, `/search.json?q=chair&KEY=${key}`])
    assert.deepEqual(await allowed(path, frontEnd), [200, undefined, false]);
});

test("the filters of a key limit results, counts and filters of every search", async () => {
  const vendorsOf = ({ facets }: SearchPageAnswer): unknown =>
    facets
      .find(({ param_name: name }) => name === "filter.p.vendor")
      ?.values?.map(({ value, count }) => [value, count]);
  const limited = await search(`q=chair&key=${anstyKey}`);
  assert.deepEqual([handlesOf(limited), limited.results_count], [["oak-chair"], 1]);
  assert.deepEqual(vendorsOf(limited), [["Ansty", 1]]);
  const other = await search(`q=*&filter.p.vendor=Cobb&key=${anstyKey}`);
  assert.deepEqual([handlesOf(other), other.results_count], [[], 0]);
  const both = await search(`q=*&filter.p.product_type=Lights&key=${anstyKey}`);
  assert.deepEqual(handlesOf(both), ["steel-lamp"]);
  const { results } = (await search(`queries[]=q%3Dchair&key=${anstyKey}`)) as unknown as {
    results: SearchPageAnswer[];
  };
  assert.deepEqual(results.map(handlesOf), [["oak-chair"]]);
  assert.equal((await client.get(`/search/suggest.json?q=chair&key=${anstyKey}`)).status, 422);
});

test("an expired key is rejected", async () => {
  now = start + 3 * 86_400_000;
  const reply = await client.get(`/search.json?q=chair&key=${anstyKey}`);
  now = start;
  assert.equal(reply.status, 401);
  assert.deepEqual(reply.json(), {
    status: "401",
    message: "Unauthorized",
    description: "The search key is invalid or has expired.",
  });
});

test("without the setting, keys are ignored and no header is added", async () => {
  const other = await startShop({ rows });
  const reply = await other.client().get("/search.json?q=chair&key=x", { origin: frontEnd });
  assert.deepEqual(
    [reply.status, reply.headers["access-control-allow-origin"], reply.headers.vary],
    [200, undefined, "Accept-Encoding"],
  );
  assert.match((await createKey(other)).errors, /search\.origins/);
});

test("the command rejects filters that do not exist or are too long", async () => {
  for (const filters of [
    "filter.p.colour=red",
    "vendor=Ansty",
    `filter.p.vendor=${"a".repeat(200)}`,
    "filter.v.price.gte=x",
  ]) {
    const { code, key: printedKey, errors } = await createKey(shop, "--filters", filters);
    assert.deepEqual([code, printedKey], [1, ""], errors);
  }
  assert.equal((await createKey(shop, "--days", "0")).code, 2);
});
