import assert from "node:assert/strict";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pipeline } from "node:stream";
import { test } from "node:test";
import sharp from "sharp";
import { product, type RowJson } from "../support/catalog.ts";
import { runCommand } from "../support/command.ts";
import { startShop, type TestShop, toJsonl } from "../support/shop.ts";
import { until } from "../support/until.ts";

const goods = (id: number, title: string, type: string, vendor: string, more: object = {}): RowJson => ({
  ...product(id, `p${id}`, title, [{ id: id * 10, price: 900 }]),
  product_type: type,
  vendor,
  ...more,
});
const mugs = [1, 2, 3].map((id) =>
  goods(id, `Mug ${id}`, id === 3 ? "mugs " : "Mugs", id === 1 ? "Kiln" : "Wheel", {
    translations: { fr: { product_type: "Tasses" } },
  }),
);
const rows: readonly RowJson[] = [
  ...mugs,
  goods(4, "Bowl", "Home > Kitchen > Bowls", "Kiln"),
  goods(5, "Deep Bowl", "Home > Kitchen > Bowls", "Wheel", {
    images: [{ src: "/media/bowl.jpg", width: 800, height: 600 }],
  }),
  goods(6, "Loom", "Tools", "Once"),
  goods(7, "Gift", "n/a", ""),
  { kind: "page", id: 90, handle: "about", title: "About us", content: "<p>We throw pots.</p>" },
  { kind: "page", id: 91, handle: "refund-policy", title: "Refunds", content: "" },
  { kind: "article", id: 92, handle: "one", title: "One", blog: "kiln-notes", content: "" },
];

/** Polls `ask` until its result matches. */
async function untilFound<T>(ask: () => Promise<T>, matches: (found: T) => boolean): Promise<T> {
  const { found } = await until(async () => {
    const answer = await ask();
    return matches(answer) && { found: answer };
  }, "the shop shows the import");
  return found;
}

async function importRows(shop: TestShop, more: readonly RowJson[], ...options: readonly string[]): Promise<void> {
  await writeFile(join(shop.storeDir, "more.jsonl"), toJsonl(more));
  const { code, err } = await runCommand(shop, "import", "more.jsonl", ...options);
  assert.equal(code, 0, err);
}

const textOf = (html: string): string => html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
const between = (html: string, from: string, to: string): string => html.split(from)[1]?.split(to)[0] ?? "";

test("a store without collections derives them from the catalog until it has one", async () => {
  const shop = await startShop({ rows, hasTheme: false });
  const client = shop.client();
  const get = async (path: string): Promise<string> => (await client.get(path)).text;
  const handles = async (): Promise<string[]> =>
    (await client.get("/collections.json"))
      .json<{ collections: { handle: string }[] }>()
      .collections.map(({ handle }) => handle);
  assert.deepEqual(await handles(), ["all", "mugs", "bowls", "wheel", "kiln"]);

  const listed = (await client.get("/collections/mugs/products.json")).json<{ products: { handle: string }[] }>();
  assert.deepEqual(
    listed.products.map(({ handle }) => handle),
    ["p1", "p2", "p3"],
  );
  assert.match(await get("/sitemap.xml"), /\/collections\/bowls</);
  const suggested = await get("/search/suggest.json?q=bow&resources[type]=collection");
  assert.match(suggested, /"title":"Bowls"[^}]*/);
  assert.match(await get("/fr/search/suggest.json?q=tass&resources[type]=collection"), /"title":"Tasses"/);
  assert.match(await get("/collections/all"), /<h1><bdi>All products</);
  assert.match(await get("/fr/collections/all"), /<h1><bdi>Tous les produits</);
  const cards = textOf(between(await get("/collections"), '<main id="content"', "</main>"));
  assert.match(cards, /All products 7 products Mugs 3 products Bowls 2 products/);

  const home = await get("/");
  const menu = between(home, '<nav id="main-navigation"', "</nav>");
  assert.deepEqual(
    [...menu.matchAll(/href="([^"]*)"/g)].map(([, href]) => href),
    ["/collections/all", "/collections/mugs", "/collections/bowls", "/collections/wheel", "/collections/kiln"].concat(
      "/blogs/kiln-notes",
    ),
  );
  const footer = between(home, '<footer class="footer">', "</footer>");
  assert.match(footer, /\/pages\/about"><bdi>About us<.*\/pages\/refund-policy"><bdi>Refunds</s);
  assert.match(home, /hero__pictures--1.*media\/bowl\.jpg/s);
  assert.match(
    textOf(home),
    /All products .* Mug 1 .* Collections All collections Mugs .* Bowls .* Wheel View all : Wheel Mug 2 /,
  );

  // A new product type gets a page when it has two products. A removed type loses its page.
  await importRows(shop, [goods(8, "Brush", "Tools", "Once")]);
  assert.ok((await untilFound(handles, (found) => found.includes("tools"))).includes("tools"));
  await importRows(shop, [{ kind: "collection", id: 80, handle: "kitchen", title: "Kitchen", products: ["p4"] }]);
  assert.deepEqual(await untilFound(handles, ({ length }) => length === 1), ["kitchen"]);
  assert.equal((await client.get("/collections/mugs")).status, 404);
  assert.equal((await client.get("/collections/all")).status, 200);
  assert.doesNotMatch(await get("/search/suggest.json?q=mug&resources[type]=collection"), /"title":"Mugs"/);
  assert.match(await get("/"), /<nav id="main-navigation"[\s\S]*?href="\/collections\/kitchen"/);
});

