package motion

import "slices"

// Kinked is a Motion whose rate jumps at some times.
type Kinked interface {
	Motion
	// Kinks returns these times, s.
	Kinks() []float64
}

var (
	_ Kinked = (*Piecewise)(nil)
	_ Kinked = (*Delayed)(nil)
)

// KinksOf returns the times (s) at which the rate of a motion jumps; nil has none.
func KinksOf(m Motion) []float64 {
	if k, ok := m.(Kinked); ok {
		return k.Kinks()
	}
	return nil
}

// Kinks implements Kinked: the knots of a linear table.
func (p *Piecewise) Kinks() []float64 {
	if p.Smooth {
		return nil
	}
	return slices.Clone(p.Times)
}

// Kinks implements Kinked: those of the motion, later, and the end of the delay.
func (d *Delayed) Kinks() []float64 {
	kinks := []float64{d.By}
	for _, t := range KinksOf(d.Motion) {
		if t > 0 {
			kinks = append(kinks, t+d.By)
		}
	}
	return kinks
}
