-- +goose Up

-- What a proposal was expected to reach, of several objectives: {"mean": [1, 2], "sd": [0.5, 0], "chance": 0.25}.
ALTER TABLE proposals ADD COLUMN forecast TEXT;
