// This module has no imports and no recent syntax, so that it runs on every version of Node.

/** Minimum version of Node. It may contain an older SQLite, whose version is checked separately. */
const LEAST_NODE = [24, 15, 0];
/** Minimum version of SQLite. Earlier versions can corrupt a WAL database with two writing connections. */
const LEAST_SQLITE = [3, 51, 3];

/**
 * Returns an error message if Node or its SQLite is too old, otherwise undefined.
 * @param versions `process.versions`
 */
export function describeOldRuntime(versions: Readonly<Record<string, string | undefined>>): string | undefined {
  if (isOlder(versions.node, LEAST_NODE))
    return `Vitrine needs Node 24.15 or later; this is ${versions.node}. Install a newer one from https://nodejs.org, or let npm bring it along: "npx -p node@26 -p vitrine vitrine …". In a checkout, "npm start" brings its own.`;
  if (isOlder(versions.sqlite, LEAST_SQLITE))
    return `Vitrine needs SQLite ${LEAST_SQLITE.join(".")} or later; this Node ${versions.node} has ${versions.sqlite}. Use a newer Node.`;
  return undefined;
}

function isOlder(version: string | undefined, least: readonly number[]): boolean {
  const parts = (version ?? "0").split(".").map(Number);
  for (const [index, wanted] of least.entries()) {
    const part = parts[index] ?? 0;
    if (part !== wanted) return part < wanted;
  }
  return false;
}
