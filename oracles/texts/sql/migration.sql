-- 0042_split_name.sql
PRAGMA foreign_keys = OFF;
PRAGMA main.user_version;
PRAGMA journal_mode=WAL;
PRAGMA synchronous = NORMAL;
PRAGMA table_xinfo('customers');
PRAGMA encoding = "UTF-8";
PRAGMA wal_checkpoint(TRUNCATE);
PRAGMA cache_size = -64000;

BEGIN IMMEDIATE;
SAVEPOINT before_split;

ALTER TABLE customers ADD COLUMN first_name TEXT NOT NULL DEFAULT '';
ALTER TABLE customers ADD last_name TEXT COLLATE NOCASE;
ALTER TABLE customers ADD COLUMN initials TEXT AS (substr(first_name, 1, 1) || substr(last_name, 1, 1)) VIRTUAL;
ALTER TABLE customers ADD COLUMN referrer INTEGER REFERENCES customers(customer_id) ON DELETE SET NULL;
ALTER TABLE main.customers RENAME COLUMN full_name TO display_name;
ALTER TABLE customers RENAME email TO mail_address;
ALTER TABLE customers DROP COLUMN credit;
ALTER TABLE "order details" RENAME TO order_lines;

UPDATE customers
   SET first_name = trim(substr(display_name, 1, instr(display_name, ' '))),
       last_name  = trim(substr(display_name, instr(display_name, ' ') + 1))
 WHERE display_name LIKE '% %';

UPDATE OR IGNORE customers NOT INDEXED SET referrer = NULL WHERE referrer = customer_id;
INSERT INTO schema_history (version, name, run_at, ok) VALUES (42, 'split name', strftime('%s', 'now'), TRUE)
  ON CONFLICT (version) WHERE ok DO NOTHING
  ON CONFLICT DO UPDATE SET run_at = excluded.run_at, ok = (SELECT count(*) = 0 FROM pragma_foreign_key_check());
REPLACE INTO settings (name, value) VALUES ('schema', '42'), ('updated', CURRENT_DATE);
INSERT INTO defaults DEFAULT VALUES;
INSERT INTO archive SELECT * FROM orders WHERE placed < '2020-01-01' RETURNING rowid;
DELETE FROM orders AS o WHERE o.placed < '2020-01-01' AND NOT EXISTS (SELECT * FROM archive a WHERE a.order_id = o.order_id AND a.rowid > 0);

RELEASE SAVEPOINT before_split;
ROLLBACK TO SAVEPOINT before_split;
RELEASE before_split;
COMMIT TRANSACTION;

ATTACH DATABASE 'archive-' || strftime('%Y') || '.db' AS archive;
ATTACH ? AS scratch;
CREATE TABLE orders_2019 AS SELECT * FROM main.orders WHERE strftime('%Y', placed) = '2019';
DETACH DATABASE archive;
REINDEX main.t_tag;
REINDEX NOCASE;
ANALYZE;
ANALYZE main.orders;
VACUUM main INTO '/var/backups/shop.db';
VACUUM;
PRAGMA optimize(0x10002);
PRAGMA integrity_check(10);
END
