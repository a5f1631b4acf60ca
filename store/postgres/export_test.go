package postgres

// Server is that of all tests.
var Server = &server
