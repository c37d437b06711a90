import { type PollLoop, type PollOptions, poll } from "../runtime/poll.ts";
import { createThrottle } from "../runtime/throttle.ts";
import type { ChangeTopic, Database } from "./database.ts";

/** Default milliseconds between two polls, each of which reads one row. */
const POLL_INTERVAL_MS = 200;
/** Minimum milliseconds between two reads of changes in quick succession, because each read may rebuild an index. */
const MIN_READ_INTERVAL_MS = 200;

/** Repeats a job that reads changes of a topic: regularly, and after a commit about which the database notifies. */
export function pollChanges(
  { onChange, pollIntervalMs = POLL_INTERVAL_MS }: Pick<Database, "onChange" | "pollIntervalMs">,
  topic: ChangeTopic,
  options: Omit<PollOptions, "intervalMs">,
  task: (signal: AbortSignal) => Promise<unknown>,
): PollLoop {
  const job = poll({ ...options, intervalMs: pollIntervalMs }, task);
  // The next poll repeats a failed read.
  const wakeUps = createThrottle(MIN_READ_INTERVAL_MS, () => job.runNow().catch(() => undefined));
  onChange?.((changedTopic) => {
    if (changedTopic === topic) wakeUps.run();
  });
  return job;
}
