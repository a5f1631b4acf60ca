-- +goose Up

-- A row for each proposal that was lent to a client of a server: the latest time. It says nothing of trials, which is why it is no event.
CREATE TABLE leases (
	study   bigint NOT NULL REFERENCES studies ON DELETE CASCADE,
	trial   bigint NOT NULL,
	granted timestamptz NOT NULL,
	seconds double precision NOT NULL,
	PRIMARY KEY (study, trial)
);
