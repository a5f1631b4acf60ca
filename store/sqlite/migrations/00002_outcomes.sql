-- +goose Up

-- Further outcomes of a measurement by name, a JSON object of numbers; NULL: there are none.
ALTER TABLE answers ADD COLUMN others TEXT;

DROP VIEW measurements;
CREATE VIEW measurements AS
SELECT trial, id AS measurement, score, se, reason, others, at
FROM (
	SELECT p.trial, a.*, e.at,
		row_number() OVER (PARTITION BY p.trial, a.position ORDER BY a.change DESC) AS age,
		(SELECT d.measurements FROM proposals q JOIN changes d ON d.proposal = q.id
			WHERE q.trial = p.trial ORDER BY d.id DESC LIMIT 1) AS count
	FROM answers a
		JOIN changes c ON c.id = a.change
		JOIN proposals p ON p.id = c.proposal
		JOIN events e ON e.id = c.event
)
WHERE age = 1 AND position <= count;
