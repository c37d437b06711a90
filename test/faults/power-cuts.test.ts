import assert from "node:assert/strict";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, test } from "node:test";
import { createRandom, type Random } from "../../bench/random.ts";
import { createApp } from "../../src/app.ts";
import { product } from "../support/catalog.ts";
import { address, checkoutOf, submit } from "../support/checkout-page.ts";
import { createClient, send } from "../support/client.ts";
import { createApiToken } from "../support/command.ts";
import {
  canTraceDisk,
  createDiskImage,
  type DiskTrace,
  formatTraceCommand,
  readDiskTrace,
} from "../support/disk-trace.ts";
import { serve } from "../support/server-process.ts";
import { makeStore, testSecret } from "../support/shop.ts";
import { until } from "../support/until.ts";

/** Number of power cuts, which `npm run test:soak` increases. */
const rounds = Number(process.env.VITRINE_ROUNDS ?? 8);
const isSoak = process.env.VITRINE_ROUNDS !== undefined;
const seed = Number(process.env.VITRINE_SEED ?? Math.floor(Math.random() * 2 ** 31));
const STOCK = 1_000_000;
const CARTS = 3;
/** Acknowledged writes after which the recording ends. */
const WRITES = isSoak ? 600 : 30;
/** Rows that fill the write-ahead log in a soak test, so that it is merged into the database during the recording. */
const FILL_ROWS = isSoak ? 3_000 : 0;

/** A write, with the times at which it was sent and acknowledged in milliseconds since 1970. */
interface Write {
  /** Variant of the cart, "order", or "import". */
  readonly subject: string;
  /** Units in the cart, or number of the order or import. */
  readonly number: number;
  readonly sentAt: number;
  acknowledgedAt: number;
}

const skip = canTraceDisk() ? false : "needs Linux, and strace with the permission to trace processes";
const writes: Write[] = [];
let storeDir = "";
let trace: DiskTrace = [];

before(async () => {
  if (skip !== false) return;
  storeDir = await makeStore({
    hasTheme: false,
    rows: [
      product(1, "tote", "Tote", [{ id: 1, price: 1_000, inventory_quantity: STOCK }]),
      ...[0, 1, 2].map((index) => product(2 + index, `cart-${index}`, "Rope", [{ id: 100 + index, price: 100 }])),
      ...["import-a", "import-b"].map((handle, index) => product(10 + index, handle, "Import 0", [{ price: 1 }])),
      ...Array.from({ length: FILL_ROWS }, (_, index) => ({
        ...product(100 + index, `row-${index}`, `Row ${index}`, [{ price: 1 }]),
        description: "x".repeat(3_000),
      })),
    ],
    config: { server: { threads: 1, maxWait: 60_000 } },
  });
  const token = await createApiToken({ storeDir, env: {} }, "catalog:write");
  await cp(join(storeDir, "data"), join(storeDir, "initial"), { recursive: true });
  const database = join(storeDir, "data", "vitrine.db");
  const traceFile = join(storeDir, "trace");
  const server = await serve(storeDir, formatTraceCommand([database, `${database}-wal`], traceFile));
  let isRunning = true;
  const jobs = [
    ...Array.from({ length: CARTS }, (_, index) => fillCart(server.origin, 100 + index, () => isRunning)),
    placeOrders(server.origin, () => isRunning),
    importTitles(server.origin, token, () => isRunning),
  ];
  await Promise.race([
    until(() => writes.filter(({ acknowledgedAt }) => acknowledgedAt < Number.POSITIVE_INFINITY).length >= WRITES),
    Promise.all(jobs),
  ]);
  isRunning = false;
  await Promise.all(jobs);
  server.child.kill("SIGTERM");
  await server.finished;
  trace = readDiskTrace(traceFile);
});
after(() => (storeDir === "" ? undefined : rm(storeDir, { recursive: true })));

async function acknowledge(subject: string, number: number, write: () => Promise<void>): Promise<void> {
  const sentWrite = { subject, number, sentAt: Date.now(), acknowledgedAt: Number.POSITIVE_INFINITY };
  writes.push(sentWrite);
  await write();
  // The clock counts full milliseconds, so the answer came before the next one.
  sentWrite.acknowledgedAt = Date.now() + 1;
}

async function fillCart(origin: string, variantId: number, isRunning: () => boolean): Promise<void> {
  const client = createClient(origin);
  for (let units = 1; isRunning(); units += 1)
    await acknowledge(`${variantId}`, units, async () => {
      const reply = await client.post("/cart/add.js", { id: variantId, quantity: 1 });
      assert.equal(reply.status, 200, reply.text);
    });
}

async function placeOrders(origin: string, isRunning: () => boolean): Promise<void> {
  for (let number = 1; isRunning(); number += 1) {
    const client = createClient(origin);
    assert.equal((await client.post("/cart/add.js", { id: 1, quantity: 1 })).status, 200);
    const page = await checkoutOf(client);
    const shipping = /name="shipping" value="([^"]+)"/.exec(page.page)?.[1] ?? "";
    await acknowledge("order", number, async () => {
      const fields = { ...address, shipping, name: `Buyer ${number}.`, order: "" };
      const { status, headers } = await submit(client, page, fields);
      assert.match(`${status} ${headers.location}`, /^303 \/orders\//);
    });
  }
}

async function importTitles(origin: string, token: string, isRunning: () => boolean): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/x-ndjson" };
  for (let number = 1; isRunning(); number += 1)
    await acknowledge("import", number, async () => {
      const rows = ["import-a", "import-b"].map((handle) =>
        JSON.stringify({ patch: { kind: "product", handle, title: `Import ${number}` } }),
      );
      const reply = await send(origin, "POST", "/admin/catalog", { headers, body: rows.join("\n") });
      assert.equal(reply.status, 200, reply.text);
    });
}

