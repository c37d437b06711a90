/** Allowed fields of a log line. They contain no personal data and no text from clients. */
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
