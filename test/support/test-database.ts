import { randomBytes } from "node:crypto";
import { query } from "./postgres-server.ts";

/** Names a PostgreSQL server on which the tests are to run; absent: they run on SQLite. */
export const serverVariable = "VITRINE_TEST_POSTGRES";

/** An empty database on the server under test, as `createApp` takes it; nothing where the tests run on SQLite. */
export async function freshDatabase(): Promise<{ readonly databaseUrl?: string }> {
  const server = process.env[serverVariable];
  if (server === undefined) return {};
  const name = `test_${randomBytes(8).toString("hex")}`;
  await query(server, `CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { databaseUrl: url.href };
}
