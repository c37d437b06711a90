// This module has no imports and no recent syntax, so that it runs on every version of Node.

/** Minimum version of Node. It may contain an older SQLite, whose version is checked separately. */
const MIN_NODE_VERSION = [24, 15, 0];
/** Minimum version of SQLite. Earlier versions can corrupt a WAL database with two writing connections. */
const MIN_SQLITE_VERSION = [3, 51, 3];

/**
 * Returns an error message if Node or its SQLite is too old, otherwise undefined.
 * @param versions `process.versions`
 */
export function describeOldRuntime(versions: Readonly<Record<string, string | undefined>>): string | undefined {
  if (isOlderVersion(versions.node, MIN_NODE_VERSION))
    return `Vitrine needs Node 24.15 or later; this is ${versions.node}. Install a newer version from https://nodejs.org, or run "npx -p node@26 -p vitrine vitrine …". In a Git checkout, "npm start" uses its own Node.`;
  if (isOlderVersion(versions.sqlite, MIN_SQLITE_VERSION))
    return `Vitrine needs SQLite ${MIN_SQLITE_VERSION.join(".")} or later; this Node ${versions.node} has ${versions.sqlite}. Use a newer Node.`;
  return undefined;
}

function isOlderVersion(version: string | undefined, minVersion: readonly number[]): boolean {
  const parts = (version ?? "0").split(".").map(Number);
  for (const [index, minVersionPart] of minVersion.entries()) {
    const part = parts[index] ?? 0;
    if (part !== minVersionPart) return part < minVersionPart;
  }
  return false;
}
