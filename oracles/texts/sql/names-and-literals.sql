-- Keywords as names, all quotes, all literals, no final semicolon or line end
CREATE TABLE "select" (action, [order by] TEXT, `group` INT, "say ""hi""" BLOB, key, desc, "from" NUMERIC(+10, -2), ümlaut, 名前 TEXT, a$b, _x1);
SELECT action, [order by], `group`, "say ""hi""", key k, desc AS desc, "from" 'into', t."select", match, "offset" offset
FROM "select" AS t, temp.replace AS "AS", main . `begin` `end`
WHERE key = 'it''s' AND desc IS TRUE AND 名前 = '日本語' AND action = "text?" AND plan NOT NULL AND query NOTNULL;
SELECT 1, -1, +1, - -1, 0, 007, 1., .5, 1.5, 1e10, 1.5E-3, .5e+2, 9223372036854775808, 0xFF, 0XabCDef, 1_000_000, 1_0.0_1e1_0,
       NULL, TRUE, False, x'53514C', X'', '', '''', '
', CURRENT_DATE, current_time, CURRENT_TIMESTAMP;
SELECT ?, ?1, ?999, :name, @name, $name, $ns::name(index), :größe, @1, $a::b::c;
SELECT a||b||c, a->'$.x'->>'$[0]', a*b/c%d, a+b-c, a&b|c<<1>>2, a<b, a<=b, a>b, a>=b, a=b, a==b, a<>b, a!=b,
       a IS b, a IS NOT b, a IS NOT DISTINCT FROM b, a IN (), a IN (1), a NOT IN (1, 2), a IN b, a IN main.b, a IN generate_series(1, 3),
       a LIKE b, a NOT GLOB b, a REGEXP b, a MATCH b, a BETWEEN b AND c AND d, a NOT BETWEEN b+1 AND c-1 OR d,
       NOT a, NOT NOT a, ~a, -a, a COLLATE binary, a ISNULL, 1+NOT 2, -NOT a, (a), ((a)), (SELECT 1), (VALUES (1)),
       CAST(a AS VARCHAR(10)), CAST(a AS "my type"), CASE a WHEN 1 THEN 2 END, EXISTS (SELECT 1), NOT EXISTS (VALUES (1)),
       count(*), count(ALL a), sum(DISTINCT a), max(a, b, c), like('%a', b), glob('a*', b), replace(a, b, c), if(a, b, c),
       "abs"(a), [max](a), left(a, 1), my_function(), other.function
FROM a CROSS JOIN b NATURAL LEFT OUTER JOIN c FULL OUTER JOIN d ON a.x = d.x RIGHT JOIN e USING (x, y), (f JOIN g ON TRUE), (SELECT * FROM h) AS i, j(1, 'x') AS k, (l, m)
GROUP BY a, b + 1, (c), length(a) HAVING max(a) > 1 OR b;
SELECT DISTINCT a.*, b . *, * FROM a, b WHERE (a, b) IN (SELECT c, d FROM e) AND (a, b, c) = (1, 2, 3)
INTERSECT SELECT ALL 1 UNION VALUES (3), (4) EXCEPT SELECT 2 ORDER BY 1 ASC NULLS FIRST LIMIT -1, (SELECT 5);;
;
SELECT rowid, oid, _rowid_, t.rowid FROM t /* a comment ** that / ends */ -- and one that does not
