/** Context of each hook call. */
export interface HookCall {
  /** Signal that is aborted when the result is no longer needed. Pass it to `fetch`. */
  readonly signal: AbortSignal;
}
