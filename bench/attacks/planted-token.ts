// Two visitors have the same csrf_token, as a sibling site can plant it. Both send their first write at the same time,
// with and without an earlier page view.
//   node bench/attacks/planted-token.ts
import { type Client, createClient } from "../../test/support/client.ts";
import { runAttack } from "./attack.ts";

const ROUNDS = 300;
const VARIANT = 1_000_000;

const product = { kind: "product", handle: "prize", title: "Prize", variants: [{ id: VARIANT, price: 100 }] };

await runAttack({ products: "demo", files: { "catalog/prize.jsonl": JSON.stringify(product) } }, async ({ origin }) => {
  const lines: string[] = [];
  const runRounds = async (label: string, hasSeenPage: boolean, key?: string): Promise<void> => {
    let sharedCarts = 0;
    let rejectedCount = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const token = await createClient(origin).token();
      const visitors = await Promise.all([1, 2].map(() => visitorWith(token, hasSeenPage)));
      const replies = await Promise.all(
        visitors.map((visitor) => visitor.post("/cart/add.js", { id: VARIANT }, { "idempotency-key": key })),
      );
      rejectedCount += replies.filter(({ status }) => status !== 200).length;
      if (new Set(replies.map((reply) => reply.json().id)).size < 2) sharedCarts += 1;
    }
    lines.push(`${label}: of ${ROUNDS} pairs ${sharedCarts} share a cart, ${rejectedCount} writes are refused`);
  };
  const visitorWith = async (token: string, hasSeenPage: boolean): Promise<Client> => {
    const visitor = createClient(origin);
    visitor.cookies.set("csrf_token", token);
    if (hasSeenPage) await visitor.get("/");
    return visitor;
  };
  await runRounds("visitors who have seen a page", true);
  await runRounds("visitors who keep the token alone", false);
  await runRounds("visitors whose writes have one key", true, "add-1");
  return lines;
});
