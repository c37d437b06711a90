import assert from "node:assert/strict";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { commands } from "../../src/cli/commands.ts";
import { product, type RowJson } from "../support/catalog.ts";
import type { SuggestJson } from "../support/replies.ts";
import { searchPageOf } from "../support/search-page.ts";
import { startShop } from "../support/shop.ts";
import { until } from "../support/until.ts";

const one = (id: number, more: object = {}) => [{ id, price: 100, ...more }];
const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();
const rows: readonly RowJson[] = [
  product(1, "raincoat", "Raincoat", one(11)),
  product(2, "rain-hat", "Rain Hat", one(21)),
  product(3, "storm-smock", "Storm Smock", one(31)),
  product(4, "sold-out", "Rain Relic", one(41, { inventory_quantity: 0 })),
  product(5, "corner-sofa", "Corner Sofa", one(51)),
  product(6, "reading-lamp", "Reading Lamp", one(61)),
  product(71, "tent-old", "Dome Tent", [{ id: 711, price: 1_000, inventory_quantity: 1 }]),
  product(72, "tent-many", "Dome Tent", [{ id: 721, price: 1_000, cost: 900, inventory_quantity: 40 }]),
  {
    ...product(73, "tent-new", "Dome Tent", [{ id: 731, price: 1_000, inventory_quantity: 1 }]),
    created_at: daysAgo(3),
  },
  {
    ...product(74, "tent-margin", "Dome Tent", [{ id: 741, price: 1_000, cost: 200, inventory_quantity: 1 }]),
    created_at: daysAgo(20),
  },
  { kind: "collection", id: 7, handle: "rainwear", title: "Rainwear", products: ["raincoat"] },
  { kind: "page", id: 8, handle: "returns", title: "Sending back", content: "" },
];
const main =
  "{% paginate search.results by 3 %}{{ search.results_count }}{% for one in search.results %} {{ one.handle }}{% endfor %}{% endpaginate %}";
const shop = await startShop({
  rows,
  themeFiles: searchPageOf(main),
});
const client = shop.client();
const folder = join(shop.storeDir, "search");
await mkdir(folder);

async function suggested(q: string, more = ""): Promise<readonly string[]> {
  const reply = await client.get(`/search/suggest.json?q=${encodeURIComponent(q)}&resources[type]=product${more}`);
  assert.equal(reply.status, 200, reply.text);
  return reply.json<SuggestJson>().resources.results.products.map(({ handle }) => handle);
}

/** Returns the suggested searches. */
async function completed(q: string): Promise<readonly string[]> {
  const reply = await client.get(`/search/suggest.json?q=${encodeURIComponent(q)}&resources[type]=query`);
  return reply.json<SuggestJson>().resources.results.queries.map(({ text }) => text);
}

/** Returns the product handles on a results page. */
async function found(q: string, page = 1): Promise<string> {
  const reply = await client.get(`/search?q=${encodeURIComponent(q)}&page=${page}&section_id=main`);
  return reply.text.replace(/<[^>]*>/g, "").trim();
}

/** Writes a rule file of the running server, and waits until a search shows its effect. */
async function rules(name: string, content: string, isShown: () => Promise<boolean>): Promise<void> {
  await writeFile(join(folder, name), content);
  await until(isShown, `the rules of ${name} apply`);
}

test("pins.txt puts products first, in order, for the exact query in suggestions and on the results page", async () => {
  const before = await suggested("rain");
  assert.deepEqual(before, ["rain-hat", "raincoat", "sold-out"]);
  await rules(
    "pins.txt",
    "Rain: storm-smock, sold-out, gone",
    async () => (await suggested("rain"))[0] === "storm-smock",
  );
  assert.deepEqual(await suggested("RAIN "), ["storm-smock", "sold-out", "rain-hat", "raincoat"]);
  assert.deepEqual(await suggested("rain", "&resources[limit]=1"), ["storm-smock"]);
  assert.deepEqual(await suggested("rain", "&resources[options][unavailable_products]=hide"), [
    "storm-smock",
    "rain-hat",
    "raincoat",
  ]);
  assert.match(await found("rain"), /^5 storm-smock sold-out /);
  assert.match(await found("rain", 2), /^5 (?!.*(storm-smock|sold-out))/);
  assert.deepEqual(await suggested("rain", "&resources[limit]=2&resources[limit_scope]=each"), [
    "storm-smock",
    "sold-out",
  ]);
  assert.deepEqual(await suggested("rainc"), ["raincoat"]);
  const types = await client.get("/search/suggest.json?q=rain&resources[type]=collection");
  assert.deepEqual(types.json<SuggestJson>().resources.results.products, []);
});