test(`${rounds} power cuts from seed ${seed}: no acknowledged write is lost, and none is repeated`, {
  skip,
}, async (context) => {
  let acknowledgedCount = 0;
  for (let round = 0; round < rounds; round += 1) {
    const { violations, time, dir } = await cutPower(createRandom(seed + round), false);
    assert.deepEqual(violations, [], `seed ${seed + round}`);
    acknowledgedCount += writes.filter(({ acknowledgedAt }) => acknowledgedAt <= time).length;
    if (round === 0) await assertStarts(dir);
    await rm(dir, { recursive: true });
  }
  const merges = trace.filter(({ path }) => path.endsWith(".db")).length;
  context.diagnostic(
    `${trace.length} calls, ${merges} of them on the database file, ${rounds} cuts, ${acknowledgedCount} acknowledged writes before them, 0 lost`,
  );
});

test("the check finds lost writes on a disk that ignores syncs", { skip }, async (context) => {
  for (let round = 0; ; round += 1) {
    assert.ok(round < 50, "the check finds no lost write");
    const { violations, dir } = await cutPower(createRandom(seed + round), true);
    await rm(dir, { recursive: true });
    if (violations.length === 0) continue;
    context.diagnostic(violations.join("; "));
    break;
  }
});

/** Cuts the power at a random time.  @returns violations, and the folder of a store with the files of the disk */
async function cutPower(random: Random, ignoresSyncs: boolean) {
  const { start, end } = random.pick(trace);
  const time = start + ((end - start + 1) * random.below(1_000)) / 1_000;
  const dir = await mkdtemp(join(storeDir, "cut-"));
  createDiskImage(trace, { initialDir: join(storeDir, "initial"), time, random, ignoresSyncs }, join(dir, "data"));
  let violations: readonly string[];
  try {
    violations = findViolations(join(dir, "data", "vitrine.db"), time);
  } catch (error) {
    violations = [String(error)];
  }
  return { violations, time, dir };
}

function findViolations(file: string, time: number): readonly string[] {
  const violations: string[] = [];
  const database = new DatabaseSync(file);
  const readNumbers = (sql: string): readonly number[] =>
    database
      .prepare(sql)
      .all()
      .map((row) => Number(Object.values(row)[0]));
  /** Checks that a number is between the last acknowledged and the last sent one. */
  const check = (subject: string, number: number): void => {
    const own = writes.filter((write) => write.subject === subject);
    const acknowledged = own.findLast(({ acknowledgedAt }) => acknowledgedAt <= time)?.number ?? 0;
    const sent = own.findLast(({ sentAt }) => sentAt <= time + 1)?.number ?? 0;
    if (number < acknowledged || number > sent)
      violations.push(`${subject}: ${number} stored, ${acknowledged} acknowledged, ${sent} sent`);
  };
  try {
    const [integrity] = database.prepare("PRAGMA integrity_check").all();
    if (integrity?.integrity_check !== "ok") violations.push(String(integrity?.integrity_check));
    for (let variantId = 100; variantId < 100 + CARTS; variantId += 1) {
      const units = readNumbers(
        `SELECT json_extract(line.value, '$.quantity') FROM carts, json_each(carts.data, '$.lines') line
          WHERE json_extract(line.value, '$.variantId') = '${variantId}'`,
      );
      if (units.length > 1) violations.push(`${units.length} carts of one shopper`);
      check(`${variantId}`, units[0] ?? 0);
    }
    const orders = readNumbers(`SELECT CAST(substr(content, instr(content, '"Buyer ') + 7, 6) AS INTEGER) FROM orders`);
    if (new Set(orders).size !== orders.length) violations.push("an order is stored twice");
    check("order", Math.max(0, ...orders));
    if (orders.length !== Math.max(0, ...orders)) violations.push("an earlier order is lost");
    const [completed = 0] = readNumbers("SELECT COUNT(*) FROM checkouts WHERE state = 'completed'");
    const [events = 0] = readNumbers("SELECT COUNT(*) FROM events WHERE type = 'order.created'");
    const [sold = 0] = readNumbers("SELECT SUM(quantity) FROM stock_levels WHERE variant_id = '1'");
    if (completed !== orders.length || events !== orders.length || (sold > 0 && STOCK - sold !== orders.length))
      violations.push(`${orders.length} orders, ${completed} checkouts, ${events} events, ${sold} units left`);
    const imports = ["import-a", "import-b"].map((handle) =>
      readNumbers(
        `SELECT substr(json_extract(data, '$.title'), 8) FROM catalog_rows WHERE handle = '${handle}'
          AND revision <= (SELECT revision FROM catalog_state) ORDER BY revision DESC LIMIT 1`,
      ).at(0),
    );
    if (imports[0] !== imports[1]) violations.push(`an import is stored in part: ${imports.join(" and ")}`);
    check("import", imports[0] ?? 0);
  } finally {
    database.close();
  }
  return violations;
}

/** Asserts that a server starts with the files, and answers. */
async function assertStarts(dir: string): Promise<void> {
  for (const name of ["vitrine.config.ts", "catalog"])
    await cp(join(storeDir, name), join(dir, name), { recursive: true });
  const app = await createApp({ storeDir: dir, secret: testSecret, logLevel: "silent" });
  try {
    const client = createClient(await app.listen("127.0.0.1", 0));
    assert.equal((await client.post("/cart/add.js", { id: 1, quantity: 1 })).status, 200);
  } finally {
    await app.close();
  }
}
