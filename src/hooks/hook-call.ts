/** What each hook is given beside its subject. */
export interface HookCall {
  /** Aborted once nobody waits for the answer any more: hand it to `fetch`. */
  readonly signal: AbortSignal;
}
