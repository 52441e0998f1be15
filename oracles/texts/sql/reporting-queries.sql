/* Monthly report.
 * Run against the warehouse copy, never against production.
 */

-- Revenue a month, with the share of the year
SELECT
    strftime('%Y-%m', o.placed)                     AS month,
    count(*)                                        AS orders,
    count(DISTINCT o.customer_id)                   AS customers,
    round(sum(d.quantity * d.unit_price), 2)        AS revenue,
    round(100.0 * sum(d.quantity * d.unit_price)
          / sum(sum(d.quantity * d.unit_price)) OVER (PARTITION BY strftime('%Y', o.placed)), 1) || ' %' AS share
FROM orders AS o
INNER JOIN "order details" d ON d.order_id = o.order_id
LEFT JOIN customers c USING (customer_id)
WHERE o.status IN ('paid', 'shipped')
  AND o.placed >= date('now', 'start of year', '-1 year')
  AND NOT (c.country IS NULL OR c.country = 'XX')
GROUP BY 1
HAVING sum(d.quantity) > 10 AND count(*) >= 2
ORDER BY month DESC, revenue DESC NULLS LAST
LIMIT 24;

-- Best customer of each country
WITH totals AS (
    SELECT c.country, c.customer_id, c.full_name, total(d.total) AS spent
    FROM customers c
    JOIN orders o ON o.customer_id = c.customer_id
    JOIN "order details" d ON d.order_id = o.order_id
    GROUP BY c.customer_id
), ranked(country, who, spent, rank) AS MATERIALIZED (
    SELECT country, full_name, spent,
           row_number() OVER (PARTITION BY country ORDER BY spent DESC, full_name)
    FROM totals
)
SELECT country, who, printf('%.2f', spent) spent
FROM ranked
WHERE rank = 1
ORDER BY 1;

-- Running totals and moving averages
SELECT placed,
       sum(amount) OVER w AS running,
       avg(amount) OVER (ORDER BY placed ROWS BETWEEN 6 PRECEDING AND CURRENT ROW) AS week,
       amount - lag(amount, 1, 0) OVER w AS change,
       first_value(amount) FILTER (WHERE amount > 0) OVER (w RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING EXCLUDE NO OTHERS) AS opening,
       ntile(4) OVER (ORDER BY amount) quartile
FROM (SELECT placed, sum(total) AS amount FROM orders NATURAL JOIN "order details" GROUP BY placed)
WINDOW w AS (ORDER BY placed);

SELECT name, CASE WHEN price IS NULL THEN 'unknown'
                  WHEN price < 10 THEN 'cheap'
                  WHEN price BETWEEN 10 AND 99.99 THEN 'fair'
                  ELSE 'dear' END AS class,
       (SELECT max(placed) FROM orders o, "order details" d WHERE d.order_id = o.order_id AND d.product_id = p.id) AS last_sold,
       EXISTS (SELECT 1 FROM json_each(p.tags) AS j WHERE j.value = 'new') AS is_new,
       coalesce(json_extract(tags, '$.colour'), tags ->> '$.color', 'none')
FROM products AS p
WHERE name NOT LIKE '\_%' ESCAPE '\'
  AND (price, weight) > (1, 2)
  AND id NOT IN (SELECT product_id FROM "order details" WHERE quantity > 5 UNION SELECT -1)
UNION ALL
SELECT 'total', count(*), NULL, 0, group_concat(DISTINCT name) FROM products
ORDER BY 2, name COLLATE NOCASE
LIMIT 10 OFFSET 20;

select group_concat(name, ', ' order by name desc), min(price), max(price), avg(price) filter (where price > 0)
from products where price is not distinct from 3 or (weight & 0xFF) << 2 != ~weight % 7;

EXPLAIN QUERY PLAN SELECT * FROM orders INDEXED BY idx_open_orders WHERE customer_id = ?1;
VALUES (1, 'one'), (2, 'two'), (3, upper('three'));
