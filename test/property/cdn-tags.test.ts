import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom } from "../../bench/random.ts";
import { product, type RowJson } from "../support/catalog.ts";
import { type Reply, send } from "../support/client.ts";
import { createApiToken } from "../support/command.ts";
import { startPurgeReceiver } from "../support/purge-receiver.ts";
import { startShop } from "../support/shop.ts";
import { until } from "../support/until.ts";

/** Number of random edits, which `npm run test:soak` increases. */
const rounds = Number(process.env.VITRINE_ROUNDS ?? 10);
const PRODUCTS = 24;

const types = ["Hats", "Ropes", "Lamps"];
const random = createRandom(Number(process.env.VITRINE_SEED ?? 1));
const { pick } = random;
const words = "amber brass canvas drift ember flint gale harbour iron jetty keel linen".split(" ");
const newTitle = (): string => `${pick(words)} ${pick(words)} ${random.below(100)}`;

interface Item {
  readonly id: number;
  title: string;
  price: number;
  type: string;
  isPublished: boolean;
  /** Units on hand, from 0 to 2. */
  stock: number;
}

const items: Item[] = Array.from({ length: PRODUCTS }, (_, index) => ({
  id: 1 + index,
  title: newTitle(),
  price: 100 + random.below(9_000),
  type: pick(types),
  isPublished: index % 8 !== 7,
  stock: 2,
}));
const productRow = ({ id, title, price, type, isPublished, stock }: Item): RowJson => ({
  ...product(id, `item-${id}`, title, [{ id: 1_000 + id, price, inventory_quantity: stock, sku: `S${id}` }]),
  product_type: type,
  published: isPublished,
});
const collectionRow = (id: number): RowJson =>
  id <= 3
    ? {
        kind: "collection",
        id: 300 + id,
        handle: `type-${id}`,
        title: newTitle(),
        rules: { product_type: types[id - 1] },
      }
    : {
        kind: "collection",
        id: 300 + id,
        handle: `manual-${id}`,
        title: newTitle(),
        products: random.sample(items, 6).map((item) => `item-${item.id}`),
      };
const pageTitles = ["Care", "Delivery", "Returns"];
const pageRow = (id: number): RowJson => ({
  kind: "page",
  id: 400 + id,
  handle: `page-${id}`,
  title: pageTitles[id - 1],
  content: `<p>${newTitle()}</p>`,
});
const articleRow = (id: number): RowJson => ({
  kind: "article",
  id: 500 + id,
  blog: "news",
  handle: `article-${id}`,
  title: newTitle(),
  content: `<p>${newTitle()}</p>`,
  published_at: "2026-01-02T00:00:00Z",
});

interface Edit {
  readonly path: string;
  readonly line: object;
  /** One of the tags that are purged together. */
  readonly tag: string;
}

const editRow = (row: RowJson): Edit => ({
  path: "/admin/catalog",
  line: row,
  tag: `${row.kind === "article" ? "articles" : `${row.kind}-${row.handle}`}`,
});
const editProduct = (changes: Partial<Item>): Edit => editRow(productRow(Object.assign(pick(items), changes)));

const edits: readonly (() => Edit)[] = [
  () => editProduct({ price: 100 + random.below(9_000) }),
  () => editProduct({ title: newTitle() }),
  () => editProduct({ type: pick(types) }),
  () => editProduct({ isPublished: random.below(2) === 0 }),
  () => editRow(collectionRow(1 + random.below(6))),
  () => editRow(pageRow(1 + random.below(3))),
  () => {
    const id = 1 + random.below(3);
    pageTitles[id - 1] = newTitle();
    return editRow(pageRow(id));
  },
  () => editRow(articleRow(1 + random.below(3))),
  () => {
    const item = pick(items);
    item.stock = (item.stock + 1 + random.below(2)) % 3;
    const line = { variant_id: String(1_000 + item.id), quantity: item.stock };
    return { path: "/admin/stock", line, tag: `product-item-${item.id}` };
  },
];

test(`${rounds} random edits: each page whose bytes change is purged`, async (context) => {
  const receiver = await startPurgeReceiver();
  const shop = await startShop({
    hasTheme: false,
    rows: [
      ...items.map(productRow),
      ...[1, 2, 3, 4, 5, 6].map(collectionRow),
      ...[1, 2, 3].map(pageRow),
      ...[1, 2, 3].map(articleRow),
    ],
    config: {
      origin: "https://shop.example",
      cdn: { purge: { format: "webhook", url: receiver.url } },
      locales: { default: "en" },
    },
  });
  const token = await createApiToken(shop, "catalog:write", "stock:write");
  const apply = async ({ path, line }: Edit): Promise<Reply> => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/x-ndjson" };
    const reply = await send(shop.origin, "POST", path, { headers, body: JSON.stringify(line) });
    assert.equal(reply.status, 200, reply.text);
    return reply;
  };
  const urls = [
    "/",
    "/collections",
    "/collections/all",
    "/collections/all?page=2",
    "/blogs/news",
    ...items.map(({ id }) => `/products/item-${id}`),
    ...[1, 2, 3].flatMap((id) => [`/collections/type-${id}`, `/pages/page-${id}`, `/blogs/news/article-${id}`]),
    ...[4, 5, 6].flatMap((id) => [`/collections/manual-${id}`, `/collections/manual-${id}?sort_by=price-ascending`]),
  ];
  const readPages = async () =>
    new Map(await Promise.all(urls.map(async (url) => [url, await shop.client().get(url)] as const)));
  const tagsSince = (from: number): ReadonlySet<string> =>
    new Set(receiver.received.slice(from).flatMap(({ body }) => (JSON.parse(body) as { tags: string[] }).tags));
  await until(() => tagsSince(0).has("shop"));
  let before = await readPages();
  const counts = { changed: 0, purged: 0, pages: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const from = receiver.received.length;
    const edit = pick(edits)();
    const { changed = 1 } = (await apply(edit)).json<{ changed?: number }>();
    if (changed === 0) continue;
    // A row may change the catalog and the stock, which are purged separately. This later change is purged last.
    const discount = { kind: "discount", code: `ROUND-${round}`, title: "Round", value_type: "percentage", value: 1 };
    await apply(editRow(discount));
    await until(
      () => tagsSince(from).has(edit.tag) && tagsSince(from).has("discounts"),
      `a purge after ${JSON.stringify(edit)}`,
    );
    const tags = tagsSince(from);
    const after = await readPages();
    for (const url of urls) {
      const [old, current] = [before.get(url) as Reply, after.get(url) as Reply];
      if (old.status !== 200) continue;
      const isPurged = String(old.headers["surrogate-key"])
        .split(" ")
        .some((tag) => tags.has(tag));
      const isChanged = old.text !== current.text || old.status !== current.status;
      assert.ok(
        isPurged || !isChanged,
        `${url} with ${old.headers["surrogate-key"]} after ${JSON.stringify(edit)}, purged ${[...tags].join(" ")}`,
      );
      counts.pages += 1;
      counts.changed += Number(isChanged);
      counts.purged += Number(isPurged);
    }
    before = after;
  }
  assert.ok(counts.changed > 0);
  context.diagnostic(
    `${counts.pages} pages: ${counts.changed} changed, ${counts.purged} purged, ${counts.purged - counts.changed} unnecessarily`,
  );
});
