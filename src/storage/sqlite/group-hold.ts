/** How long a group of writes waits for more before it is handed to the disk. Who writes again and again writes once more soon after they were
 *  answered: a group of all of them costs one sync, and two groups of a few each cost two. Waiting is bounded by what a commit takes, so
 *  that nobody waits for longer than behind another's commit; who writes alone does not wait at all. */
export interface GroupHold {
  /** A group is on disk. @param jobs of it  @param waiting jobs that came meanwhile  @param ms that it took */
  committed(jobs: number, waiting: number, ms: number): void;
  /** Whether a group should wait for more. @param waiting jobs  @param heldMs since the first of them could have been handed over
   *  @param quietMs since the last of them came */
  isHeld(waiting: number, heldMs: number, quietMs: number): boolean;
}

/** Milliseconds at most, however long a sync takes: behind a slow one the waiting gather anyway. */
const MAX_HOLD_MS = 1;
/** Milliseconds without another write after which the others are elsewhere: waiting for them would cost what a sync costs. */
const MAX_QUIET_MS = 0.1;
/** What the latest commit counts in the mean of their times. */
const WEIGHT = 0.2;

export function createGroupHold(): GroupHold {
  let expected = 0;
  let commitMs = 0;
  return {
    committed(jobs, waiting, ms) {
      expected = jobs + waiting;
      commitMs += WEIGHT * (ms - commitMs);
    },
    isHeld: (waiting, heldMs, quietMs) =>
      waiting < expected && heldMs < Math.min(commitMs, MAX_HOLD_MS) && quietMs < MAX_QUIET_MS,
  };
}
