package corpus

var Read = read