test("sections of the results page in a cart response apply search rules", async () => {
  const at = encodeURIComponent("/search?q=rain");
  const reply = await client.get(`/cart.js?sections=main&sections_url=${at}`);
  assert.match(reply.json<{ sections: { main: string } }>().sections.main, />5 storm-smock sold-out /);
  const suggestion = await client.get("/search/suggest?q=rain&section_id=main");
  assert.match(suggestion.text, />5 storm-smock sold-out /);
});

test("hides.txt removes products from the results and the count of a query", async () => {
  assert.ok((await completed("rainc")).includes("raincoat"));
  assert.ok((await completed("stor")).includes("storm smock"));
  assert.deepEqual(await completed("smock st"), ["smock storm"]);
  assert.deepEqual(await completed("smock "), await completed("smock"), "no title goes on behind it");
  await rules("hides.txt", "rain*: raincoat", async () => !(await suggested("rain")).includes("raincoat"));
  assert.match(await found("rain"), /^4 /);
  assert.ok(!(await suggested("rainco")).includes("raincoat"));
  assert.ok((await suggested("coat raincoat")).includes("raincoat"), "another query");
  assert.ok(!(await completed("rainc")).some((phrase) => phrase.includes("raincoat")));
  assert.ok((await completed("rain")).includes("rain hat"), "what is not hidden is completed");
  await rules(
    "hides.txt",
    "rain*: raincoat\nstorm smock: storm-smock\nsmock storm: storm-smock\nrelic: sold-out",
    async () => (await suggested("storm smock")).length === 0,
  );
  const storm = await completed("stor");
  assert.ok(!storm.includes("storm smock"), "a completed search that would find nothing");
  assert.deepEqual(await completed("smock st"), []);
  assert.ok(!(await completed("relic")).includes("relic"));
});

test("ranking.txt orders products by margin, stock and newness, in suggestions and on the results page", async () => {
  const ranked = async (content: string, first: string): Promise<string> => {
    await rules("ranking.txt", content, async () => (await suggested("tent"))[0] === first);
    const handles = (await suggested("tent")).join(" ");
    assert.equal(await found("tent"), `4 ${handles.split(" ").slice(0, 3).join(" ")}`);
    return handles;
  };
  assert.deepEqual(await suggested("tent"), ["tent-old", "tent-many", "tent-new", "tent-margin"]);
  assert.equal(await ranked("tent: margin +3", "tent-margin"), "tent-margin tent-many tent-old tent-new");
  assert.equal(await ranked("ten*: stock 30", "tent-many"), "tent-many tent-old tent-new tent-margin");
  assert.equal(await ranked("*: newness +2", "tent-new"), "tent-new tent-margin tent-old tent-many");
  assert.deepEqual((await suggested("dome"))[0], "tent-new");
  assert.equal(
    await ranked("*: newness +2\ntent: margin +9", "tent-margin"),
    "tent-margin tent-new tent-many tent-old",
  );
  const explained = await command("search", "tent", "--explain");
  assert.match(
    explained,
    /^Ranked by margin \(up to \+9\), newness within 30 days \(up to \+2\) \(search\/ranking\.txt:2, search\/ranking\.txt:1\)\.$/m,
  );
  assert.match(
    explained,
    /tent-margin\)\n.*\n +7\.20 {2}margin, ranked by a search rule\n +0\.67 {2}newness, ranked by a search rule/,
  );
  assert.doesNotMatch((await client.get("/products/tent-margin.js")).text, /cost|"margin"/);
});

