-- +goose Up

-- A state may be partial. Nothing is to be changed, but programs that do not know it must not read it.
SELECT 1;
