import { join } from "node:path";
import { createKeyring, type Keyring } from "../security/keyring.ts";
import { readSecrets } from "../security/secrets.ts";
import { prepareDataFolder } from "../storage/open-database.ts";
import { system } from "../system.ts";
import type { CommandIo } from "./io.ts";

/** Opens the keyring of a store. Its secrets are in `VITRINE_SECRET`, or in a file that is created if it is missing. */
export async function openKeyring(storeDir: string, io: CommandIo): Promise<Keyring> {
  const dataDir = join(storeDir, "data");
  await prepareDataFolder(dataDir);
  return createKeyring(await readSecrets(dataDir, io.env.VITRINE_SECRET, system.newSecret));
}
