package sim

// A term of a step is a part of its equations that its convex problem has only about given velocities: a contact that
// was found along a predicted motion, an arc in place of which the problem has its tangent, an elastic energy in place
// of which it has a quadratic one. With the velocities y about which all terms are linear the step is
//
//	v⁺ = S(y) = argmin_v ½ (v − v*)ᵀ A (v − v*) + Σ ℓ(J v + b),   A, p, J, b, ℓ of y           (1)
//
// and a step looks for v⁺ = S(v⁺), see loop.go. Each term measures at v⁺ how far the end of the step is from what the
// problem says of it, its defect, and can be linearized again there. What cannot be, because the step is too long for
// it, is a defect of the step: it only divides.

// termKind is what reports and messages say of a term.
type termKind struct {
	// name is that of the term in reports, see StepTerm.
	name string
	// unit is that of its defect.
	unit string
	// again is the clause of a message about a step in which the term was linearized again.
	again string
}

// defect is how far a term is from the truth at the solved velocities.
type defect struct {
	// ratio is the defect over its tolerance: up to 1 it is accepted.
	ratio float64
	// value is the defect, in the unit of its kind.
	value float64
	// bodies are the two bodies, or one of them twice, with the largest defect.
	bodies [2]int
	// divide: the problem does not describe the step, and no linearization will; the step has to be divided.
	divide bool
}

// change is what linearizations changed in the problem, a set.
type change uint8

const (
	newLaws   change = 1 << iota // parameters of laws; the solver resumes
	newRows                      // contacts and constraints
	newMatrix                    // A and p of bodies
)

// term is one of the terms of a step, which are called in the order of Stepper.terms.
type term interface {
	// begin makes it that of the start of a step.
	begin(s *Stepper)
	// measure returns its defect at the solved velocities. Bounds that take neither geometry nor elements come first.
	measure(s *Stepper) defect
	// linearize makes it that of the solved velocities, after measure returned a defect above its tolerance.
	linearize(s *Stepper) change
	// leave accepts a defect above its tolerance in the smallest parts of a step: it reports it, or says why the step
	// fails.
	leave(s *Stepper, d defect) error
}

// plainTerm has what most terms have.
type plainTerm struct{}

// begin implements term.
func (plainTerm) begin(*Stepper) {}

// linearize implements term: it only divides a step.
func (plainTerm) linearize(*Stepper) change { return 0 }

// leave implements term.
func (plainTerm) leave(*Stepper, defect) error { return nil }
