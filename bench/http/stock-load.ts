// Changes stock levels of a server until standard input ends, half of them by absolute numbers, half by differences.
// Then prints the number of lines and the milliseconds.
//   node bench/http/stock-load.ts <origin> <token> <lines per second> <number of products>
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { createRandom } from "../random.ts";

const [origin = "", token = "", rate = "", products = ""] = process.argv.slice(2);
/** Number of lines per batch, of prepared batches, and of batches in flight. */
const [batchSize, preparedCount, senderCount] = [250, 400, 4];

const random = createRandom(Date.now());
const bodies = Array.from({ length: preparedCount }, () =>
  Array.from({ length: batchSize }, (_, index) => {
    const changeField = index % 2 === 0 ? `"quantity":${random.below(100)}` : '"adjust":1';
    return `{"variant_id":"v${1 + random.below(Number(products))}",${changeField}}`;
  }).join("\n"),
);
const agent = new Agent({ keepAlive: true, maxSockets: senderCount });
let isOver = false;
process.stdin.on("end", () => (isOver = true)).resume();
const start = performance.now();
let sentCount = 0;
let lines = 0;
await Promise.all(Array.from({ length: senderCount }, send));
process.stdout.write(JSON.stringify({ lines, ms: performance.now() - start }));
agent.destroy();

async function send(): Promise<void> {
  while (!isOver) {
    const earlyMs = (sentCount * batchSize * 1_000) / Number(rate) - (performance.now() - start);
    if (earlyMs > 0) {
      await sleep(Math.min(earlyMs, 20));
      continue;
    }
    sentCount += 1;
    await post(bodies[sentCount % preparedCount] ?? "");
    lines += batchSize;
  }
}

function post(body: string): Promise<void> {
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "application/x-ndjson",
    "content-length": String(Buffer.byteLength(body)),
  };
  return new Promise((resolve, reject) => {
    const outgoingRequest = request(`${origin}/admin/stock`, { method: "POST", agent, headers }, (response) => {
      response.resume().on("end", () => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(`the answer was ${response.statusCode}`));
      });
    });
    outgoingRequest.on("error", reject).end(body);
  });
}
