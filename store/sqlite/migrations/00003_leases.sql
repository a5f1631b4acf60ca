-- +goose Up

-- A row for each proposal that was lent to a client of a server: the latest time. It says nothing of trials, which is why it is no event.
CREATE TABLE leases (
	trial   INTEGER PRIMARY KEY,
	granted TEXT NOT NULL,
	seconds REAL NOT NULL
);
