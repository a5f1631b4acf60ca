-- +goose Up

-- A newer program's database must still say which program wrote a study: the table studies and its column program stay.
CREATE TABLE studies (
	id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	name          text NOT NULL UNIQUE,
	specification json,
	program       text NOT NULL, -- version of the program that created the study
	created       timestamptz NOT NULL,
	writer        text NOT NULL DEFAULT '' -- the latest process that opened the study for writing
);

-- The other tables are those of a file of store/sqlite, whose IDs are counted in each study.
CREATE TABLE events (
	study    bigint NOT NULL REFERENCES studies ON DELETE CASCADE,
	id       bigint NOT NULL, -- 1, 2, 3, … without a gap
	at       timestamptz NOT NULL,
	asked    bigint NOT NULL,
	taken    bigint NOT NULL,
	observed bigint NOT NULL,
	PRIMARY KEY (study, id)
);

CREATE TABLE proposals (
	study  bigint NOT NULL REFERENCES studies ON DELETE CASCADE,
	id     bigint NOT NULL,
	trial  bigint NOT NULL,
	name   text NOT NULL,
	x      text NOT NULL,
	input  text, -- NULL: x
	kind   text NOT NULL,
	batch  bigint NOT NULL,
	mean   double precision,
	sd     double precision,
	latent bytea, -- float64, little-endian
	model  bigint NOT NULL,
	PRIMARY KEY (study, id)
);
CREATE INDEX proposals_by_trial ON proposals (study, trial, id);
CREATE INDEX proposals_by_input ON proposals USING hash (coalesce(input, x));

CREATE TABLE changes (
	study        bigint NOT NULL,
	id           bigint NOT NULL,
	event        bigint NOT NULL,
	proposal     bigint NOT NULL,
	state        text NOT NULL,
	score        double precision,
	value        double precision,
	variance     double precision,
	reason       text,
	called       boolean,
	revised      boolean,
	measurements bigint,
	PRIMARY KEY (study, id),
	FOREIGN KEY (study, event) REFERENCES events ON DELETE CASCADE,
	FOREIGN KEY (study, proposal) REFERENCES proposals ON DELETE CASCADE
);
CREATE INDEX changes_by_proposal ON changes (study, proposal, id);
CREATE INDEX changes_by_event ON changes (study, event);

CREATE TABLE answers (
	study    bigint NOT NULL,
	change   bigint NOT NULL,
	position bigint NOT NULL,
	id       bigint NOT NULL,
	score    double precision,
	se       double precision,
	reason   text NOT NULL,
	others   json, -- further outcomes by name, an object of numbers
	PRIMARY KEY (study, change, position),
	FOREIGN KEY (study, change) REFERENCES changes ON DELETE CASCADE
);

CREATE TABLE snapshot (
	study bigint PRIMARY KEY REFERENCES studies ON DELETE CASCADE,
	event bigint NOT NULL,
	state bytea NOT NULL
);

CREATE VIEW trials AS
SELECT s.name AS study, p.trial, p.name, c.state, c.score, p.mean, p.sd, c.variance, p.batch, p.kind, p.x, coalesce(p.input, p.x) AS input, c.reason,
	coalesce(c.called, false) AS called, coalesce(c.measurements, 0) AS measurements, p.model,
	(SELECT e.at FROM proposals q JOIN changes d ON d.study = q.study AND d.proposal = q.id JOIN events e ON e.study = d.study AND e.id = d.event
		WHERE q.study = p.study AND q.trial = p.trial AND d.state = 'pending' ORDER BY d.id DESC LIMIT 1) AS proposed,
	CASE c.state WHEN 'pending' THEN NULL ELSE e.at END AS answered
FROM proposals p
	JOIN studies s ON s.id = p.study
	JOIN changes c ON c.study = p.study AND c.id = (SELECT max(id) FROM changes WHERE study = p.study AND proposal = p.id)
	JOIN events e ON e.study = c.study AND e.id = c.event
WHERE p.id = (SELECT max(id) FROM proposals WHERE study = p.study AND trial = p.trial);

CREATE VIEW measurements AS
SELECT s.name AS study, trial, m.id AS measurement, score, se, reason, others, at
FROM (
	SELECT p.study, p.trial, a.position, a.id, a.score, a.se, a.reason, a.others, e.at,
		row_number() OVER (PARTITION BY p.study, p.trial, a.position ORDER BY a.change DESC) AS age,
		(SELECT d.measurements FROM proposals q JOIN changes d ON d.study = q.study AND d.proposal = q.id
			WHERE q.study = p.study AND q.trial = p.trial ORDER BY d.id DESC LIMIT 1) AS count
	FROM answers a
		JOIN changes c ON c.study = a.study AND c.id = a.change
		JOIN proposals p ON p.study = c.study AND p.id = c.proposal
		JOIN events e ON e.study = c.study AND e.id = c.event
) m JOIN studies s ON s.id = m.study
WHERE age = 1 AND position <= count;