test("redirects.txt redirects the results page within the store in the shopper's language, sections excluded", async () => {
  const sent = async (path: string) => {
    const { status, headers } = await client.get(path);
    return [status, headers.location];
  };
  await rules(
    "redirects.txt",
    "returns, send back -> /pages/returns?from=search\n[fr]\nretour -> /pages/returns",
    async () => {
      return (await sent("/search?q=returns"))[0] === 302;
    },
  );
  assert.deepEqual(await sent("/search?q=%20Send%20BACK!"), [302, "/pages/returns?from=search"]);
  assert.deepEqual(await sent("/fr/search?q=returns"), [302, "/fr/pages/returns?from=search"]);
  assert.deepEqual(await sent("/fr/search?q=retour"), [302, "/fr/pages/returns"]);
  assert.deepEqual(await sent("/search?q=retour"), [200, undefined]);
  assert.equal((await sent("/search?q=returns&section_id=main"))[0], 200);
  const suggestion = await client.get("/search/suggest.json?q=returns");
  assert.equal(suggestion.json().redirect_url, "/pages/returns?from=search");
  assert.deepEqual(Object.keys((await client.get("/search/suggest.json?q=rain")).json()), ["resources"]);
});

test("synonyms.txt defines synonyms in both directions or one", async () => {
  assert.deepEqual(await suggested("settee"), []);
  await rules(
    "synonyms.txt",
    "sofa, settee\nring light => lamp",
    async () => (await suggested("settee"))[0] === "corner-sofa",
  );
  assert.deepEqual(await suggested("ring light"), ["reading-lamp"]);
});

/** Returns the output of a command on the store. */
async function command(name: string, ...args: readonly string[]): Promise<string> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const printed = text(stdout);
  const verb = await commands.get(name)?.load();
  await verb?.run(args, { cwd: shop.storeDir, stdout, stderr, env: {}, program: "vitrine" });
  stdout.end();
  return printed;
}

test("vitrine search --explain names the applied rules and their locations", async () => {
  const said = await command("search", "rain", "--explain");
  assert.match(said, /^Pinned: storm-smock, sold-out, gone \(search\/pins\.txt:1\)\.$/m);
  assert.match(said, /^Hidden: raincoat \(search\/hides\.txt:1\)\.$/m);
  assert.match(said, /^No product has the handle "gone"\.$/m);
  assert.match(said, /^ +pinned {2}Storm Smock {2}\(product storm-smock\)$/m);
  assert.match(
    await command("search", "returns"),
    /Redirects to \/pages\/returns\?from=search \(search\/redirects\.txt:1\)/,
  );
  assert.match(
    await command("search", "ring", "light"),
    /^"ring light" also finds "lamp" \(search\/synonyms\.txt:2\)\.$/m,
  );
  assert.match(await command("search", "raincot"), /^Did you mean "raincoat"\?/);
  const [query, best] = (await command("search", "rain", "--explain", "--json")).split("\n");
  assert.equal(JSON.parse(query ?? "").kind, "query");
  assert.deepEqual(JSON.parse(query ?? "").pins, {
    products: ["storm-smock", "sold-out", "gone"],
    at: "search/pins.txt:1",
  });
  assert.equal(JSON.parse(best ?? "").pinned, true);
});

test("vitrine check reports errors in rules with file and line", async () => {
  await writeFile(join(folder, "pin.txt"), "");
  const said = await command("check");
  assert.match(said, /^search\/pin\.txt: is not a rules file/m);
  await rm(join(folder, "pin.txt"));
});

test("an invalid rule file keeps its previous rules, and a deleted one has none", async () => {
  const isPinned = async (handle: string) => (await suggested("rain"))[0] === handle;
  await writeFile(join(folder, "pins.txt"), "rain: raincoat\nthis is no rule");
  // The other file is read after this one, so its effect shows that this one was read.
  await rules(
    "redirects.txt",
    "hat -> /products/rain-hat",
    async () => (await client.get("/search?q=hat")).status === 302,
  );
  assert.ok(await isPinned("storm-smock"));
  await rm(folder, { recursive: true });
  await until(async () => !(await isPinned("storm-smock")), "the pin is removed");
  assert.equal((await client.get("/search?q=hat")).status, 200);
});
