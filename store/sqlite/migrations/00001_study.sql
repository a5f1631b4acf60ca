-- +goose Up

-- A newer program's file must still say which program wrote it: the table study and its column program stay.
CREATE TABLE study (
	id            INTEGER PRIMARY KEY CHECK (id = 1),
	specification TEXT NOT NULL, -- JSON
	program       TEXT NOT NULL, -- version of the program that created the file, or migrated it last
	created       TEXT NOT NULL
);

CREATE TABLE events (
	id       INTEGER PRIMARY KEY, -- 1, 2, 3, … without a gap
	at       TEXT NOT NULL,
	asked    INTEGER NOT NULL,
	taken    INTEGER NOT NULL,
	observed INTEGER NOT NULL
);

-- A row for each string that was proposed or told, and another one if the proposal of a trial changed since.
CREATE TABLE proposals (
	id     INTEGER PRIMARY KEY,
	trial  INTEGER NOT NULL,
	name   TEXT NOT NULL, -- the user's
	x      TEXT NOT NULL,
	input  TEXT, -- NULL: x
	kind   TEXT NOT NULL,
	batch  INTEGER NOT NULL,
	mean,
	sd,
	latent BLOB, -- float64, little-endian
	model  INTEGER NOT NULL
);
CREATE INDEX proposals_by_trial ON proposals (trial);

-- A row for each trial of an event: what held from then on. Of a proposal that waits for its first answer, all columns after
-- its state are NULL.
CREATE TABLE changes (
	id           INTEGER PRIMARY KEY,
	event        INTEGER NOT NULL REFERENCES events,
	proposal     INTEGER NOT NULL REFERENCES proposals,
	state        TEXT NOT NULL,
	score,
	value,
	variance,
	reason       TEXT,
	called       INTEGER,
	revised      INTEGER,
	measurements INTEGER -- how many the trial has
);
CREATE INDEX changes_by_proposal ON changes (proposal);

-- A row for each measurement that a change added or corrected; the others stay as they were.
CREATE TABLE answers (
	change   INTEGER NOT NULL REFERENCES changes,
	position INTEGER NOT NULL, -- among the trial's measurements, from 1
	id       INTEGER NOT NULL,
	score,
	se,
	reason   TEXT NOT NULL,
	PRIMARY KEY (change, position)
) WITHOUT ROWID;

-- The latest state of the searcher: one row at most.
CREATE TABLE snapshot (
	event INTEGER PRIMARY KEY REFERENCES events,
	state BLOB NOT NULL
);

CREATE VIEW trials AS
SELECT p.trial, p.name, c.state, c.score, p.mean, p.sd, c.variance, p.batch, p.kind, p.x, coalesce(p.input, p.x) AS input, c.reason,
	coalesce(c.called, 0) AS called, coalesce(c.measurements, 0) AS measurements, p.model,
	(SELECT e.at FROM proposals q JOIN changes d ON d.proposal = q.id JOIN events e ON e.id = d.event
		WHERE q.trial = p.trial AND d.state = 'pending' ORDER BY d.id DESC LIMIT 1) AS proposed,
	CASE c.state WHEN 'pending' THEN NULL ELSE e.at END AS answered
FROM proposals p
	JOIN changes c ON c.id = (SELECT max(id) FROM changes WHERE proposal = p.id)
	JOIN events e ON e.id = c.event
WHERE p.id = (SELECT max(id) FROM proposals WHERE trial = p.trial);

CREATE VIEW measurements AS
SELECT trial, id AS measurement, score, se, reason, at
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

CREATE VIEW latents AS
SELECT trial, model, latent FROM proposals p
WHERE latent IS NOT NULL AND id = (SELECT max(id) FROM proposals WHERE trial = p.trial);
