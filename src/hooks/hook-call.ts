/** Context of each hook call. */
export interface HookCall {
  /** Aborted when the result is no longer needed: pass it to `fetch`. */
  readonly signal: AbortSignal;
}