const tagged = (title: string, index: number): RowJson =>
  goods(index + 1, title, "", "", { tags: index === 0 ? ["sale:yes"] : ["sale:yes", "mugs"] });

for (const [name, some, expectedHandles] of [
  ["nothing", [], /No products found/],
  ["one product without anything", [goods(1, "Lone Mug", "", "")], /All products .* Lone Mug/],
  ["tags in the place of types", ["a", "b", "c"].map(tagged), /All products .* Mugs View all : Mugs b \$9\.00/],
  ["products of one type and vendor", [goods(1, "A", "T", "V"), goods(2, "B", "T", "V")], /All products .* A .* B/],
] as const)
  test(`a store with ${name} has a home page`, async () => {
    const shop = await startShop({ rows: some, hasTheme: false });
    const main = between((await shop.client().get("/")).text, '<main id="content"', "</main>");
    assert.match(textOf(main), expectedHandles);
    assert.doesNotMatch(main, /grid--collections/);
    await shop.close();
  });

test("an imported store hides its own name as vendor and omits missing data", async () => {
  const shop = await startShop({
    rows: [
      goods(1, "Mug", "Mugs", "TEST HARBOUR", { description: "" }),
      goods(2, "Bowl", "Bowls", "Kiln", {
        description: "<p>Thrown.</p>",
        images: [{ src: "/media/bowl.jpg", width: 800, height: 600 }],
        variants: [{ id: 20, title: "Default Title", price: 900, sku: "kiln-bowl-1" }],
      }),
    ],
    hasTheme: false,
  });
  const client = shop.client();
  const main = async (path: string): Promise<string> => between((await client.get(path)).text, "<main", "</main>");
  const bareHtml = await main("/products/p1");
  assert.doesNotMatch(bareHtml, /TEST HARBOUR|class="(eyebrow|prose|product__media|no-picture)"/);
  const fullHtml = await main("/products/p2");
  for (const part of ['class="eyebrow"><bdi>Kiln', 'class="prose"', 'class="product__media"'])
    assert.ok(fullHtml.includes(part), part);
  assert.ok(!fullHtml.includes("kiln-bowl-1"), "the number of the stock room is not for shoppers");
  assert.deepEqual(
    [...(await main("/collections/all")).matchAll(/card__vendor"><bdi>([^<]*)/g)].map(([, name]) => name),
    ["Kiln"],
  );
  assert.match(
    (await client.get("/search/suggest?q=mug&section_id=predictive-search")).text,
    /data-cart-note>\s*&nbsp;/,
  );
  const home = (await client.get("/")).text;
  const head = between(home, '<nav id="main-navigation"', "</nav>");
  assert.ok(head.includes("All products"));
  assert.deepEqual(
    [...between(home, "footer__links--main", "</ul>").matchAll(/<a href="([^"]*)/g)].map(([, href]) => href),
    [...head.matchAll(/<a href="([^"]*)/g)].map(([, href]) => href),
  );
});

