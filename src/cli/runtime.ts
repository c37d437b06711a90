// Read by Nodes that are too old for everything else: it imports nothing, and says nothing in newer words than theirs.

/** Oldest Node with the fixes this server needs; its SQLite may still be older, so that is looked at apart. */
const LEAST_NODE = [24, 15, 0];
/** Before it, two connections that write may corrupt a database in WAL mode. */
const LEAST_SQLITE = [3, 51, 3];

/** What is too old to run this, in a sentence with a remedy; undefined: nothing is. @param versions `process.versions` */
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
