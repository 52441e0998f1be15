select u.id,u.login,p.title from users u,posts p where u.id=p.author_id and p.published=1 order by p.created_at desc limit ?,?;
SELECT COUNT(1) FROM sqlite_master WHERE type='table' AND name=?;
INSERT INTO tags(name)VALUES(?1),(?2),(?3)ON CONFLICT(name)DO UPDATE SET uses=uses+1 RETURNING id;
update posts set body=:body,updated_at=datetime('now'),version=version+1 where id=:id and version=:version;
delete from sessions where expires<strftime('%s','now')or user_id not in(select id from users);
SELECT*FROM kv WHERE k IN(SELECT value FROM json_each(?))AND(ttl IS NULL OR ttl>unixepoch('now'));
SELECT p.id, snippet(posts_fts, 1, '<b>', '</b>', '...', 12) AS excerpt, bm25(posts_fts, 10.0, 1.0) AS score
  FROM posts_fts JOIN posts p ON p.id = posts_fts.rowid
 WHERE posts_fts MATCH ?1 || '*' ORDER BY score LIMIT 20 OFFSET ?2 * 20;
INSERT INTO events SELECT NULL, json_object('kind', @kind, 'at', unixepoch('subsec')), last_insert_rowid();
SELECT iif(total > 0, 100 * done / total, 0) AS percent, total - done AS "left" FROM (
  SELECT sum(CASE WHEN finished THEN 1 ELSE 0 END) AS done, count(*) AS total FROM jobs WHERE queue = $queue
);
