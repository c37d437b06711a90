import { SetupError } from "../setup-error.ts";

/** Oldest Node with the fixes this server needs; its SQLite may still be older, so that is looked at apart. */
const LEAST_NODE = [24, 15, 0];
/** Before it, two connections that write may corrupt a database in WAL mode. */
const LEAST_SQLITE = [3, 51, 3];

/** @param versions `process.versions`  @throws SetupError where Node or its SQLite is too old */
export function requireRuntime(versions: Readonly<Record<string, string | undefined>>): void {
  if (isOlder(versions.node, LEAST_NODE)) {
    throw new SetupError(
      `Node ${LEAST_NODE.join(".")} or newer is needed, this is ${versions.node}. In a checkout, "npm start" brings its own.`,
    );
  }
  if (isOlder(versions.sqlite, LEAST_SQLITE)) {
    throw new SetupError(
      `SQLite ${LEAST_SQLITE.join(".")} or newer is needed, this Node has ${versions.sqlite}. Use a newer Node.`,
    );
  }
}

function isOlder(version: string | undefined, least: readonly number[]): boolean {
  const parts = (version ?? "0").split(".").map(Number);
  for (const [index, wanted] of least.entries()) {
    const part = parts[index] ?? 0;
    if (part !== wanted) return part < wanted;
  }
  return false;
}
