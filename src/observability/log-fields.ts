/** The fields a log line may have: nothing personal, nothing a client wrote. */
export interface LogFields {
  readonly route?: string;
  readonly method?: string;
  readonly status?: number;
  readonly code?: string;
  readonly durationMs?: number;
  readonly requestId?: string;
  readonly revision?: number;
  readonly count?: number;
  readonly error?: unknown;
}
