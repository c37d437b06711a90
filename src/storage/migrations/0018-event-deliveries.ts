/** What of the outbox was told to whom. Valid in SQLite and PostgreSQL alike. */
export const statements: readonly string[] = [
  // A receiver, and the position of the last event that was put into its queue.
  "CREATE TABLE event_destinations (name TEXT PRIMARY KEY, position BIGINT NOT NULL)",

  // What a receiver has to be told yet; a row goes with the event's delivery. "due_at" is when it may be tried, while it is claimed: when
  // the claim ends. "state" is 'due', or 'dead' once it was given up.
  `CREATE TABLE event_deliveries (
    destination TEXT NOT NULL,
    position BIGINT NOT NULL,
    event_id TEXT NOT NULL,
    order_key TEXT NOT NULL,
    state TEXT NOT NULL,
    attempts BIGINT NOT NULL,
    due_at BIGINT NOT NULL,
    claim TEXT,
    failure TEXT,
    PRIMARY KEY (destination, position)
  )`,
  "CREATE INDEX event_deliveries_by_key ON event_deliveries (destination, order_key, position)",
  "CREATE INDEX event_deliveries_due ON event_deliveries (destination, due_at) WHERE state = 'due'",
  "CREATE INDEX event_deliveries_by_event ON event_deliveries (event_id)",
  "CREATE INDEX events_by_time ON events (created_at)",
];
