import { chmod, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";

/** Makes a store's data folder where it is missing, and it and the files directly in it their owner's alone: they hold carts, codes
 *  and the key that signs cookies. What belongs to somebody else stays as it is. */
export async function prepareDataFolder(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const entries = await readdir(dir, { withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => join(dir, name));
  await Promise.allSettled([chmod(dir, 0o700), ...files.map((file) => chmod(file, 0o600))]);
}
