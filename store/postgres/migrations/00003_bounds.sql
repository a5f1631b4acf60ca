-- +goose Up

-- On which side of a score the true one lies: 1 if it is greater, -1 if it is less, 0 if the score is exact. Bounds on further outcomes
-- are texts in their JSON object, such as ">4.5".
ALTER TABLE changes ADD COLUMN bound bigint NOT NULL DEFAULT 0;
ALTER TABLE answers ADD COLUMN bound bigint NOT NULL DEFAULT 0;

DROP VIEW trials;
CREATE VIEW trials AS
SELECT s.name AS study, p.trial, p.name, c.state, CASE c.bound WHEN 1 THEN '>' WHEN -1 THEN '<' ELSE '' END AS score_bound, c.score, p.mean, p.sd, c.variance, p.batch, p.kind, p.x, coalesce(p.input, p.x) AS input, c.reason,
	coalesce(c.called, false) AS called, coalesce(c.measurements, 0) AS measurements, p.model,
	(SELECT e.at FROM proposals q JOIN changes d ON d.study = q.study AND d.proposal = q.id JOIN events e ON e.study = d.study AND e.id = d.event
		WHERE q.study = p.study AND q.trial = p.trial AND d.state = 'pending' ORDER BY d.id DESC LIMIT 1) AS proposed,
	CASE c.state WHEN 'pending' THEN NULL ELSE e.at END AS answered
FROM proposals p
	JOIN studies s ON s.id = p.study
	JOIN changes c ON c.study = p.study AND c.id = (SELECT max(id) FROM changes WHERE study = p.study AND proposal = p.id)
	JOIN events e ON e.study = c.study AND e.id = c.event
WHERE p.id = (SELECT max(id) FROM proposals WHERE study = p.study AND trial = p.trial);

DROP VIEW measurements;
CREATE VIEW measurements AS
SELECT s.name AS study, trial, m.id AS measurement, CASE bound WHEN 1 THEN '>' WHEN -1 THEN '<' ELSE '' END AS score_bound, score, se, reason, others, at
FROM (
	SELECT p.study, p.trial, a.position, a.id, a.bound, a.score, a.se, a.reason, a.others, e.at,
		row_number() OVER (PARTITION BY p.study, p.trial, a.position ORDER BY a.change DESC) AS age,
		(SELECT d.measurements FROM proposals q JOIN changes d ON d.study = q.study AND d.proposal = q.id
			WHERE q.study = p.study AND q.trial = p.trial ORDER BY d.id DESC LIMIT 1) AS count
	FROM answers a
		JOIN changes c ON c.study = a.study AND c.id = a.change
		JOIN proposals p ON p.study = c.study AND p.id = c.proposal
		JOIN events e ON e.study = c.study AND e.id = c.event
) m JOIN studies s ON s.id = m.study
WHERE age = 1 AND position <= count;
