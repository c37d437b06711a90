// Checks that each payment creates exactly one order. Payment notifications are sent while the server is killed (kill
// -9), its PostgreSQL connections are cut, or clients disconnect before the response. Each notification is repeated
// until the server responds. Then orders are counted.
//   node bench/payments.ts [--rounds 1000] [--kill-every 4] [--postgresql]
import { parseArgs } from "node:util";
import { runPaymentRounds } from "../test/support/payment-rounds.ts";
import { startPostgres } from "../test/support/postgres-server.ts";

const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "1000" },
    "kill-every": { type: "string", default: "4" },
    postgresql: { type: "boolean", default: false },
  },
});
const [rounds, killEvery] = [Number(options.rounds), Number(options["kill-every"])];
const onRound = (round: number): void => {
  if (round % 50 === 0) process.stderr.write(`${round} of ${rounds} rounds\n`);
};
const server = options.postgresql ? await startPostgres() : undefined;
try {
  const database = server === undefined ? {} : { databaseUrl: await server.createDatabase("payments") };
  const tally = await runPaymentRounds({ rounds, killEvery, onRound, ...database });
  process.stdout.write(
    `${rounds} rounds on ${server === undefined ? "SQLite" : "PostgreSQL"}: ${JSON.stringify(tally)}\n`,
  );
} finally {
  await server?.remove();
}
