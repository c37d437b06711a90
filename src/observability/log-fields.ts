/** The allowed fields of a log line: nothing personal, and nothing written by a client. */
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
