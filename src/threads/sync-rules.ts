import type { ConsoleState } from "../console/console.ts";
import type { Log } from "../observability/log.ts";
import { type PollLoop, poll } from "../runtime/poll.ts";
import { type Database, getPollInterval } from "../storage/database.ts";
import { readLiveRules, readRuleRevisions, readRulesTest } from "../storage/search-rules.ts";

/** Milliseconds between polls. */
const POLL_INTERVAL_MS = 300;

/**
 * Calls `onRules` when search rules are published, or a test of rules starts or ends, in the console of any server.
 * @param currentRevisions the current revisions
 */
export function syncRules(
  database: Database,
  currentRevisions: string,
  onRules: (state: Pick<ConsoleState, "rules" | "test">) => void,
  log: Pick<Log, "recurring">,
): PollLoop {
  let revisions = currentRevisions;
  return poll(
    {
      name: "reading search rules",
      intervalMs: getPollInterval(database, POLL_INTERVAL_MS),
      log,
      startsImmediately: true,
    },
    async () => {
      const newestRevisions = await readRuleRevisions(database);
      if (newestRevisions === revisions) return;
      const [{ texts: rules }, test] = await Promise.all([readLiveRules(database), readRulesTest(database)]);
      revisions = newestRevisions;
      onRules({ rules, test });
    },
  );
}
