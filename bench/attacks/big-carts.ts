// Fills carts up to the limits of the shop: with properties, with updates of 3,000 keys, and with an Idempotency-Key on
// each write.
//   node bench/attacks/big-carts.ts
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Client, createClient } from "../../test/support/client.ts";
import { runAttack } from "./attack.ts";

/** Duration of each part of the attack in milliseconds. */
const PART_MS = 8_000;
const ATTACKERS = 6;
const FIRST_ID = 1_000_000;
const VARIANTS = 3_000;

const products = Array.from({ length: VARIANTS / 10 }, (_, n) => {
  const sizes = Array.from({ length: 10 }, (_, m) => ({ id: FIRST_ID + 10 * n + m, price: 100, options: [`${m}`] }));
  return JSON.stringify({
    kind: "product",
    handle: `bolt-${n}`,
    title: `Bolt ${n}`,
    options: ["Size"],
    variants: sizes,
  });
});

await runAttack({ products: "demo", files: { "catalog/bolts.jsonl": products.join("\n") } }, async (target) => {
  const clients = Array.from({ length: ATTACKERS }, () => createClient(target.origin));
  const lines: string[] = [];
  const runPart = async (
    label: string,
    write: (client: Client, n: number) => Promise<CountedResponse>,
  ): Promise<void> => {
    const end = performance.now() + PART_MS;
    const responses: CountedResponse[] = [];
    const repeatWrites = async (client: Client): Promise<void> => {
      for (let n = 0; performance.now() < end; n += 1) responses.push(await write(client, n));
    };
    await Promise.all(clients.map(repeatWrites));
    const acceptedCount = responses.filter(({ status }) => status === 200).length;
    const largestBytes = Math.max(...responses.map(({ bytes }) => bytes));
    lines.push(
      `${label}: ${responses.length} from ${ATTACKERS} at once in ${PART_MS / 1_000} s, ${acceptedCount} answered 200, the largest answer ${largestBytes} bytes`,
    );
  };
  const post = async (client: Client, path: string, body: object, key?: string): Promise<CountedResponse> => {
    const { status, text } = await client.post(path, body, { "idempotency-key": key });
    return { status, bytes: Buffer.byteLength(text) };
  };

  const updates = Object.fromEntries(Array.from({ length: VARIANTS }, (_, n) => [FIRST_ID + n, 1]));
  await runPart("updates that add 3,000 variants", (client) => post(client, "/cart/update.js", { updates }));
  const emptyUpdates = Object.fromEntries(Object.keys(updates).map((id) => [id, 0]));
  await runPart("updates that take out 3,000 variants", (client) =>
    post(client, "/cart/update.js", { updates: emptyUpdates }),
  );
  await runPart("adds of 100 lines with 500 characters each", (client, n) => {
    const properties = (item: number): object => ({ text: `${n} ${item} `.padEnd(500, "<") });
    const items = Array.from({ length: 100 }, (_, item) => ({ id: FIRST_ID + item, properties: properties(item) }));
    return post(client, "/cart/add.js", { items });
  });
  await runPart("adds of 50 lines without texts", (client, n) => {
    const items = Array.from({ length: 50 }, (_, item) => ({ id: FIRST_ID + 50 * (1 + (n % 20)) + item }));
    return post(client, "/cart/add.js", { items });
  });
  await runPart("keyed writes to a full cart", (client, n) =>
    post(client, "/cart/change.js", { line: 1, quantity: 1 + (n % 9_000) }, `key-${n}`),
  );
  const database = new DatabaseSync(join(target.storeDir, "data", "vitrine.db"), { readOnly: true });
  const countRows = (sql: string): number => Number(Object.values(database.prepare(sql).get() ?? {})[0]);
  lines.push(
    `the largest cart: ${countRows("SELECT MAX(OCTET_LENGTH(data)) FROM carts")} bytes`,
    `answers kept: ${countRows("SELECT SUM(OCTET_LENGTH(answer)) FROM applied_writes")} bytes for ${ATTACKERS} carts`,
  );
  database.close();
  return lines;
});

interface CountedResponse {
  readonly status: number;
  readonly bytes: number;
}
