package sim

// The residual of a state at rest, and the forces against which it is small.

import (
	"math"
	"slices"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/r3"
)

// restForces are the forces at a state.
type restForces struct {
	total   []float64 // F, N or N m
	elastic []float64 // of the elements, N
	energy  float64   // elastic, J
}

// relative returns the residual relative to the forces; 0 without either.
func (e *equilibrium) relative() float64 {
	if e.residual == 0 {
		return 0
	}
	return e.residual / e.scale
}

// measure computes F and the scales of (3) of the state at which a pseudo-step of h begins.
func (e *equilibrium) measure(s *Stepper, h float64) {
	sum, forces := 0.0, e.borne
	e.now.total, e.now.elastic, e.now.energy = e.now.total[:0], append(e.now.elastic[:0], e.force...), 0
	clear(e.now.elastic)
	for i, p := range s.Problem.P {
		r := p/h + e.force[i]
		e.now.total = append(e.now.total, r)
		sum += r * r
	}
	// weight and loads
	e.inner = 0
	for _, d := range s.deformables {
		sq, _ := d.loadNorm()
		forces += sq
		e.inner += d.ElementForces()
		e.now.energy += d.StartEnergy()
		first, _ := d.Nodes()
		at := s.Problem.NodeOffset[first]
		for v := range d.model.NumVerts() {
			n := d.model.Node(int32(v))
			if n < 0 {
				continue
			}
			load := d.gravity.Scale(d.model.NodalMass(int32(v)))
			if d.force != nil {
				load = load.Add(d.force[v])
			}
			for k := range 3 {
				i := at + 3*int(n) + k
				e.now.elastic[i] = s.Problem.P[i]/h - load[k]
			}
		}
	}
	if s.rigid != nil {
		for i := range s.rigid.model.NumLinks() {
			if !s.rigid.model.IsKinematic(i) {
				w := s.rigid.model.Link(i).WeightMass() * s.Model.Gravity.Norm()
				forces += w * w
			}
		}
	}
	// far below the stiffness of a body forces are none; below that of the last digit of positions they are not known
	e.roundoff = e.constraintRoundoff(s, h)
	for _, d := range s.deformables {
		mu, lambda := d.model.Spec().Law.Lame()
		forces += math.Pow(leastLoad*(mu+math.Abs(lambda))*math.Pow(d.model.Mass()/d.model.Spec().Density, 2./3), 2)
		e.roundoff += d.ForceRoundoff()
	}
	e.residual, e.scale = math.Sqrt(sum), math.Sqrt(forces)
}

// keepForces keeps the forces of contacts and constraints.
func (e *equilibrium) keepForces(s *Stepper, h float64) {
	p := &s.Problem
	e.force = append(e.force[:0], s.Problem.P...)
	clear(e.force)
	e.borne = 0
	for c := range p.Constraints {
		gamma := p.Impulse(cliques.Handle(c))
		for _, b := range p.Blocks(cliques.Handle(c)) {
			n, o := p.NodeSize[b.Node], p.NodeOffset[b.Node]
			for r, y := range gamma {
				for k := range n {
					f := b.J[r*n+k] * y / h
					e.force[o+k] += f
					e.borne += f * f
				}
			}
		}
	}
}

// constraintRoundoff returns what the last digit of positions makes of the forces of constraints that touch
// deformables, N: with their Hessians G by displacement √Σ (G_rr ε x)², x the size of the bodies with their places.
// Attachments are stiffer than what they are attached to.
func (e *equilibrium) constraintRoundoff(s *Stepper, h float64) float64 {
	p, size, sum := &s.Problem, 0.0, 0.0
	for _, d := range s.deformables {
		for _, x := range d.Positions() {
			size = math.Max(size, math.Max(math.Abs(x[0]), math.Max(math.Abs(x[1]), math.Abs(x[2]))))
		}
	}
	if len(s.deformables) == 0 {
		return 0
	}
	first, _ := s.deformables[0].Nodes() // those of trees come before
	for c := range p.Constraints {
		k := &p.Constraints[c]
		elastic := false
		for _, b := range p.Blocks(cliques.Handle(c)) {
			elastic = elastic || b.Node >= first
		}
		if !elastic {
			continue
		}
		e.gamma, e.hessian = slices.Grow(e.gamma[:0], k.Dim)[:k.Dim], slices.Grow(e.hessian[:0], k.Dim*k.Dim)[:k.Dim*k.Dim]
		k.Law.Eval(p.Vc[k.Row:k.Row+k.Dim], e.gamma, e.hessian)
		for r := range k.Dim {
			f := e.hessian[r*k.Dim+r] / (h * h) * 0x1p-53 * size
			sum += f * f
		}
	}
	return math.Sqrt(sum)
}

// tangentTol is the relative tolerance of the solve that is differentiated: what v⁺ errs changes the
// derivative by as much.
const tangentTol = 1e-12

// relTol returns the solver's relative tolerance.
func (s *Stepper) relTol() float64 {
	switch {
	case s.linearizing:
		return tangentTol
	case s.rest.holds:
		return restRelTol
	}
	return s.Model.RelTol
}

// loadNorm returns Σ |m_i g + f_i|² over the free vertices, N², and the resultant.
func (b *deformableBody) loadNorm() (square float64, total r3.Vec) {
	for v := range b.model.NumVerts() {
		if b.model.Node(int32(v)) < 0 {
			continue
		}
		f := b.gravity.Scale(b.model.NodalMass(int32(v)))
		if b.force != nil {
			f = f.Add(b.force[v])
		}
		square, total = square+f.Norm2(), total.Add(f)
	}
	return square, total
}
