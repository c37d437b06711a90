-- The schema of version 29, valid in SQLite and PostgreSQL. Times are milliseconds since 1970, days are days since 1970, and amounts are
-- minor units. Each statement ends at the end of a line. Later versions are in migrations/.

CREATE TABLE carts (
  id TEXT PRIMARY KEY,
  checkout_id TEXT NOT NULL UNIQUE,
  revision BIGINT NOT NULL CHECK (revision > 0),
  data TEXT NOT NULL,
  updated_at BIGINT NOT NULL,
  -- "revision:checksum". The checksum is valid only if its revision equals the revision of the row.
  checksum TEXT
);
CREATE INDEX carts_updated_at ON carts (updated_at);

-- New cart of each visitor, so that the first writes of a visitor share one cart. "token_hash" is a digest of the visitor's token.
CREATE TABLE first_carts (token_hash TEXT PRIMARY KEY, cart_id TEXT NOT NULL, claimed_at BIGINT NOT NULL);
CREATE INDEX first_carts_claimed_at ON first_carts (claimed_at);

-- Applied cart writes with an Idempotency-Key, and their responses. "scope" is the ID of the cart, or of the visitor if there was no cart.
-- "cart_id" is empty if the write created no cart. "answer" is empty if the response was deleted.
CREATE TABLE applied_writes (
  scope TEXT NOT NULL,
  write_key TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  cart_id TEXT NOT NULL,
  answer TEXT NOT NULL,
  applied_at BIGINT NOT NULL,
  PRIMARY KEY (scope, write_key)
);
CREATE INDEX applied_writes_applied_at ON applied_writes (applied_at);
CREATE INDEX applied_writes_kept ON applied_writes (scope, applied_at) WHERE answer <> '';

-- One row, which readiness checks update to test whether the database accepts writes.
CREATE TABLE write_probe (id BIGINT PRIMARY KEY CHECK (id = 1), probed_at BIGINT NOT NULL);
INSERT INTO write_probe (id, probed_at) VALUES (1, 0);

-- One row. "revision" is the published revision. Rows of a later revision belong to an import in progress. The rows contain all changes
-- after "complete_since", but records of earlier removals may have been deleted. Up to "tidied", rows that newer rows replaced are deleted.
CREATE TABLE catalog_state (
  id BIGINT PRIMARY KEY CHECK (id = 1),
  revision BIGINT NOT NULL,
  complete_since BIGINT NOT NULL,
  tidied BIGINT NOT NULL
);
INSERT INTO catalog_state (id, revision, complete_since, tidied) VALUES (1, 0, 0, 0);

-- Random token of each revision, which identifies index files. Revision numbers are not unique, because they repeat after a restore.
CREATE TABLE catalog_revisions (revision BIGINT PRIMARY KEY, token TEXT NOT NULL);

-- The catalog at a revision consists of the newest row of each kind and id up to that revision, without rows whose "deleted" is 1.
-- "position" is the catalog order and does not change while the row exists. "variant_ids" contains one id per line. The table has indexes
-- instead of a primary key, so that the first import can create them after its rows.
CREATE TABLE catalog_rows (
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  revision BIGINT NOT NULL,
  position BIGINT NOT NULL,
  deleted BIGINT NOT NULL,
  handle TEXT NOT NULL,
  variant_ids TEXT NOT NULL,
  data TEXT NOT NULL
);
CREATE UNIQUE INDEX catalog_rows_key ON catalog_rows (kind, id, revision);
CREATE INDEX catalog_rows_position ON catalog_rows (position);
CREATE INDEX catalog_rows_revision ON catalog_rows (revision, position);
CREATE INDEX catalog_rows_handle ON catalog_rows (kind, handle);
-- For counting the few deleted rows without reading all rows.
CREATE INDEX catalog_rows_deleted ON catalog_rows (kind, id) WHERE deleted = 1;

-- Products by variant. May contain variants that a product no longer has, so readers check the row of the product.
CREATE TABLE catalog_variants (variant_id TEXT NOT NULL, product_id TEXT NOT NULL);
CREATE UNIQUE INDEX catalog_variants_key ON catalog_variants (variant_id, product_id);

-- The import or export in progress. At most one row.
CREATE TABLE catalog_lease (id BIGINT PRIMARY KEY CHECK (id = 1), holder TEXT NOT NULL, expires_at BIGINT NOT NULL);

-- Stock of variants whose stock has changed since the import. Other variants have the "inventory_quantity" of the catalog. "quantity" is the
-- number of units on hand, of which checkouts reserve "held". "changed" is the number of the last change.
CREATE TABLE stock_levels (
  variant_id TEXT PRIMARY KEY,
  quantity BIGINT NOT NULL,
  held BIGINT NOT NULL DEFAULT 0,
  changed BIGINT NOT NULL
);
CREATE INDEX stock_levels_changed ON stock_levels (changed);

