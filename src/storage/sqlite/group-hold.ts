/** Maximum milliseconds, even with slow syncs: jobs gather during a slow sync in any case. */
const MAX_HOLD_MS = 1;
/** Milliseconds without another write after which no more are expected: waiting would cost as much as a sync. */
const MAX_QUIET_MS = 0.1;
/** Weight of the latest commit in the moving average of durations. */
const WEIGHT = 0.2;

/**
 * Decides how long a group of writes waits for more before it is sent to the disk. Clients that write repeatedly do so
 * again soon after each response: one group of all of them costs one sync, and two smaller groups cost two. The wait is
 * limited to the duration of a commit, so it is never longer than waiting for another commit; a single writer does not
 * wait.
 */
export function createGroupHold() {
  let expected = 0;
  let commitMs = 0;
  return {
    /**
     * Call it when a group is on disk.
     * @param jobs number in the group
     * @param waiting number of jobs that arrived during the commit
     * @param ms duration of the commit
     */
    committed(jobs: number, waiting: number, ms: number) {
      expected = jobs + waiting;
      commitMs += WEIGHT * (ms - commitMs);
    },
    /**
     * Whether a group should wait for more jobs.
     * @param waiting number of jobs
     * @param heldMs milliseconds since the first job could have been sent
     * @param quietMs milliseconds since the last job arrived
     */
    isHeld: (waiting: number, heldMs: number, quietMs: number) =>
      waiting < expected && heldMs < Math.min(commitMs, MAX_HOLD_MS) && quietMs < MAX_QUIET_MS,
  };
}
