-- Numbers from one to a hundred
WITH RECURSIVE counter(n) AS (
  VALUES (1)
  UNION ALL
  SELECT n + 1 FROM counter WHERE n < 100
)
SELECT group_concat(n, ' ') FROM counter WHERE n % 15 = 0;

-- The chain of command, indented
WITH RECURSIVE
  under(name, level, path) AS (
    SELECT name, 0, '/' || name FROM staff WHERE boss IS NULL
    UNION
    SELECT s.name, u.level + 1, u.path || '/' || s.name
    FROM staff AS s JOIN under AS u ON s.boss = u.name
    ORDER BY 2 DESC
  )
SELECT substr('..........', 1, level * 3) || name AS tree, count(*) OVER () AS everyone
FROM under
ORDER BY path;

-- A Mandelbrot set
WITH RECURSIVE
  xaxis(x) AS (VALUES(-2.0) UNION ALL SELECT x+0.05 FROM xaxis WHERE x<1.2),
  yaxis(y) AS (VALUES(-1.0) UNION ALL SELECT y+0.1 FROM yaxis WHERE y<1.0),
  m(iter, cx, cy, x, y) AS (
    SELECT 0, x, y, 0.0, 0.0 FROM xaxis, yaxis
    UNION ALL
    SELECT iter+1, cx, cy, x*x-y*y + cx, 2.0*x*y + cy FROM m
     WHERE (x*x + y*y) < 4.0 AND iter<28
  ),
  m2(iter, cx, cy) AS (
    SELECT max(iter), cx, cy FROM m GROUP BY cx, cy
  ),
  a(t) AS (
    SELECT group_concat( substr(' .+*#', 1+min(iter/7,4), 1), '')
    FROM m2 GROUP BY cy
  )
SELECT group_concat(rtrim(t),x'0a') FROM a;

WITH old AS NOT MATERIALIZED (SELECT id FROM sessions WHERE seen < unixepoch() - 86400)
DELETE FROM sessions WHERE id IN old RETURNING id, user AS "who was it", seen;

WITH latest(sensor, at) AS (SELECT sensor, max(at) FROM readings GROUP BY sensor)
UPDATE sensors AS s
SET last_value = r.value, (unit, "precision") = (SELECT unit, digits FROM units u WHERE u.id = s.unit_id)
FROM readings AS r JOIN latest USING (sensor, at)
WHERE r.sensor = s.id AND r.value IS NOT NULL;

INSERT OR REPLACE INTO calendar (day, week, is_holiday)
WITH RECURSIVE dates(d) AS (SELECT '2024-01-01' UNION ALL SELECT date(d, '+1 day') FROM dates WHERE d < '2024-12-31')
SELECT d, strftime('%W', d), d IN (SELECT day FROM holidays WHERE country = :country) FROM dates;
