import type { PreferenceCounts } from "../../console/console.ts";
import { isVisible } from "../../signals/privacy.ts";
import { preferenceKind } from "../../signals/signals.ts";
import type { Database } from "../database.ts";
import { mergeNetworkBits } from "./report.ts";

/**
 * Reads how many shoppers preferred the draft of the search rules, and how many preferred the live rules, in a test.
 * @returns counts by action; undefined for an action that came from too few IP networks
 */
export async function readPreferences(
  database: Database,
  testId: number,
): Promise<Readonly<Record<"added" | "ordered", PreferenceCounts | undefined>>> {
  const termsByAction = { added: `added ${testId}`, ordered: `ordered ${testId}` };
  const rows = await database.read(
    "SELECT term, product, networks, weight FROM signal_counts WHERE kind = $1 AND term IN ($2, $3)",
    [preferenceKind, termsByAction.added, termsByAction.ordered],
  );
  const computeCounts = (term: string): PreferenceCounts | undefined => {
    const termRows = rows.filter((row) => row.term === term);
    if (!isVisible({ kind: preferenceKind, networks: mergeNetworkBits(termRows) }, "merchant")) return undefined;
    const sumPreferences = (ruleVersion: keyof PreferenceCounts): number =>
      termRows.reduce((sum, { product, weight }) => sum + (product === ruleVersion ? Number(weight) : 0), 0);
    return { draft: sumPreferences("draft"), live: sumPreferences("live") };
  };
  return { added: computeCounts(termsByAction.added), ordered: computeCounts(termsByAction.ordered) };
}
