-- The schema of version 23, valid in SQLite and PostgreSQL. Times are milliseconds since 1970, days are days since 1970, and amounts are
-- minor units. Each statement ends at the end of a line. Later versions are in migrations/.

CREATE TABLE carts (
  id TEXT PRIMARY KEY,
  checkout_id TEXT NOT NULL UNIQUE,
  revision BIGINT NOT NULL CHECK (revision > 0),
  data TEXT NOT NULL,
  updated_at BIGINT NOT NULL,
  -- "revision:checksum"; it counts only for the revision of the row.
  checksum TEXT
);
CREATE INDEX carts_updated_at ON carts (updated_at);

-- The cart that the first writes with one token share.
CREATE TABLE first_carts (token_hash TEXT PRIMARY KEY, cart_id TEXT NOT NULL, claimed_at BIGINT NOT NULL);
CREATE INDEX first_carts_claimed_at ON first_carts (claimed_at);

-- Applied writes with an Idempotency-Key, with their responses. "scope" is the cart, or the visitor who had none. "cart_id" is empty if the
-- write created no cart; "answer" is empty if it is no longer stored.
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

-- One row, which readiness checks write.
CREATE TABLE write_probe (id BIGINT PRIMARY KEY CHECK (id = 1), probed_at BIGINT NOT NULL);
INSERT INTO write_probe (id, probed_at) VALUES (1, 0);

-- One row. Shoppers see "revision"; rows of a later revision belong to an import in progress. Rows removed up to "complete_since" left no
-- trace: changes can be computed from the rows only since then. Rows are cleaned up to "tidied".
CREATE TABLE catalog_state (
  id BIGINT PRIMARY KEY CHECK (id = 1),
  revision BIGINT NOT NULL,
  complete_since BIGINT NOT NULL,
  tidied BIGINT NOT NULL
);
INSERT INTO catalog_state (id, revision, complete_since, tidied) VALUES (1, 0, 0, 0);

-- After a backup was restored, the number of a revision occurs again; its token does not. Index files are identified by the token.
CREATE TABLE catalog_revisions (revision BIGINT PRIMARY KEY, token TEXT NOT NULL);

-- The catalog at a revision has the newest row of each kind and id up to that revision, unless that row is deleted. "position" is the static
-- order; it stays the same as long as the row exists. "variant_ids" has one id per line. Keys are separate indexes, so that the first import
-- can create them after its rows.
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
-- Deleted rows are few: counting them must not read all rows.
CREATE INDEX catalog_rows_deleted ON catalog_rows (kind, id) WHERE deleted = 1;

-- Products that have had a variant. Not all of them have it now: readers check the row of the product.
CREATE TABLE catalog_variants (variant_id TEXT NOT NULL, product_id TEXT NOT NULL);
CREATE UNIQUE INDEX catalog_variants_key ON catalog_variants (variant_id, product_id);

-- At most one row: the import in progress.
CREATE TABLE catalog_lease (id BIGINT PRIMARY KEY CHECK (id = 1), holder TEXT NOT NULL, expires_at BIGINT NOT NULL);

-- Stock of variants that changed since the catalog set it; for others, "inventory_quantity" of the catalog counts. "quantity" is on hand, and
-- checkouts reserve "held" of it. "changed" is the number of the change.
CREATE TABLE stock_levels (
  variant_id TEXT PRIMARY KEY,
  quantity BIGINT NOT NULL,
  held BIGINT NOT NULL DEFAULT 0,
  changed BIGINT NOT NULL
);
CREATE INDEX stock_levels_changed ON stock_levels (changed);

-- One row. A change of stock updates it first and so waits for the changes before it: numbers are committed in order.
CREATE TABLE stock_sequence (id BIGINT PRIMARY KEY CHECK (id = 1), number BIGINT NOT NULL);
INSERT INTO stock_sequence (id, number) VALUES (1, 0);

-- Stock that an import in progress sets when it is published.
CREATE TABLE stock_staged (variant_id TEXT PRIMARY KEY, quantity BIGINT NOT NULL);
-- Variants for which an event of low stock was added, as long as their stock is low.
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

-- "content" never changes; its reservations are in force while "state" is 'open'.
CREATE TABLE checkouts (
  id TEXT PRIMARY KEY,
  cart_id TEXT NOT NULL,
  cart_checkout_id TEXT NOT NULL,
  revision BIGINT NOT NULL,
  state TEXT NOT NULL,
  held_until BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  content TEXT NOT NULL,
  order_id TEXT
);
CREATE UNIQUE INDEX checkouts_open ON checkouts (cart_checkout_id) WHERE state = 'open';
CREATE INDEX checkouts_by_cart ON checkouts (cart_checkout_id, created_at);
CREATE INDEX checkouts_held ON checkouts (held_until) WHERE state = 'open';
CREATE INDEX checkouts_left ON checkouts (created_at) WHERE state IN ('new', 'lapsed', 'superseded');

-- Amounts that orders spent of gift cards and store credit, and that open checkouts reserve. The catalog has the amounts that were loaded.
CREATE TABLE balances (
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  spent BIGINT NOT NULL,
  held BIGINT NOT NULL,
  PRIMARY KEY (kind, id)
);

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
  -- JSON; null: not shipped.
  shipment TEXT
);
CREATE INDEX orders_by_customer ON orders (customer_id, number);
CREATE INDEX orders_by_change ON orders (updated_at, number);

-- Each payment of which a provider notified the shop, once. "order_id" is null if it has no order; "refund" then has the reason for a refund.
CREATE TABLE payments (
  reference TEXT PRIMARY KEY,
  checkout_id TEXT NOT NULL,
  order_id TEXT,
  amount BIGINT NOT NULL,
  currency TEXT NOT NULL,
  refund TEXT,
  received_at BIGINT NOT NULL
);
CREATE INDEX payments_refund ON payments (received_at) WHERE refund IS NOT NULL;

