// Guesses gift card codes from one IP address, with one cart and with many. Also uses up a limited discount by
// checkouts that are never completed.
//   node bench/attacks/code-guessing.ts
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Client, createClient } from "../../test/support/client.ts";
import { runAttack } from "./attack.ts";

/** Duration of the guessing in milliseconds. */
const GUESSING_MS = 10_000;
const GUESSERS = 10;
/** Number of guesses per valid gift card. */
const RARITY = 100;
const CODES = 50_000;
const USES = 100;
const VARIANT = 1_000_000;

const rows = [
  { kind: "product", handle: "prize", title: "Prize", variants: [{ id: VARIANT, price: 10_000 }] },
  ...Array.from({ length: CODES / RARITY }, (_, n) => ({
    kind: "gift_card",
    code: codeOf(n * RARITY),
    balance: 5_000,
  })),
  { kind: "discount", code: "LAUNCH", title: "Launch", value_type: "percentage", value: 50, usage_limit: USES },
];
const files = { "catalog/prizes.jsonl": rows.map((row) => JSON.stringify(row)).join("\n") };

await runAttack({ products: "demo", files }, async ({ origin, storeDir }) => {
  const lines: string[] = [];
  let nextCode = 0;
  const runGuesses = async (label: string, newClient: () => Promise<Client>, isAlwaysNew: boolean): Promise<void> => {
    const end = performance.now() + GUESSING_MS;
    let [guessCount, verifiedCount, rejectedCount] = [0, 0, 0];
    const repeat = async (): Promise<void> => {
      for (let client = await newClient(); performance.now() < end; ) {
        if (isAlwaysNew) client = await newClient();
        const codes = Array.from({ length: 5 }, () => codeOf(nextCode++ % CODES));
        const cart = (await client.post("/cart/update.js", { gift_cards: codes.join() })).json<CartJson>();
        const rejectedIssues = cart.issues.filter(({ message }) => message.includes("Try again in a minute")).length;
        guessCount += codes.length;
        verifiedCount += codes.length - rejectedIssues;
        rejectedCount += cart.gift_cards.length;
      }
    };
    await Promise.all(Array.from({ length: GUESSERS }, repeat));
    lines.push(
      `${label}: ${guessCount} guesses in ${GUESSING_MS / 1_000} s, ${verifiedCount} looked at, ${rejectedCount} balances told`,
    );
  };
  const withCart = async (discount = ""): Promise<Client> => {
    const client = createClient(origin);
    await client.post("/cart/add.js", { id: VARIANT, discount });
    return client;
  };
  for (let n = 0; n < USES; n += 1) {
    const client = await withCart("LAUNCH");
    await client.get(String((await client.get("/checkout")).headers.location));
  }
  const shopper = (await (await withCart("LAUNCH")).get("/cart.js")).json<CartJson>();
  const database = new DatabaseSync(join(storeDir, "data", "vitrine.db"), { readOnly: true });
  const uses = database.prepare("SELECT COUNT(*) AS count, MAX(expires_at) AS last FROM discount_uses").get();
  database.close();
  const minutes = (Number(uses?.last) - Date.now()) / 60_000;
  lines.push(
    `${USES} opened checkouts: ${uses?.count} uses held, a shopper's discount is ${shopper.total_discount_cents}; all are free again in ${minutes.toFixed(0)} minutes`,
  );

  await runGuesses("one cart a guesser", withCart, false);
  await runGuesses("a new cart for each five", withCart, true);
  return lines;
});

interface CartJson {
  readonly issues: readonly { readonly message: string }[];
  readonly gift_cards: readonly unknown[];
  readonly total_discount_cents: number;
}

function codeOf(n: number): string {
  return `GIFT-${String(n).padStart(6, "0")}`;
}
