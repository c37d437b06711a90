/** Stores the trace of the request that caused an event. The SQL is valid in SQLite and PostgreSQL. */
export const statements: readonly string[] = ["ALTER TABLE events ADD COLUMN traceparent TEXT"];
