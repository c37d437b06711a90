import { link, mkdtempDisposable, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { getErrorCode, ignoreNotFound } from "../not-found.ts";
import { isDiskFull, SetupError } from "../setup-error.ts";

/** Minimum number of characters of a secret, since shorter secrets can be guessed. */
const MIN_SECRET_LENGTH = 32;

/**
 * Returns the secrets that sign cookies and tokens; the first one signs. They come from `VITRINE_SECRET`, or otherwise
 * from the file `data/secret`, which is created if it is missing.
 * @param configuredSecrets value of `VITRINE_SECRET`: secrets separated by commas
 * @param createKey returns a new random key
 * @throws SetupError for a short or unreadable secret
 */
export async function readSecrets(
  dataDir: string,
  configuredSecrets: string | undefined,
  createKey: () => string,
): Promise<readonly string[]> {
  const file = join(dataDir, "secret");
  const text = configuredSecrets ?? (await readOrCreateKey(file, createKey));
  const keys = text
    .split(",")
    .map((key) => key.trim())
    .filter((key) => key !== "");
  if (keys.length === 0 || keys.some((key) => key.length < MIN_SECRET_LENGTH)) {
    const location = configuredSecrets === undefined ? file : "VITRINE_SECRET";
    throw new SetupError(
      `${location}: a key must have at least ${MIN_SECRET_LENGTH} characters. Make one with "openssl rand -base64 48".`,
    );
  }
  return keys;
}

async function readOrCreateKey(file: string, createKey: () => string): Promise<string> {
  const text = await readFile(file, "utf8").catch(ignoreNotFound);
  // A full disk or a crash may have left an empty file.
  if (text !== undefined && text !== "") return text;
  try {
    await createFile(file, `${createKey()}\n`, text === undefined ? link : rename);
  } catch (error) {
    if (getErrorCode(error) !== "EEXIST") {
      const remedy = isDiskFull(error) ? "Free some space" : "Make the folder writable";
      throw new SetupError(
        `${file}: cannot be written: ${error instanceof Error ? error.message : String(error)}. ${remedy}, or set VITRINE_SECRET.`,
      );
    }
  }
  return readFile(file, "utf8");
}

/**
 * Creates a complete file, readable only by its owner.
 * @param publish gives the file its name; `link` fails if another process created it first, and both read that file
 */
async function createFile(file: string, text: string, publish: typeof link): Promise<void> {
  await using folder = await mkdtempDisposable(`${file}-`);
  const partialFile = join(folder.path, "secret");
  await writeFile(partialFile, text, { mode: 0o600, flush: true });
  await publish(partialFile, file);
}