-- The outbox: an event is written in the transaction that causes it. Positions are committed in order.
CREATE TABLE events (
  id TEXT PRIMARY KEY,
  position BIGINT NOT NULL UNIQUE,
  type TEXT NOT NULL,
  order_key TEXT NOT NULL,
  payload TEXT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX events_by_time ON events (created_at);

-- A receiver, and the position of the last event in its queue.
CREATE TABLE event_destinations (name TEXT PRIMARY KEY, position BIGINT NOT NULL);

-- Events to deliver; a row is deleted with its delivery. "due_at" is the time of the next try or, of a claimed row, the end of the claim.
-- "state" is 'due' or, once the server stops trying, 'dead'.
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

-- Messages, comments and newsletter addresses that shoppers sent by forms.
CREATE TABLE contacts (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  email TEXT NOT NULL,
  locale TEXT NOT NULL,
  page TEXT NOT NULL,
  fields TEXT NOT NULL,
  sent_at BIGINT NOT NULL,
  approved_at BIGINT,
  -- The article whose page shows the comment.
  shown_on TEXT
);
CREATE INDEX contacts_by_time ON contacts (sent_at, id);
CREATE INDEX comments_by_article ON contacts (shown_on, sent_at, id);

-- Tokens of the merchant's other systems. "hash" is the SHA-256 of the token in hex, and "id" its first twelve digits; spaces separate
-- "scopes". Revoked tokens stay in the list.
CREATE TABLE api_tokens (
  id TEXT PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  scopes TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT,
  revoked_at BIGINT
);

-- Searches are counted by network and day. "visitor" is a digest salted by the day. "networks" has one of 48 bits for each network.
CREATE TABLE search_salts (day BIGINT PRIMARY KEY, salt TEXT NOT NULL);
CREATE TABLE search_visits (
  day BIGINT NOT NULL,
  locale TEXT NOT NULL,
  term TEXT NOT NULL,
  visitor TEXT NOT NULL,
  PRIMARY KEY (day, locale, term, visitor)
);
-- "settled_" columns have the values of the beginning of "last_day".
CREATE TABLE search_terms (
  locale TEXT NOT NULL,
  term TEXT NOT NULL,
  visitors BIGINT NOT NULL,
  last_day BIGINT NOT NULL,
  networks BIGINT NOT NULL DEFAULT 0,
  settled_visitors BIGINT NOT NULL DEFAULT 0,
  settled_networks BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (locale, term)
);

-- Products that shoppers chose after a search. "weight" is in units of a choice on the landmark day (choice-store.ts).
CREATE TABLE search_choices (
  locale TEXT NOT NULL,
  term TEXT NOT NULL,
  product TEXT NOT NULL,
  visitors BIGINT NOT NULL,
  networks BIGINT NOT NULL,
  weight DOUBLE PRECISION NOT NULL,
  settled_networks BIGINT NOT NULL DEFAULT 0,
  settled_weight DOUBLE PRECISION NOT NULL DEFAULT 0,
  last_day BIGINT NOT NULL,
  PRIMARY KEY (locale, term, product)
);
CREATE INDEX search_choices_by_day ON search_choices (last_day);
-- Few of many rows, which are read every minute.
CREATE INDEX search_choices_by_many ON search_choices (last_day) WHERE visitors >= 20;
CREATE TABLE search_choice_visits (
  day BIGINT NOT NULL,
  locale TEXT NOT NULL,
  term TEXT NOT NULL,
  product TEXT NOT NULL,
  step TEXT NOT NULL,
  visitor TEXT NOT NULL,
  PRIMARY KEY (day, locale, term, product, step, visitor)
);

-- "visitors" is the number of networks that searched for the term on the day; the other counts are those of them that found nothing, chose a
-- product, or added one to the cart.
CREATE TABLE search_days (
  day BIGINT NOT NULL,
  locale TEXT NOT NULL,
  term TEXT NOT NULL,
  visitors BIGINT NOT NULL,
  not_found BIGINT NOT NULL,
  chosen BIGINT NOT NULL,
  added BIGINT NOT NULL,
  networks BIGINT NOT NULL,
  PRIMARY KEY (day, locale, term)
);
CREATE TABLE search_day_visits (
  day BIGINT NOT NULL,
  locale TEXT NOT NULL,
  term TEXT NOT NULL,
  outcome TEXT NOT NULL,
  visitor TEXT NOT NULL,
  PRIMARY KEY (day, locale, term, outcome, visitor)
);

-- Search rules of the console: published ("live") and in progress ("draft"). "content" is in the format of a file of search/.
CREATE TABLE console_rules (
  state TEXT NOT NULL,
  name TEXT NOT NULL,
  content TEXT NOT NULL,
  PRIMARY KEY (state, name)
);

-- Purchases for the popularity of products. "buyer" is a keyed digest; "weight" is that of an order of this day.
CREATE TABLE purchases (
  product TEXT NOT NULL,
  buyer TEXT NOT NULL,
  day BIGINT NOT NULL,
  weight DOUBLE PRECISION NOT NULL,
  PRIMARY KEY (product, buyer, day)
);
CREATE INDEX purchases_by_day ON purchases (day);

-- Counters. Those of the console's rules increase with each change; that of purchases is the time up to which changes of orders are counted.
CREATE TABLE sequences (name TEXT PRIMARY KEY, last BIGINT NOT NULL);
INSERT INTO sequences (name, last) VALUES
  ('orders', 1000), ('events', 0), ('console_rules_live', 0), ('console_rules_draft', 0), ('purchases', 0);
