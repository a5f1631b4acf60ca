package nn

// Plateau lowers a learning rate when the validation loss no longer falls.
type Plateau struct {
	Factor   float64 // of the learning rate at each reduction
	Patience int     // epochs in a row without progress that are forgiven
	Min      float64 // least learning rate

	Best float64 // lowest loss so far
	Bad  int     // epochs in a row that did not lower it by 10⁻⁴
}

// Next returns the schedule and the learning rate after an epoch with this validation loss.
func (p Plateau) Next(lr, loss float64) (Plateau, float64) {
	if loss < p.Best-1e-4 {
		p.Best, p.Bad = loss, 0
		return p, lr
	}
	p.Bad++
	if p.Bad > p.Patience {
		p.Bad = 0
		lr = max(p.Min, lr*p.Factor)
	}
	return p, lr
}
