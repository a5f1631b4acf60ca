-- +goose Up

-- What the oracle was asked of workers: a row for each input and attempt, that is how often it is to be scored.
CREATE TABLE calls (
	id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	study   bigint NOT NULL REFERENCES studies ON DELETE CASCADE,
	input   text NOT NULL,
	digest  bytea NOT NULL, -- SHA-256 of input, which may be too long for an index
	attempt bigint NOT NULL, -- from 1
	job     bigint, -- of River, the latest
	UNIQUE (study, digest, attempt)
);

-- What workers answered. The first answer to a call is the only one.
CREATE TABLE results (
	call   bigint PRIMARY KEY REFERENCES calls ON DELETE CASCADE,
	score  double precision, -- NULL: it has none
	reason text NOT NULL,
	others json, -- further numbers by name
	worker text NOT NULL,
	at     timestamptz NOT NULL DEFAULT now()
);

-- Processes that work jobs. Others take over the jobs of one whose lease is over.
CREATE TABLE workers (
	id    text PRIMARY KEY,
	study bigint NOT NULL REFERENCES studies ON DELETE CASCADE,
	name  text NOT NULL, -- its user, machine and process
	lease timestamptz NOT NULL -- until when; it is prolonged while the process lives
);
