import type { ConsoleState } from "../console/console.ts";
import type { Log } from "../observability/log.ts";
import type { PollLoop } from "../runtime/poll.ts";
import type { Database } from "../storage/database.ts";
import { pollChanges } from "../storage/poll-changes.ts";
import { readLiveRules, readRuleRevisions, readRulesTest } from "../storage/search-rules.ts";

/**
 * Calls `onRules` when search rules are published, or a test of rules starts or ends, in the console of any server.
 * @param currentRevisions the current revisions
 */
export function syncRules(
  database: Database,
  currentRevisions: string,
  onRules: (state: Pick<ConsoleState, "rules" | "test">) => void,
  log: Pick<Log, "recurring">,
): Pick<PollLoop, "close"> {
  let revisions = currentRevisions;
  return pollChanges(database, "rules", { name: "reading search rules", log, startsImmediately: true }, async () => {
    const newestRevisions = await readRuleRevisions(database);
    if (newestRevisions === revisions) return;
    const [{ texts: rules }, test] = await Promise.all([readLiveRules(database), readRulesTest(database)]);
    revisions = newestRevisions;
    onRules({ rules, test });
  });
}
