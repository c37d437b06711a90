/**
 * Maximum milliseconds that a group of writes waits for more writes. A longer wait is unnecessary: if the disk is slow,
 * writes queue up during the previous commit.
 */
const MAX_GROUP_DELAY_MS = 1;
/** Milliseconds without a new write after which the wait ends, because a longer wait costs as much as a disk sync. */
const MAX_IDLE_WAIT_MS = 0.1;
/** Weight of the latest commit in the moving average of durations. */
const SMOOTHING_FACTOR = 0.2;

/**
 * Decides how long a group of writes waits for more writes before it is committed. Clients often send the next write
 * soon after a response, and one larger group costs one disk sync instead of two. The wait is at most the duration of a
 * commit. A single writer does not wait.
 */
export function createCommitDelay() {
  let expectedJobCount = 0;
  let commitDurationMs = 0;
  return {
    /**
     * Records the commit of a group.
     * @param jobs number of jobs in the group
     * @param waitingJobs number of jobs that arrived during the commit
     * @param ms duration of the commit
     */
    recordCommit(jobs: number, waitingJobs: number, ms: number) {
      expectedJobCount = jobs + waitingJobs;
      commitDurationMs += SMOOTHING_FACTOR * (ms - commitDurationMs);
    },
    /**
     * Returns whether a group should wait for more jobs.
     * @param waitingJobs number of jobs in the group
     * @param elapsedMs milliseconds since the first job could have been sent
     * @param idleMs milliseconds since the last job arrived
     */
    shouldWait: (waitingJobs: number, elapsedMs: number, idleMs: number) =>
      waitingJobs < expectedJobCount &&
      elapsedMs < Math.min(commitDurationMs, MAX_GROUP_DELAY_MS) &&
      idleMs < MAX_IDLE_WAIT_MS,
  };
}