-- One row. Each transaction that changes stock updates this row first, so that such transactions commit in the order of their numbers.
CREATE TABLE stock_sequence (id BIGINT PRIMARY KEY CHECK (id = 1), number BIGINT NOT NULL);
INSERT INTO stock_sequence (id, number) VALUES (1, 0);

-- Stock that an import in progress will set when it is published.
CREATE TABLE stock_staged (variant_id TEXT PRIMARY KEY, quantity BIGINT NOT NULL);
-- Variants with low stock for which an event was emitted.
CREATE TABLE stock_low (variant_id TEXT PRIMARY KEY);

-- Uses of limited discounts, numbered from 1, so that only one of two checkouts gets the last use.
CREATE TABLE discount_uses (
  discount_id TEXT NOT NULL,
  number BIGINT NOT NULL,
  checkout_id TEXT NOT NULL,
  used_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (discount_id, number),
  UNIQUE (discount_id, checkout_id)
);
CREATE INDEX discount_uses_live ON discount_uses (discount_id, expires_at);
CREATE INDEX discount_uses_expires_at ON discount_uses (expires_at);

-- "content" never changes. The reservations in it are valid while "state" is 'open'.
CREATE TABLE checkouts (
  id TEXT PRIMARY KEY,
  cart_id TEXT NOT NULL,
  cart_checkout_id TEXT NOT NULL,
  revision BIGINT NOT NULL,
  state TEXT NOT NULL,
  held_until BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  content TEXT NOT NULL,
  order_id TEXT,
  -- Keyed digest of the IP network that reserves stock. Used only while "state" is "open".
  network TEXT
);
CREATE UNIQUE INDEX checkouts_open ON checkouts (cart_checkout_id) WHERE state = 'open';
CREATE INDEX checkouts_by_cart ON checkouts (cart_checkout_id, created_at);
CREATE INDEX checkouts_held ON checkouts (held_until) WHERE state = 'open';
CREATE INDEX checkouts_by_network ON checkouts (network) WHERE state = 'open';
CREATE INDEX checkouts_left ON checkouts (created_at) WHERE state IN ('new', 'lapsed', 'superseded');

-- Amounts of gift cards and store credit that orders have spent and open checkouts have reserved. The catalog contains the original amounts.
CREATE TABLE balances (
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  spent BIGINT NOT NULL,
  held BIGINT NOT NULL,
  PRIMARY KEY (kind, id)
);

-- "partial_shipments" and "refunds" contain JSON lists; null means an empty list. "shipment" contains the shipment that completes the order,
-- as JSON. "search_text" contains email address and name of the customer, without case and accents. "counted" is 0 if an order was not counted
-- yet, 1 if it counts as sales of its products, and 2 if it no longer counts.
CREATE TABLE orders (
  id TEXT PRIMARY KEY,
  number BIGINT NOT NULL UNIQUE,
  checkout_id TEXT NOT NULL UNIQUE,
  customer_id TEXT,
  state TEXT NOT NULL,
  payment TEXT NOT NULL,
  reference TEXT,
  content TEXT NOT NULL,
  notes TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL DEFAULT 0,
  cancelled_at BIGINT,
  shipment TEXT,
  counted BIGINT NOT NULL DEFAULT 0,
  partial_shipments TEXT,
  refunds TEXT,
  revision BIGINT NOT NULL DEFAULT 1,
  search_text TEXT
);
CREATE INDEX orders_by_customer ON orders (customer_id, number);
CREATE INDEX orders_by_change ON orders (updated_at, number);
CREATE INDEX orders_by_search_text ON orders (search_text, number);
CREATE INDEX orders_to_count ON orders (created_at) WHERE counted = 0 AND payment = 'paid' AND state <> 'cancelled';
CREATE INDEX orders_to_discount ON orders (created_at) WHERE counted = 1 AND state = 'cancelled';

-- Changes of orders. "operation" is the name of the operation in the HTTP API, and "details" contains its fields as JSON. "source" is "api",
-- "console", "command_line", or "payment".
CREATE TABLE order_log (
  id TEXT PRIMARY KEY,
  order_id TEXT NOT NULL,
  at BIGINT NOT NULL,
  source TEXT NOT NULL,
  token_id TEXT,
  token_name TEXT,
  operation TEXT NOT NULL,
  details TEXT NOT NULL
);
CREATE INDEX order_log_by_order ON order_log (order_id, at);

-- Last number of each series of invoices. A transaction that issues a document locks the row until its commit, so that numbers have no gaps.
CREATE TABLE invoice_series (prefix TEXT PRIMARY KEY, last BIGINT NOT NULL);

