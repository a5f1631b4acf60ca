package study

// Wanted returns for how many proposals calls of Ask wait.
func Wanted(s *Study) int { return int(s.wanted.Load()) }
