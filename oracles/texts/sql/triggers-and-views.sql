CREATE VIEW IF NOT EXISTS open_orders (id, customer, age) AS
  SELECT o.order_id, c.full_name, julianday('now') - julianday(o.placed)
    FROM orders o LEFT OUTER JOIN customers c ON c.customer_id = o.customer_id
   WHERE o.status NOT IN ('shipped', 'returned');

CREATE TEMP VIEW busiest AS
  SELECT customer_id, count(*) AS n FROM orders GROUP BY customer_id HAVING count(*) > (SELECT avg(n) FROM (SELECT count(*) n FROM orders GROUP BY customer_id));

CREATE TRIGGER stamp AFTER UPDATE OF notes, status ON orders
FOR EACH ROW WHEN OLD.status <> NEW.status OR NEW.notes IS NOT OLD.notes
BEGIN
  UPDATE orders SET changed = CURRENT_TIMESTAMP WHERE order_id = NEW.order_id;
  INSERT INTO audit (what, who, old_value, new_value)
    VALUES ('orders', NEW.order_id, OLD.status, NEW.status),
           ('orders', NEW.order_id, OLD.notes, coalesce(NEW.notes, '(none)'));
END;

CREATE TRIGGER IF NOT EXISTS main.no_delete BEFORE DELETE ON customers
BEGIN
  SELECT CASE
    WHEN (SELECT count(*) FROM orders WHERE customer_id = OLD.customer_id) > 0
    THEN RAISE(ABORT, 'customer has orders')
  END;
END;

CREATE TRIGGER fill_view INSTEAD OF INSERT ON open_orders
BEGIN
  INSERT OR IGNORE INTO customers (email, full_name) VALUES (lower(NEW.customer) || '@example.org', NEW.customer);
  INSERT INTO orders (customer_id, status)
  SELECT customer_id, 'new' FROM customers WHERE full_name = NEW.customer;
  DELETE FROM busiest_cache WHERE NEW.age > 30;
  SELECT RAISE(IGNORE) WHERE NEW.id IS NULL;
END;

CREATE TEMPORARY TRIGGER log_new AFTER INSERT ON customers WHEN new.country IN ('DE', 'AT', 'CH') BEGIN
  INSERT INTO log VALUES (new.customer_id, datetime('now')) ON CONFLICT (id) DO UPDATE SET at = excluded.at, hits = hits + 1 WHERE excluded.at > at;
END;

CREATE VIRTUAL TABLE mail USING fts5(subject, body, sender UNINDEXED, tokenize = 'porter unicode61', prefix='2 3', content="", columnsize=0);
CREATE VIRTUAL TABLE IF NOT EXISTS places USING rtree(id, min_x, max_x, min_y, max_y, +label TEXT);

DROP TRIGGER IF EXISTS stamp;
DROP VIEW main.open_orders;
DROP INDEX IF EXISTS idx_lower_email;
DROP TABLE IF EXISTS temp."order details";
