package reaction

import "sync"

// memo remembers what was found out about molecules: blocks, intermediates and products recur in a search. The zero
// value knows nothing. It may be used by several goroutines.
type memo[V any] struct {
	mu    sync.Mutex
	known map[string]V // by SMILES
}

// of returns what is known of a molecule, or what find returns. An error is not remembered.
func (m *memo[V]) of(smiles string, find func() (V, error)) (V, error) {
	const most = 1 << 16
	m.mu.Lock()
	v, ok := m.known[smiles]
	m.mu.Unlock()
	if ok {
		return v, nil
	}
	v, err := find()
	if err != nil {
		return v, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known == nil || len(m.known) == most {
		m.known = map[string]V{}
	}
	m.known[smiles] = v
	return v, nil
}
