/** Context of each hook call. */
export interface HookCall {
  /** Signal that is aborted when the result is no longer needed. Pass it to `fetch`. */
  readonly signal: AbortSignal;
  /** Header `traceparent` of the customer's request, if it is valid. Send it to other systems that record traces. */
  readonly traceparent?: string;
}
