package genetic

// lately holds what became of the latest strings: those of one age, and of the age before.
type lately[V any] struct{ recent, older map[string]V }

// age begins another age if this one has as many strings.
func (l *lately[V]) age(strings int) {
	if l.recent == nil || len(l.recent) >= strings {
		l.recent, l.older = map[string]V{}, l.recent
	}
}

// get may be called from several goroutines while nothing is put.
func (l *lately[V]) get(s string) (V, bool) {
	if v, ok := l.recent[s]; ok {
		return v, true
	}
	v, ok := l.older[s]
	return v, ok
}

func (l *lately[V]) put(s string, v V) { l.recent[s] = v }
