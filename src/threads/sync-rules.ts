import type { Log } from "../observability/log.ts";
import type { RuleTexts } from "../predictive-search/rules/rule-texts.ts";
import { type Poll, poll } from "../runtime/poll.ts";
import type { Database } from "../storage/database.ts";
import { liveRulesRevision, readLiveRules } from "../storage/search-rules.ts";

/** Milliseconds between polls. */
const POLL_INTERVAL_MS = 300;

/** Calls `onRules` when search rules are published in the console of any server.  @param currentRevision the current revision */
export function syncRules(
  database: Database,
  currentRevision: number,
  onRules: (texts: RuleTexts) => void,
  log: Pick<Log, "recurring">,
): Poll {
  let revision = currentRevision;
  return poll(
    { name: "reading search rules", intervalMs: POLL_INTERVAL_MS, log, startsImmediately: true },
    async () => {
      if ((await liveRulesRevision(database)) === revision) return;
      const rules = await readLiveRules(database);
      revision = rules.revision;
      onRules(rules.texts);
    },
  );
}
