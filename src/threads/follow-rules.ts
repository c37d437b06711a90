import type { Log } from "../observability/log.ts";
import type { RuleTexts } from "../predictive-search/rules/rule-texts.ts";
import type { Database } from "../storage/database.ts";
import { liveRulesRevision, readLiveRules } from "../storage/searches/rule-store.ts";

/** How often it is looked whether rules were published, in milliseconds. */
const LOOK_MS = 300;

/** Follows the rules that are published in the console of any server. @param known their revision now  @returns stops it */
export function followRules(
  database: Database,
  known: number,
  onRules: (texts: RuleTexts) => void,
  log: Pick<Log, "recurring">,
): () => Promise<void> {
  let revision = known;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    if ((await liveRulesRevision(database)) === revision) return;
    const rules = await readLiveRules(database);
    revision = rules.revision;
    onRules(rules.texts);
  };
  const poll = async (): Promise<void> => {
    await look().catch((error: unknown) => {
      if (!isClosed) log.recurring({ error }, "rules for searches could not be read");
    });
    if (!isClosed) timer = setTimeout(next, LOOK_MS).unref();
  };
  const next = (): void => {
    looking = poll();
  };
  let looking = poll();
  return async () => {
    isClosed = true;
    clearTimeout(timer);
    await looking;
  };
}