-- Rows are never changed or deleted. "kind" is "invoice" or "credit_note". "document" contains all data of the document except its number, as
-- JSON.
CREATE TABLE invoices (
  number TEXT PRIMARY KEY,
  order_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  issued_at BIGINT NOT NULL,
  document TEXT NOT NULL
);
CREATE INDEX invoices_by_order ON invoices (order_id, issued_at);
CREATE UNIQUE INDEX invoice_of_order ON invoices (order_id) WHERE kind = 'invoice';

-- Payments that a provider reported, each once. "order_id" is null if the payment has no order. "refund" is the reason for a refund.
CREATE TABLE payments (
  reference TEXT PRIMARY KEY,
  checkout_id TEXT NOT NULL,
  order_id TEXT,
  amount BIGINT NOT NULL,
  currency TEXT NOT NULL,
  refund TEXT,
  received_at BIGINT NOT NULL,
  -- Time when the merchant recorded the refund.
  refunded_at BIGINT
);
CREATE INDEX payments_by_order ON payments (order_id);
CREATE INDEX payments_refund ON payments (received_at) WHERE refund IS NOT NULL;

-- Outbox. Each event is written in the transaction that it reports. Positions are committed in order.
CREATE TABLE events (
  id TEXT PRIMARY KEY,
  position BIGINT NOT NULL UNIQUE,
  type TEXT NOT NULL,
  order_key TEXT NOT NULL,
  payload TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  -- Trace of the request that caused the event.
  traceparent TEXT
);
CREATE INDEX events_by_time ON events (created_at);

-- Receivers of events, each with the position of the last event that was added to its queue.
CREATE TABLE event_destinations (name TEXT PRIMARY KEY, position BIGINT NOT NULL);

-- Pending deliveries. A row is deleted after its delivery. "due_at" is the time of the next attempt, or the end of the claim if a server has
-- claimed the row. "state" is 'due', or 'dead' after the last attempt has failed.
CREATE TABLE event_deliveries (
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
);
CREATE INDEX event_deliveries_by_key ON event_deliveries (destination, order_key, position);
CREATE INDEX event_deliveries_due ON event_deliveries (destination, due_at) WHERE state = 'due';
CREATE INDEX event_deliveries_by_event ON event_deliveries (event_id);

-- Messages, comments, and newsletter subscriptions that shoppers sent with forms.
CREATE TABLE contacts (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  email TEXT NOT NULL,
  locale TEXT NOT NULL,
  page TEXT NOT NULL,
  fields TEXT NOT NULL,
  sent_at BIGINT NOT NULL,
  approved_at BIGINT,
  -- Path of the article on whose page an approved comment is shown.
  shown_on TEXT
);
CREATE INDEX contacts_by_time ON contacts (sent_at, id);
CREATE INDEX comments_by_article ON contacts (shown_on, sent_at, id);

-- API tokens. "hash" is the SHA-256 of the token in hexadecimal, and "id" is its first twelve digits. "scopes" are separated by spaces.
-- Revoked tokens are not deleted.
CREATE TABLE api_tokens (
  id TEXT PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  scopes TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT,
  revoked_at BIGINT
);

-- Counts of searches, clicks and sales. Day 0 contains the total of all days, in which older days weigh less (src/signals/decay.ts). "term" is
-- empty for sales. "product" is set only for clicks and sales. "networks" contains 48 bits, and each IP network sets one of them.
CREATE TABLE signal_counts (
  kind TEXT NOT NULL,
  locale TEXT NOT NULL,
  term TEXT NOT NULL,
  product TEXT NOT NULL,
  day BIGINT NOT NULL,
  networks BIGINT NOT NULL,
  weight DOUBLE PRECISION NOT NULL,
  PRIMARY KEY (kind, locale, term, product, day)
);
CREATE INDEX signal_counts_by_day ON signal_counts (kind, day, weight);
-- Signals that were counted on a day, so that each IP network counts once. "visitor" is a digest of the signal and the network with a daily
-- salt.
CREATE TABLE signal_visits (day BIGINT NOT NULL, visitor TEXT NOT NULL, PRIMARY KEY (day, visitor));
CREATE TABLE signal_salts (day BIGINT PRIMARY KEY, salt TEXT NOT NULL);

-- Search rules of the console. "state" is 'live' (published) or 'draft'. "content" has the format of a file in search/.
CREATE TABLE console_rules (
  state TEXT NOT NULL,
  name TEXT NOT NULL,
  content TEXT NOT NULL,
  PRIMARY KEY (state, name)
);

-- Last value of each counter. The counters of the console's rules increase with each change. Servers lock the row "signals" while they add
-- daily counts to totals, or count orders.
CREATE TABLE sequences (name TEXT PRIMARY KEY, last BIGINT NOT NULL);
INSERT INTO sequences (name, last) VALUES
  ('orders', 1000), ('events', 0), ('console_rules_live', 0), ('console_rules_draft', 0), ('signals', 0);
