PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE IF NOT EXISTS "customers" (
    customer_id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    email       TEXT NOT NULL UNIQUE COLLATE NOCASE,
    full_name   VARCHAR(120) NOT NULL CHECK (length(trim(full_name)) > 0),
    country     CHAR(2) DEFAULT 'DE',
    created_at  TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
    credit      DECIMAL(10, 2) DEFAULT 0.00,
    balance     REAL NULL DEFAULT -1,
    "key"       BLOB DEFAULT (randomblob(16)),
    CHECK (email LIKE '%_@_%' AND country = upper(country))
);
INSERT INTO customers VALUES(1,'ada@example.org','Ada Lovelace','GB','1843-07-01 00:00:00',100.5,NULL,X'00ff');
INSERT INTO customers VALUES(2,'grace@example.org','Grace "Amazing" Hopper','US','1952-05-01 12:30:00',0,1e3,x'');
INSERT INTO customers VALUES(3,'o''brien@example.org','Seán O''Brien','IE','2001-02-03 04:05:06',-12.25,.5,NULL);
CREATE TABLE [order details] (
    order_id   INTEGER NOT NULL REFERENCES orders(order_id) ON DELETE CASCADE ON UPDATE NO ACTION,
    line       SMALLINT NOT NULL,
    product_id INTEGER NOT NULL,
    quantity   INT NOT NULL DEFAULT 1 CHECK (quantity BETWEEN 1 AND 1000),
    unit_price DOUBLE PRECISION,
    total      REAL GENERATED ALWAYS AS (quantity * unit_price) STORED,
    CONSTRAINT pk_details PRIMARY KEY (order_id, line),
    CONSTRAINT fk_product FOREIGN KEY (product_id) REFERENCES `products` (`id`)
        ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED
) WITHOUT ROWID;
CREATE TABLE orders(
  order_id INTEGER PRIMARY KEY,
  customer_id INT NOT NULL,
  status TEXT NOT NULL DEFAULT 'new',  -- one of new, paid, shipped
  placed DATE DEFAULT (date('now')),
  notes TEXT,
  UNIQUE (customer_id, placed) ON CONFLICT IGNORE,
  FOREIGN KEY (customer_id) REFERENCES customers ON UPDATE CASCADE,
  CHECK (status IN ('new', 'paid', 'shipped', 'returned'))
);
CREATE TABLE products (id INTEGER PRIMARY KEY, name TEXT, price REAL, tags JSON, weight UNSIGNED BIG INT);
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('customers',3);
CREATE UNIQUE INDEX idx_products_name ON products (name COLLATE NOCASE ASC, price DESC);
CREATE INDEX IF NOT EXISTS main.idx_open_orders ON orders (customer_id) WHERE status <> 'shipped' AND notes IS NOT NULL;
CREATE INDEX idx_lower_email ON customers (lower(email), substr(full_name, 1, 10));
COMMIT;
