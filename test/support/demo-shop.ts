import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { createApp } from "../../src/app.ts";
import { runCommand } from "./command.ts";
import { testSecret } from "./shop.ts";
import { freshDatabase } from "./test-database.ts";

export interface DemoShop {
  readonly origin: string;
  /** Creates a token like `vitrine token create`. */
  token(...scopes: readonly string[]): Promise<string>;
}

/**
 * Starts the store of `npm start` in a temporary folder. It is closed and deleted after the test or file that started
 * it.
 */
export async function startDemoShop(): Promise<DemoShop> {
  const storeDir = await mkdtemp(join(tmpdir(), "vitrine-demo-"));
  const demo = fileURLToPath(new URL("../../examples/harbour-outfitters", import.meta.url));
  await cp(demo, storeDir, { recursive: true, filter: (path) => path !== join(demo, "data") });
  // Clients run in the thread of the shop and delay it, so the maximum wait is longer.
  const configFile = join(storeDir, "vitrine.config.ts");
  const settings = await readFile(configFile, "utf8");
  await writeFile(configFile, settings.replace("defineStore({", "defineStore({ server: { maxWait: 60_000 },"));
  const database = await freshDatabase();
  const app = await createApp({ storeDir, secret: testSecret, logLevel: "silent", ...database });
  const origin = await app.listen("127.0.0.1", 0);
  after(async () => {
    await app.close();
    await rm(storeDir, { recursive: true, force: true });
  });
  const env = database.databaseUrl === undefined ? {} : { DATABASE_URL: database.databaseUrl };
  return {
    origin,
    async token(...scopes) {
      const { out, err } = await runCommand({ storeDir, env }, "token", "create", "--scopes", scopes.join());
      const made = /vitrine_[\w-]+/.exec(out)?.[0];
      if (made === undefined) throw new Error(`No token was made: ${err}`);
      return made;
    },
  };
}