test("a store with derived collections turned off has none and still lists its products", async () => {
  const shop = await startShop({ rows: mugs, hasTheme: false, config: { derivedCollections: false } });
  const client = shop.client();
  assert.deepEqual((await client.get("/collections.json")).json(), { collections: [] });
  assert.match(textOf((await client.get("/")).text), /All products .* Mug 1/);
  assert.match((await client.get("/collections")).text, /No products found/);
});

test("descriptions keep their styles under the security policy and embed videos of allowed players", async () => {
  const description = `<p style="text-align:center;color:#333;position:fixed">Hand thrown</p>
<table style="width:900px"><tr><td style="background:#ff0;color:black">2 l</td></tr></table>
<iframe width="560" height="315" src="https://www.youtube.com/embed/abcdefghijk?autoplay=1" style="position:absolute"></iframe>
<iframe src="https://maps.example/where"></iframe>`;
  const shop = await startShop({ rows: [goods(1, "Jug", "Jugs", "Kiln", { description })], hasTheme: false });
  const client = shop.client();
  const { text, headers } = await client.get("/products/p1");
  const policy = String(headers["content-security-policy"]);
  assert.match(policy, /style-src 'self' 'sha256-[\w+/=]{44}'; frame-src 'self' https:\/\/www\.youtube-nocookie\.com;/);
  const prose = between(text, '<div class="prose">', "<a href=");
  assert.doesNotMatch(text, /style="|youtube\.com\/|autoplay|position:/);
  assert.match(prose, /<p class="v-\w{10}">Hand thrown/);
  assert.match(
    prose,
    /<iframe src="https:\/\/www\.youtube-nocookie\.com\/embed\/abcdefghijk"[^>]* loading="lazy"[^>]* class="v-video v-560x315"/,
  );
  assert.match(text, /<a href="https:\/\/maps\.example\/where" rel="nofollow noopener">maps\.example<\/a>/);
  const css = between(text, "<style>", "</style>");
  assert.match(css, /\{text-align:center\}@media \(prefers-color-scheme:light\)\{\.v-\w{10}\{color:#333\}\}/);
  assert.match(css, /\{width:900px;max-width:100%\}/);
  assert.match(css, /\{background-color:#ff0;color:black\}/);
  const section = await client.get("/products/p1?section_id=main-product");
  assert.match(section.text, /<p class="v-\w{10}">Hand thrown/);
  assert.equal((await client.get("/products/p1.js")).json().description, description);
  const plainPage = await client.get("/collections/all");
  assert.doesNotMatch(String(plainPage.headers["content-security-policy"]), /style-src|frame-src/);
  assert.match(await readFile(join(shop.storeDir, "catalog/shop.jsonl"), "utf8"), /youtube/);
});

test("an import downloads remote images once and leaves the URLs of other files", async (t) => {
  const photo = await sharp({ create: { width: 60, height: 40, channels: 3, background: "#258" } })
    .jpeg()
    .toBuffer();
  const requestedPaths: string[] = [];
  const answers: Readonly<Record<string, (response: ServerResponse) => void>> = {
    "/photo.png": (response) => response.setHeader("content-type", "image/png").end(photo),
    "/moved.jpg": (response) => response.writeHead(302, { location: "/photo.png" }).end(),
    "/inside.jpg": (response) => response.writeHead(302, { location: "http://[::1]/x.jpg" }).end(),
    "/page.jpg": (response) => response.setHeader("content-type", "image/jpeg").end(`<html>${"x".repeat(99)}`),
    "/flood.jpg": (response) => pipeline(Array(40).fill(Buffer.alloc(1_000_000, photo)), response, () => {}),
    "/cut.jpg": (response) => response.end(photo.subarray(0, 20)),
    "/late.jpg": (response) => response.writeHead(503).end(),
  };
  const server = createServer((request, response) => {
    requestedPaths.push(request.url ?? "");
    (answers[request.url ?? ""] ?? (() => response.writeHead(404).end()))(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const names = [...Object.keys(answers), "/gone.jpg"];
  const images = [...names.map((name) => ({ src: origin + name })), { src: "http://10.1.2.3/x.jpg" }];
  const jug: RowJson = {
    ...goods(1, "Jug", "Jugs", "Kiln", { images, description: `<p><img alt="" src="${origin}/photo.png"></p>` }),
    variants: [{ id: 10, price: 900, image: `${origin}/moved.jpg` }],
  };
  const shop = await startShop({ rows: [], hasTheme: false });
  await writeFile(join(shop.storeDir, "more.jsonl"), toJsonl([jug]));
  const run = (...options: readonly string[]) =>
    runCommand(shop, "import", "more.jsonl", "--fetch-images", "--trust-hosts", `${new URL(origin).host}`, ...options);

  assert.match((await run("--dry-run")).out, /9 images would be fetched/);
  assert.equal(requestedPaths.length, 0);
  const first = await run();
  assert.deepEqual([first.code, /Fetched .*/.exec(first.out)?.[0]], [0, "Fetched 2 images, 7 not."], first.err);
  const failures = await readFile(join(shop.storeDir, "data/images-not-fetched.txt"), "utf8");
  const reasons = failures.replaceAll(`${origin}/`, "").trim().split("\n").sort();
  const isInside = "is in a private network: allow a host of your own with --trust-hosts";
  assert.deepEqual(reasons, [
    "cut.jpg is damaged: it cannot be decoded",
    "flood.jpg is larger than 20 MB",
    "gone.jpg failed with status 404",
    `http://10.1.2.3/x.jpg ${isInside}`,
    `inside.jpg ${isInside}`,
    "late.jpg failed with status 503",
    "page.jpg is not a JPEG, PNG, GIF, WebP or AVIF image",
  ]);
  const files = (await readdir(join(shop.storeDir, "media/fetched"))).sort();
  assert.equal(files.length, 2);
  assert.match(files.join(" "), /^moved-[0-9a-f]{20}-60x40\.jpg photo-[0-9a-f]{20}-60x40\.jpg$/);
  const importedPage = await untilFound(
    async () =>
      (await shop.client().get("/products/p1.js")).json<{
        images: string[];
        description: string;
        variants: object[];
      }>(),
    (found) => found.images?.some((src) => src.startsWith("/media/")) === true,
  );
  const keptUrls = [`${origin}/inside.jpg`, `${origin}/page.jpg`];
  assert.deepEqual(importedPage.images.slice(0, 4), [
    `/media/fetched/${files[1]}`,
    `/media/fetched/${files[0]}`,
    ...keptUrls,
  ]);
  assert.equal(importedPage.description, `<p><img alt="" src="/media/fetched/${files[1]}"></p>`);
  assert.match(JSON.stringify(importedPage.variants), /"src":"\/media\/fetched\/moved-/);
  assert.equal((await shop.client().get(`/media/fetched/${files[1]}`)).headers["content-type"], "image/jpeg");

  // An import downloads only the missing images.
  requestedPaths.length = 0;
  assert.match((await run()).out, /0 new or changed.*\nFetched 0 images, 7 not/s);
  assert.ok(!requestedPaths.includes("/photo.png") && requestedPaths.includes("/gone.jpg"), requestedPaths.join(" "));
  await importRows(shop, [jug]);
  assert.equal((await readdir(join(shop.storeDir, "media/fetched"))).length, 2);
});
