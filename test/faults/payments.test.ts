import { test } from "node:test";
import { runPaymentRounds } from "../support/payment-rounds.ts";
import { freshDatabase } from "../support/test-database.ts";

/** Number of rounds, which `npm run test:soak` increases. */
const rounds = Number(process.env.VITRINE_ROUNDS ?? 4);

test(`payments reported across kills and lost responses, ${rounds} rounds: each creates one order, and stock, balances and uses are exact`, async (context) => {
  const { interruptions: faults, ...seen } = await runPaymentRounds({
    rounds,
    killEvery: 4,
    ...(await freshDatabase()),
  });
  context.diagnostic(JSON.stringify({ ...faults, ...seen }));
});
