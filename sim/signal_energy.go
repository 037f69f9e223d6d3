package sim

// Energies, summed over rigid links and elements:
//
//	T = ½ vᵀ M v                  kinetic
//	V = −Σ m_i g·c_i              potential, zero with centres of mass c_i at the origin
//	E = Σ ½ k (q − q0)² + ∫ Ψ     elastic: springs of joints and constraints, strain energy

import "github.com/curlfree/curlfree/kinds"

// EnergyKind is the form of energy that an Energy measures.
type EnergyKind int

// Kinds of energy.
const (
	Kinetic   EnergyKind = iota // kinetic energy
	Potential                   // potential energy of gravity
	Elastic                     // energy of springs of joints and constraints, and strain energy
	Total                       // the sum of all
)

// Energy is the energy of all bodies.
type Energy struct {
	// Kind is the form of energy.
	Kind EnergyKind
}

// Value implements Signal, J.
func (g Energy) Value(s *Stepper, x *State) float64 {
	e := 0.0
	if g.Kind == Kinetic || g.Kind == Total {
		e += s.KineticEnergy(x)
	}
	if g.Kind == Potential || g.Kind == Total {
		e += s.potentialEnergy()
	}
	if g.Kind == Elastic || g.Kind == Total {
		e += s.elasticEnergy()
	}
	return e
}

// VonMises is the largest von Mises stress of a deformable.
type VonMises struct {
	// Deformable is an index into Model.Deformables.
	Deformable int
}

// Value implements Signal, Pa.
func (g VonMises) Value(s *Stepper, _ *State) float64 {
	return s.deformables[g.Deformable].MaxVonMises()
}

var _ = Signals.Register(kinds.Kind[SignalSpec]{
	Name: "energy", Doc: "Energy of all bodies.",
	New: func() SignalSpec { return &EnergySpec{} },
	Samples: func() []SignalSpec {
		return []SignalSpec{&EnergySpec{Kind: "total"}, &EnergySpec{Kind: "kinetic"}, &EnergySpec{Kind: "potential"}, &EnergySpec{Kind: "elastic"}}
	},
})

// EnergySpec are the parameters of an Energy.
type EnergySpec struct {
	// Which energy: kinetic, potential, elastic or total.
	Kind string `key:"energy,required" doc:"which energy" choice:"kinetic,potential,elastic,total"`
	ofState
}

// Unit implements SignalSpec.
func (*EnergySpec) Unit() string { return "J" }

// Make implements SignalSpec.
func (p *EnergySpec) Make(*Resolver) (Signal, error) {
	return Energy{map[string]EnergyKind{"kinetic": Kinetic, "potential": Potential, "elastic": Elastic, "total": Total}[p.Kind]}, nil
}

var _ = Signals.Register(kinds.Kind[SignalSpec]{
	Name: "von_mises", Doc: "Largest von Mises stress of a deformable.",
	New:     func() SignalSpec { return &VonMisesSpec{} },
	Samples: func() []SignalSpec { return []SignalSpec{&VonMisesSpec{Deformable: "pad"}} },
})

// VonMisesSpec are the parameters of a VonMises.
type VonMisesSpec struct {
	// Deformable body.
	Deformable string `key:"von_mises,required" doc:"deformable body" ref:"deformable"`
	ofState
}

// Unit implements SignalSpec.
func (*VonMisesSpec) Unit() string { return "Pa" }

// Make implements SignalSpec.
func (p *VonMisesSpec) Make(r *Resolver) (Signal, error) {
	i, err := r.Deformable(p.Deformable)
	return VonMises{i}, err
}

// whyUnsmooth implements unsmooth.
func (VonMises) whyUnsmooth(*Model) string {
	return "the largest of several stresses, which jumps from one element to the next: take the elastic energy"
}
