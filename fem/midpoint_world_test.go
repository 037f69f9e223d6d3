package fem

import (
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/timestep"
)

// midWorld steps one body by the midpoint rule, with the passes that its linearization error asks for.
type midWorld struct {
	*world
	rule   timestep.Rule
	memory timestep.Memory
	before float64 // s
	// most is the largest number of passes of a step; total counts them.
	least, most, total int
	// push adds impulses of the step to the momentum; nil: none.
	push func(P []float64)
	// ledger of the last step.
	ledger Ledger
}

func newMidWorld(m *Model) *midWorld {
	return &midWorld{world: newWorld(m), rule: timestep.Rule{Midpoint: true, Damping: timestep.DefaultDamping}, most: 16}
}

func (w *midWorld) solve() {
	P := append([]float64(nil), w.p.P...)
	if w.push != nil {
		w.push(P)
	}
	w.next = append(w.next[:0], w.p.V0...)
	for i, dv := range conjugateGradients(&w.p.Cliques[0], P) {
		w.next[i] += dv
	}
}

// step takes one step of h.
func (w *midWorld) step(h float64, gravity r3.Vec) (passes int) {
	w.d.Integrate(w.rule.Step(h, w.memory, w.before))
	w.d.Place(w.x)
	w.p.Reset(0, h)
	w.d.Linearize(h, gravity, w.x, w.v, w.pool, &w.p)
	for passes = 1; ; passes++ {
		w.solve()
		if ratio, _ := w.d.LinearizationError(w.next, true, w.pool, &w.p); (ratio <= 1 && passes >= w.least) || passes >= w.most {
			break
		}
		w.d.Relinearize(w.next, w.pool, &w.p)
	}
	w.total += passes
	w.ledger = w.d.Ledger(w.next, &w.p)
	if n := len(w.x); len(w.memory.W) != n {
		w.memory = timestep.Memory{W: make([]float64, n), DV: make([]float64, n)}
	}
	w.d.Advance(h, w.next, w.x, w.v, w.memory)
	w.before = h
	w.d.Place(w.x)
	return passes
}

func (w *midWorld) energy() float64 { return w.d.KineticEnergy(w.v) + w.d.ElasticEnergy() }

// turn gives the body an angular velocity about its centre of mass.
func (w *midWorld) turn(omega r3.Vec) {
	c := w.d.CenterOfMass()
	for i, p := range w.d.Positions() {
		u := omega.Cross(p.Sub(c))
		for k := range u {
			w.v[3*i+k] += u[k]
		}
	}
}
