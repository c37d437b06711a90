// Many concurrent requests add to one cart: 3,000 requests to one server on SQLite, then 1,000 to three servers on
// PostgreSQL. Each must either return 200 or have no effect. `--only sqlite` or `--only postgresql` runs one part.
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { startPostgres } from "../../test/support/postgres-server.ts";
import { percentile, type Server, startServer, stopServer } from "../store.ts";
import { runAttack, type Target } from "./attack.ts";

/** Variant that is added. It has no stock limit in the demo store. */
const VARIANT = 4_101;

const selectedPart = process.argv[process.argv.indexOf("--only") + 1];
if (!process.argv.includes("--only") || selectedPart === "sqlite") {
  console.log("3,000 adds to one cart at one server, SQLite");
  await runAttack({ products: "demo" }, ({ origin }) => addConcurrently([origin], 3_000));
}
if (!process.argv.includes("--only") || selectedPart === "postgresql") {
  console.log("1,000 adds to one cart over three servers, PostgreSQL");
  const postgres = await startPostgres();
  try {
    const env = { DATABASE_URL: await postgres.createDatabase("shop") };
    await runAttack({ products: "demo", env }, (target) => addToThreeServers(target, env));
  } finally {
    await postgres.remove();
  }
}

async function addToThreeServers(
  { origin, storeDir }: Target,
  env: { readonly DATABASE_URL: string },
): Promise<readonly string[]> {
  const otherServers: Server[] = [
    await startServer(storeDir, undefined, env),
    await startServer(storeDir, undefined, env),
  ];
  try {
    return await addConcurrently([origin, ...otherServers.map((server) => server.origin)], 1_000);
  } finally {
    for (const { child } of otherServers) await stopServer(child);
  }
}

/**
 * Sends concurrent requests that each add one unit, on separate connections and distributed over the servers.
 * @returns the responses, and the final content of the cart
 */
async function addConcurrently(origins: readonly string[], count: number): Promise<readonly string[]> {
  const [firstOrigin = ""] = origins;
  const cookies = await makeCart(firstOrigin);
  const initialItems = await countItems(firstOrigin, cookies);
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  const start = performance.now();
  const replies = await Promise.all(
    Array.from({ length: count }, (_, n) => add(origins[n % origins.length] ?? firstOrigin, cookies, agent)),
  );
  const seconds = (performance.now() - start) / 1_000;
  agent.destroy();
  // Delayed writes are applied within 6 seconds.
  await sleep(6_000);
  const addedItems = (await countItems(firstOrigin, cookies)) - initialItems;
  const statuses = Map.groupBy(replies, ({ status }) => status);
  const times = replies.map(({ ms }) => ms);
  const itemCounts = new Set(replies.flatMap(({ status, items }) => (status === 200 ? [items] : [])));
  const acceptedCount = statuses.get(200)?.length ?? 0;
  return [
    `answered: ${[...statuses].map(([status, group]) => `${group.length} × ${status || "none"}`).join(", ")} in ${seconds.toFixed(1)} s; ` +
      `p50 ${percentile(times, 0.5).toFixed(0)}, p99 ${percentile(times, 0.99).toFixed(0)}, most ${Math.max(...times).toFixed(0)} ms`,
    `in the cart: ${addedItems}; ${addedItems === acceptedCount ? "as many as were answered 200" : `${addedItems - acceptedCount} MORE than were answered 200`}`,
    `different carts shown in the answers: ${itemCounts.size} of ${acceptedCount}`,
  ];
}

/** Creates a cart with one unit.  @returns its cookies and CSRF token */
async function makeCart(origin: string): Promise<Cookies> {
  const response = await fetch(`${origin}/api/csrf`);
  const csrf = response.headers.get("x-csrf-token") ?? "";
  await response.arrayBuffer();
  const addResponse = await fetch(`${origin}/cart/add.js`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-csrf-token": csrf, cookie: `csrf_token=${csrf}` },
    body: JSON.stringify({ id: VARIANT, quantity: 1 }),
  });
  if (addResponse.status !== 200) throw new Error(`no cart was made: ${await addResponse.text()}`);
  await addResponse.arrayBuffer();
  const cookiePairs = addResponse.headers.getSetCookie().map((line) => line.split(";")[0]);
  return { csrf, header: [`csrf_token=${csrf}`, ...cookiePairs].join("; ") };
}

interface Cookies {
  readonly csrf: string;
  readonly header: string;
}

async function countItems(origin: string, { header }: Cookies): Promise<number> {
  const response = await fetch(`${origin}/cart.js`, { headers: { cookie: header } });
  return ((await response.json()) as { readonly item_count: number }).item_count;
}

interface AddResult {
  /** HTTP status, or 0 if the connection failed. */
  readonly status: number;
  /** Number of units in the cart of the response. */
  readonly items?: number;
  readonly ms: number;
}

function add(origin: string, { csrf, header }: Cookies, agent: Agent): Promise<AddResult> {
  const start = performance.now();
  const { hostname, port } = new URL(origin);
  const headers = { "content-type": "application/json", "x-csrf-token": csrf, cookie: header };
  return new Promise((resolve) => {
    const addRequest = request({ hostname, port, path: "/cart/add.js", method: "POST", headers, agent }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
      response.once("end", () => {
        const { item_count } = JSON.parse(body) as { readonly item_count?: number };
        const items = item_count === undefined ? {} : { items: item_count };
        resolve({ status: response.statusCode ?? 0, ms: performance.now() - start, ...items });
      });
    });
    addRequest.once("error", () => resolve({ status: 0, ms: performance.now() - start }));
    addRequest.end(JSON.stringify({ id: VARIANT, quantity: 1 }));
  });
}
