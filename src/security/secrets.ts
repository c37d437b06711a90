import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SetupError } from "../setup-error.ts";

/** Minimum characters of a secret; shorter ones can be guessed. */
const LEAST_LENGTH = 32;

/**
 * Returns the keys that sign cookies and tokens; the first one signs. They come from `VITRINE_SECRET`, else from
 * `data/secret`, which is created if missing.
 * @param given comma-separated
 * @param makeKey returns a new random key
 * @throws SetupError for a short or unreadable key
 */
export async function readSecrets(
  dataDir: string,
  given: string | undefined,
  makeKey: () => string,
): Promise<readonly string[]> {
  const file = join(dataDir, "secret");
  const text = given ?? (await readOrMake(file, makeKey));
  const keys = text
    .split(",")
    .map((key) => key.trim())
    .filter((key) => key !== "");
  if (keys.length === 0 || keys.some((key) => key.length < LEAST_LENGTH)) {
    const source = given === undefined ? file : "VITRINE_SECRET";
    throw new SetupError(
      `${source}: a key must have at least ${LEAST_LENGTH} characters. Make one with "openssl rand -base64 48".`,
    );
  }
  return keys;
}

async function readOrMake(file: string, makeKey: () => string): Promise<string> {
  try {
    // "wx": if two processes start at once, one creates the file and both read it.
    await writeFile(file, `${makeKey()}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) {
      throw new SetupError(
        `${file}: cannot be written: ${error instanceof Error ? error.message : String(error)}. Make the folder writable, or set VITRINE_SECRET.`,
      );
    }
  }
  return readFile(file, "utf8");
}
