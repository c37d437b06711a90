import { test } from "node:test";
import { runPaymentRounds } from "../support/payment-rounds.ts";
import { freshDatabase } from "../support/test-database.ts";

/** `npm run test:soak` has more. */
const rounds = Number(process.env.VITRINE_ROUNDS ?? 4);

test(`payments told of while the server is killed and answers are lost, ${rounds} rounds: each makes one order, and stock, balances and uses are exact`, async (context) => {
  const { faults, ...seen } = await runPaymentRounds({ rounds, killEvery: 4, ...(await freshDatabase()) });
  context.diagnostic(JSON.stringify({ ...faults, ...seen }));
});
