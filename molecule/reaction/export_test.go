package reaction

// Examples returns the examples of the catalogue by the names of the reactions.
func Examples() map[string]string {
	all := map[string]string{}
	for _, e := range catalogue() {
		all[e.name] = e.example
	}
	return all
}
